"""After training: alignment heads, the sample's expected numbers for the C++ loader.

    finish.py heads FOLDER              -> SCRATCH/alignment_heads.json, measured against TIMIT's word times
    finish.py sample                    -> resources/samples/caption-sample.flac (+ .txt is written by hand)
    finish.py parity FOLDER OUT.json    -> first log-mel rows, encoder slice, greedy tokens and text of the sample
"""
import glob
import json
import sys

import numpy as np
import torch

import model as M
from common import SCRATCH, SHARED, raw_log_mel, read_sound, whisper_scale
from evaluate import load_folder, load_part

ROOT = __file__.rsplit("/tools/", 1)[0]
SAMPLE = f"{ROOT}/resources/samples/caption-sample.flac"


def heads(folder):
    """Mean distance of a head's most attended frame to the middle of the word, over words of TIMIT, true text given."""
    model, tok = load_folder(folder)
    starts = {i for t, i in tok.get_vocab().items() if t.startswith("\u0120")}
    errors = {}
    for item, mel in load_part("realtest"):
        if item["set"] != "timit":
            continue
        rows = [l.split() for l in open(item["path"].rsplit(".", 1)[0] + ".wrd")]
        times = [(int(a) / 16000, int(b) / 16000) for a, b, _ in rows]
        ids = tok.encode(" " + item["text"]).ids
        if len(rows) != len(item["text"].split()):
            continue
        with torch.no_grad():
            z = model.encoder(whisper_scale(torch.from_numpy(mel.astype(np.float32)))[None])
            logs = model.decoder(torch.tensor([[M.SOT, M.NOTIME] + ids]), z, None, weights=True)[1]
        word = -1
        for k, t in enumerate(ids):
            word += t in starts
            a, b = times[word]
            for l, w in enumerate(logs):
                for h in range(M.HEADS):
                    at = int(w[0, h, k + 1].argmax()) * 0.04
                    errors.setdefault((l, h), []).append(max(a - at, at - b, 0.0))
    ranked = sorted(errors, key=lambda k: np.mean(errors[k]))
    for k in ranked:
        print(k, "outside the word by %.3f s in the mean, inside for %.0f %%" % (np.mean(errors[k]), 100 * np.mean(np.array(errors[k]) <= 0.04)))
    json.dump([list(k) for k in ranked[:4]], open(f"{SCRATCH}/alignment_heads.json", "w"))


def sample(names, pause=0.6):
    """Joins held-out LibriSpeech utterances of one speaker with pauses of their own quiet."""
    import soundfile
    sounds = []
    for n in names:
        x = read_sound(glob.glob(f"{SHARED}/speech/librispeech-dev-clean/mp3/{n}.*")[0])
        sounds += [x[int(0.085 * 16000):], (np.random.default_rng(0).standard_normal(int(pause * 16000)) * 3e-4).astype(np.float32)]
    x = np.concatenate(sounds[:-1])
    soundfile.write(SAMPLE, x, 16000, subtype="PCM_16")
    print(len(x) / 16000, "s")


def parity(folder, out):
    model, tok = load_folder(folder)
    mel = whisper_scale(raw_log_mel(read_sound(SAMPLE)))[:1500]
    with torch.no_grad():
        z = model.encoder(mel[None])
        ids = M.greedy(model.decoder, z, [z.shape[1]])[0]
        logits = model.decoder(torch.tensor([[M.SOT, M.NOTIME]]), z)[0][0, -1]
    numbers = lambda t: [[round(float(v), 5) for v in row] for row in t]
    json.dump({
        "about": "The model in resources/models/captions-en on the first 15 s of resources/samples/caption-sample.flac: float16 weights "
                 "computed in float32; mel rows are frames (100 a second), 80 bands; encoder rows are 40 ms frames.",
        "mel_frames": len(mel), "mel_max": round(float(mel.max()), 5), "mel_first_5_frames": numbers(mel[:5]), "mel_frame_500": numbers(mel[500:501]),
        "encoder_frames": z.shape[1], "encoder_mean": float(z.mean()), "encoder_rms": float(z.square().mean().sqrt()),
        "encoder_rows_0_100_200_first_16": numbers(z[0, [0, 100, 200], :16]),
        "prompt": [M.SOT, M.NOTIME], "first_logits_0_16": [round(float(v), 4) for v in logits[:16]], "first_logits_256_272": [round(float(v), 4) for v in logits[256:272]],
        "greedy_tokens": ids, "greedy_text": tok.decode(ids),
    }, open(out, "w"), indent=1)
    print(tok.decode(ids))


if __name__ == "__main__":
    {"heads": lambda: heads(sys.argv[2]), "sample": lambda: sample(sys.argv[2:]), "parity": lambda: parity(*sys.argv[2:4])}[sys.argv[1]]()
