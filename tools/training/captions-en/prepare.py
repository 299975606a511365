"""Decodes all real speech once: audio.i16 (16 kHz, end to end) and items.json, a list of {id, path, text, source, split, start, length}.

Splits as tools/training/corpora.sh has them: test_* is never trained with, nor any utterance of a text that stands there; valid_* (two speakers of train-clean-5 and
every 40th Common Voice recording) is what training is watched by.
"""
import collections
import concurrent.futures
import json
import math
import pathlib
import re

import numpy as np
import scipy.signal
import soundfile

from places import CHECKOUT, DATA, WORK

SPEECH = DATA / "speech"
HELD_OUT_SPEAKERS = {"84", "251", "1272", "2803"}
MP3_PADDING = 1000  # samples of silence that the codec put before each recording, roughly


def normalised(text):
    return " ".join(re.sub(r"[^a-z' ]", " ", text.lower()).split())


def recordings(folder):
    paths = {path.stem: path for path in (SPEECH / folder).rglob("*") if path.suffix in (".opus", ".mp3", ".flac", ".wav")}
    for line in open(SPEECH / folder / "transcripts.tsv"):
        cells = line.rstrip("\n").split("\t")
        if len(cells) >= 2 and cells[0] in paths:
            yield cells[0], paths[cells[0]], cells[1]


def collect():
    items = []

    def add(identifier, path, text, source, split="train"):
        items.append({"id": identifier, "path": str(path), "text": text, "source": source, "split": split})

    for name, path, text in recordings("librispeech-dev-clean"):
        speaker = name.split("-")[0]
        add(name, path, text, f"librispeech/{speaker}", "test_ls" if speaker in HELD_OUT_SPEAKERS else "train")
    names = sorted(line.split("\t")[0] for line in open(SPEECH / "common-voice-1/transcripts.tsv") if line.strip())
    tenth = set(names[::10])
    doubtful = set((SPEECH / "common-voice-1/doubtful.txt").read_text().split())
    for name, path, text in recordings("common-voice-1"):
        if name not in doubtful:
            add(name, path, text, "commonvoice", "test_cv" if name in tenth else "train")
    for name, path, text in recordings("speechocean762"):
        add(name, path, text, f"speechocean762/{name[:5]}")
    for name, path, text in recordings("kathleen"):
        add(name, path, text, "kathleen")
    for name, path, text in recordings("ljspeech-part"):
        add(name, path, text, "ljspeech")
    for folder, source in (("librispeech-train-clean-5", "librispeech5"), ("librispeech-train-clean-100-part", "librispeech100")):
        for name, path, text in recordings(folder):
            add(name, path, text, f"{source}/{name.split('-')[0]}")
    for words in sorted((SPEECH / "timit-sample").rglob("*.wrd")):
        text = " ".join(line.split()[2] for line in open(words) if line.strip())
        add(f"{words.parent.name}-{words.stem}", words.with_suffix(".flac"), text, "timit", "test_timit")
    return items


def divide(items):
    kept_out = {normalised(item["text"]) for item in items if item["split"] != "train"}
    kept_out |= {normalised(line.split("\t")[1]) for line in open(SPEECH / "clips/transcripts.tsv")}
    kept_out |= {normalised(line) for line in open(CHECKOUT / "tools/training/held_out_sentences.txt")}
    items = [item for item in items if item["split"] != "train" or normalised(item["text"]) not in kept_out]
    speakers = sorted({item["source"] for item in items if item["source"].startswith("librispeech5/")})
    watched = {speakers[3], speakers[17]}
    common_voice = 0
    for item in items:
        if item["split"] == "train" and item["source"] in watched:
            item["split"] = "valid_ls"
        elif item["split"] == "train" and item["source"] == "commonvoice":
            common_voice += 1
            if common_voice % 40 == 0:
                item["split"] = "valid_cv"
    seen = {normalised(item["text"]) for item in items if item["split"].startswith("valid")}
    return [item for item in items if item["split"] != "train" or normalised(item["text"]) not in seen]


def decode(item):
    sound, rate = soundfile.read(item["path"], dtype="float32", always_2d=True)
    sound = sound.mean(1)
    if rate != 16000:
        common = math.gcd(rate, 16000)
        sound = scipy.signal.resample_poly(sound, 16000 // common, rate // common)
    if pathlib.Path(item["path"]).suffix == ".mp3":
        sound = sound[MP3_PADDING:]
    return np.clip(np.round(sound * 32768), -32768, 32767).astype(np.int16)


def main():
    items = divide(collect())
    start = 0
    with open(WORK / "audio.i16", "wb") as file, concurrent.futures.ProcessPoolExecutor(2) as pool:
        for item, sound in zip(items, pool.map(decode, items, chunksize=32)):
            item["start"], item["length"] = start, len(sound)
            start += len(sound)
            sound.tofile(file)
    json.dump(items, open(WORK / "items.json", "w"))
    hours = collections.Counter()
    for item in items:
        hours[item["split"], item["source"].split("/")[0]] += item["length"] / 16000 / 3600
    for (split, source), value in sorted(hours.items()):
        print(f"{split:12} {source:16} {value:.2f} h")


if __name__ == "__main__":
    main()
