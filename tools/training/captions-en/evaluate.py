"""Measures an exported folder: word error rate (greedy, whole utterance, no beam) on every held-out set, false words on noise.

    evaluate.py FOLDER [quick]     prints one line a set; with quick only the fixed 40 utterances
It reads nothing but the folder's own files (float16 weights computed in float32).
"""
import json
import sys
import time

import numpy as np
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer

import model as M
from common import SCRATCH, levenshtein, whisper_scale
from loader import DATA

torch.set_num_threads(1)


def load_folder(folder):
    config = json.load(open(f"{folder}/config.json"))
    assert (config["d_model"], config["encoder_layers"], config["decoder_layers"]) == (M.D, M.ENC_LAYERS, M.DEC_LAYERS)
    model = M.Captions()
    model.load_state_dict({k.replace("model.", "", 1): v.float() for k, v in load_file(f"{folder}/model.safetensors").items()})
    return model.eval(), Tokenizer.from_file(f"{folder}/tokenizer.json")


def texts_of(model, tok, mels):
    """Greedy texts of raw log-mels, in batches of like length."""
    out = [None] * len(mels)
    order = sorted(range(len(mels)), key=lambda k: len(mels[k]))
    with torch.no_grad():
        for a in range(0, len(order), 16):
            rows = order[a:a + 16]
            longest = max(len(mels[k]) for k in rows)
            x = torch.zeros(len(rows), longest, 80)
            for r, k in enumerate(rows):
                x[r, :len(mels[k])] = whisper_scale(torch.from_numpy(mels[k].astype(np.float32)))
            lengths = [(len(mels[k]) + 3) // 4 for k in rows]
            z = model.encoder(x, M.pad_mask(lengths, (longest + 3) // 4))
            for k, ids in zip(rows, M.greedy(model.decoder, z, lengths)):
                out[k] = tok.decode(ids).strip()
    return out


def load_part(name):
    items = json.load(open(f"{DATA}/{name}.json"))
    mel = np.load(f"{DATA}/{name}_mel.npy", mmap_mode="r")
    return [(i, np.array(mel[i["at"]:i["at"] + i["n"]])) for i in items]


def main():
    folder, quick = sys.argv[1], "quick" in sys.argv
    model, tok = load_folder(folder)
    everything = [p for p in load_part("realtest") + load_part("synthtest") if p[0]["n"] <= 1500]
    sets = {}
    for item, mel in everything:
        sets.setdefault(item["set"], []).append((item, mel))
    if quick:
        sets = {n: s[::len(s) // c][:c] for n, c in (("common-voice-1", 16), ("librispeech-dev-clean", 12), ("timit", 6), ("unseen-voice-rms", 6)) for s in [sets[n]]}
    results, begin = {}, time.time()
    for name, pairs in sets.items():
        hyps = texts_of(model, tok, [m for _, m in pairs])
        wrong = sum(levenshtein(i["text"].split(), h.split()) for (i, _), h in zip(pairs, hyps))
        words = sum(len(i["text"].split()) for i, _ in pairs)
        results[name] = dict(utterances=len(pairs), words=words, wer=round(100 * wrong / words, 1))
        print(f"{name}: {len(pairs)} utterances, {words} words, word error rate {100 * wrong / words:.1f} %", flush=True)
        for (i, _), h in list(zip(pairs, hyps))[:3]:
            print("   ", i["text"], "\n  ->", h)
    if not quick:
        noise = [(i, m) for i, m in load_part("noise") if i["split"] == "test"]
        silence = [np.full((n, 80), -10.0, np.float16) for n in (200, 500, 1000)]
        silence += [(-9.0 + 0.3 * np.random.default_rng(n).standard_normal((n, 80))).clip(-10).astype(np.float16) for n in (200, 500, 1000)]
        for name, mels in (("noise", [m for _, m in noise]), ("silence", silence)):
            hyps = texts_of(model, tok, mels)
            false, seconds = sum(len(h.split()) for h in hyps), sum(len(m) for m in mels) / 100
            results[name] = dict(clips=len(mels), seconds=round(seconds), false_words=false, clips_with_words=sum(bool(h) for h in hyps))
            print(f"{name}: {len(mels)} clips, {seconds:.0f} s, {false} false words in {sum(bool(h) for h in hyps)} clips")
        json.dump(results, open(f"{SCRATCH}/results.json", "w"), indent=1)
    print(f"({time.time() - begin:.0f} s)")


if __name__ == "__main__":
    main()
