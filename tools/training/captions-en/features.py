"""What an encoder that stands still makes of the training windows, computed once and kept: then a table of tokens learns at 150 to 290 times real time.

    features.py published NAME LIST [--seed N] [--disturbed]     whole windows of 27 s, padded to 30 s, as tiny.en was trained; every second frame
    features.py CHECKPOINT NAME LIST [--seed N] [--disturbed]    a block-causal encoder, windows of one utterance or several, a chunk drawn for each

LIST: real, valid (what training is watched by), or a synthetic list (rare). Writes NAME.f16, half precision, frames of all windows end to end, and
NAME.windows.json: of each window {start, frames, chunk_ms, ends_known, words: [word, end in seconds]}. table.py may read what is there so far.
"""
import argparse
import json
import os
import random
import time

import torch
import torch.nn.functional as F

from places import WORK
from sounds import LIGHT, disturb, real_items, synthetic_items
from whisper import BANDS, MEL_PER_FRAME, SAMPLE_RATE, Encoder, block_mask, fast_products, frames_of_mel, frames_of_sound, log_mel, normalised_mel
from windows import Texts, assemble, joined, noise_window, single

CHUNKS_MS = (200, 300, 300, 500, 700, 900, 900, 1000, 1000, None)  # None: the whole window is one block
WATCHED_CHUNK_MS = 300
SINGLE_SHARE = 0.45
NOISE_WINDOWS = 150
PUBLISHED_WINDOW_S = 30
FULL_S = 27
FRAMES_OF_SILENCE = 25  # kept behind a padded window's sound


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("encoder")
    parser.add_argument("name")
    parser.add_argument("list")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--disturbed", action="store_true")
    return parser.parse_args()


def items_of(name, texts):
    if name == "valid":
        return [item for item in real_items() if item["split"].startswith("valid")][::4][:48]
    if name == "real":
        items = [item for item in real_items() if item["split"] == "train" and texts.labels.get(item["id"])]
    else:
        items = [dict(item, source="synthetic") for item in synthetic_items(name)]
        texts.add_synthetic(items)
    return [item for item in items if 0.5 * SAMPLE_RATE < item["length"] < FULL_S * SAMPLE_RATE]


def full_windows(items):
    """Utterances of one source on end, until the next would not fit"""
    windows = []
    for item in sorted(items, key=lambda item: item["source"]):
        newest = windows[-1] if windows else None
        if newest and newest["parts"][0]["source"] == item["source"] and newest["length"] + item["length"] < FULL_S * SAMPLE_RATE:
            newest["parts"].append(item)
            newest["length"] += item["length"]
        else:
            windows.append(single(item))
    return windows


class Published:
    def __init__(self):
        self.encoder = Encoder(stride=2).load_published().eval()

    def __call__(self, sound, chunk_ms):
        mel = normalised_mel(log_mel(F.pad(sound, (0, PUBLISHED_WINDOW_S * SAMPLE_RATE - len(sound)))))
        return self.encoder(mel[None])[0, ::2][:frames_of_sound(len(sound)) + FRAMES_OF_SILENCE]


class Causal:
    def __init__(self, checkpoint):
        self.encoder = Encoder(stride=4).eval()
        self.encoder.load_state_dict(torch.load(WORK / checkpoint)["enc"])

    def __call__(self, sound, chunk_ms):
        mel = normalised_mel(log_mel(sound), chunk_ms)
        frames = frames_of_mel(mel)
        padded = F.pad(mel, (0, frames * MEL_PER_FRAME - mel.shape[1]))
        return self.encoder(padded.view(1, BANDS, -1), block_mask([frames], frames, chunk_ms))[0]


def windows_of(chosen, items, draw):
    draw.shuffle(items)
    if chosen.list == "valid":
        return [single(item) for item in items]
    windows = full_windows(items) if chosen.encoder == "published" else joined(items, SINGLE_SHARE, draw)
    if chosen.list == "real" and chosen.encoder != "published":
        windows += [noise_window(draw, 10 * SAMPLE_RATE) for _ in range(NOISE_WINDOWS)]
    draw.shuffle(windows)
    return windows


def main():
    chosen = options()
    torch.set_num_threads(1)
    torch.manual_seed(chosen.seed)
    draw = random.Random(chosen.seed)
    texts = Texts(json.load(open(WORK / "labels2.json")), {}, json.load(open(WORK / "times.json")))
    windows = windows_of(chosen, items_of(chosen.list, texts), draw)
    encode = Published() if chosen.encoder == "published" else Causal(chosen.encoder)
    how = LIGHT if chosen.disturbed else None
    kept = []
    start = 0
    heard_s = 0
    begun = time.time()

    def keep():
        file.flush()
        json.dump(kept, open(WORK / f"{chosen.name}.tmp", "w"))
        os.replace(WORK / f"{chosen.name}.tmp", WORK / f"{chosen.name}.windows.json")
        print(f"{len(kept)} of {len(windows)}, {heard_s / 3600:.2f} h, {heard_s / (time.time() - begun):.0f} times real time", flush=True)

    with open(WORK / f"{chosen.name}.f16", "wb") as file, torch.no_grad(), fast_products():
        for window in windows:
            sound, words, ends_known = assemble(window, texts, draw, how)
            sound = sound[:29 * SAMPLE_RATE]
            if how:
                sound = disturb(sound, draw, how)
            chunk_ms = WATCHED_CHUNK_MS if chosen.list == "valid" else draw.choice(CHUNKS_MS)
            features = encode(sound, chunk_ms).half()
            features.contiguous().numpy().tofile(file)
            kept.append({"start": start, "frames": len(features), "chunk_ms": None if chosen.encoder == "published" else chunk_ms,
                         "ends_known": ends_known, "words": [[word, round(end_s, 2)] for word, end_s in words]})
            start += len(features)
            heard_s += len(sound) / SAMPLE_RATE
            if len(kept) % 300 == 0:
                keep()
        keep()


if __name__ == "__main__":
    main()
