"""CTC head, alignment of every token, and the decoder, all trained on the teacher's features.

    train_heads.py ctc MINUTES PART,PART     -> heads_ctc.pt, PART_align.json
    train_heads.py align PART                -> PART_align.json with the CTC head there is
    train_heads.py decoder MINUTES PART,PART -> heads.pt (projection, CTC head, decoder; saved every minute)

The projection is linear, so it can be folded into the decoder once the student predicts the teacher's features.
"""
import json
import os
import sys
import time

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
from tokenizers import Tokenizer

from common import SCRATCH, levenshtein
from loader import DATA, Part
from model import D, EOT, NOTIME, SOT, TEACHER, Decoder, Muon, greedy, pad_mask
from losses import USED, ctc_loss, decoder_loss

tok = Tokenizer.from_file(f"{SCRATCH}/tokenizer.json")
stats = np.load(f"{DATA}/feat_stats.npz")
MEAN, STD = torch.from_numpy(stats["mean"]), torch.from_numpy(stats["std"])


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.project, self.ctc, self.decoder = nn.Linear(TEACHER, D), nn.Linear(D, len(USED) + 1), Decoder()


def features(item):
    x = torch.from_numpy(np.array(item["part"].feat[item["at40"]:item["at40"] + item["n40"]])).float()
    return (x - MEAN) / STD


def batches(items, frames, rng):
    lengths = np.array([i["n40"] for i in items]) * (1 + 0.05 * rng.standard_normal(len(items)))
    out, batch = [], []
    for k in np.argsort(lengths):
        if batch and (len(batch) + 1) * items[k]["n40"] > frames:
            out.append(batch)
            batch = []
        batch.append(items[k])
    out.append(batch)
    rng.shuffle(out)
    return out


def pack(batch, disturb=None):
    lengths = [i["n40"] for i in batch]
    x = torch.zeros(len(batch), max(lengths), TEACHER)
    for r, i in enumerate(batch):
        x[r, :i["n40"]] = features(i)
    if disturb is not None:  # as incomplete as the student's features will be
        x += disturb.uniform(0.0, 0.6) * torch.randn_like(x)
        for r in range(len(batch)):
            for _ in range(1 + lengths[r] // 100):
                w = int(disturb.integers(1, 7))
                a = int(disturb.integers(0, max(1, lengths[r] - w)))
                x[r, a:a + w] = 0
    u = max(len(i["tokens"]) for i in batch) + 2
    inputs, targets, spikes = torch.full((len(batch), u), EOT), torch.full((len(batch), u), -100), torch.full((len(batch), u), -1)
    for r, i in enumerate(batch):
        n = len(i["tokens"])
        inputs[r, :2 + n] = torch.tensor([SOT, NOTIME] + i["tokens"])
        targets[r, 1:2 + n] = torch.tensor(i["tokens"] + [EOT])
        if i["spikes"]:
            spikes[r, 1:1 + n] = torch.tensor(i["spikes"])
    return x, lengths, inputs, targets, spikes


def align(logp, tokens):
    """Viterbi path through blank-interleaved tokens: the most likely frame of every token."""
    t, s = len(logp), 2 * len(tokens) + 1
    states = np.zeros(s, int)
    states[1::2] = tokens
    emit = logp[:, states]
    skip = np.zeros(s, bool)
    skip[3::2] = states[3::2] != states[1:-2:2]
    score = np.full(s, -1e9)
    score[:2] = emit[0, :2]
    back = np.zeros((t, s), np.int8)
    for k in range(1, t):
        one = np.concatenate([[-1e9], score[:-1]])
        two = np.where(skip, np.concatenate([[-1e9, -1e9], score[:-2]]), -1e9)
        choice = np.stack([score, one, two])
        back[k] = choice.argmax(0)
        score = choice.max(0) + emit[k]
    at = s - 1 if score[s - 1] > score[s - 2] else s - 2
    path = np.zeros(t, int)
    for k in range(t - 1, -1, -1):
        path[k] = at
        at -= int(back[k, at])
    out = []
    for j in range(len(tokens)):
        frames = np.nonzero(path == 2 * j + 1)[0]
        out.append(int(frames[logp[frames, tokens[j]].argmax()]) if len(frames) else -1)
    return out if -1 not in out else None


@torch.no_grad()
def align_part(heads, part):
    place = {t: k + 1 for k, t in enumerate(USED)}
    result = []
    for i in part.items:
        logp = heads.ctc(heads.project(features(i))).log_softmax(-1).numpy()
        ids = [place[t] for t in i["tokens"]]
        result.append(align(logp, ids) if ids and 2 * len(ids) < 2 * len(logp) else None)
    return result


@torch.no_grad()
def ctc_error(heads, items):
    """Word error rate of the greedy CTC path."""
    wrong = words = 0
    for i in items:
        best = heads.ctc(heads.project(features(i))).argmax(-1).tolist()
        ids = [USED[b - 1] for a, b in zip([0] + best, best) if b and b != a]
        ref = i["text"].split()
        wrong, words = wrong + levenshtein(ref, tok.decode(ids).split()), words + len(ref)
    return wrong / words


@torch.no_grad()
def decoder_error(heads, items):
    wrong = words = 0
    for k in range(0, len(items), 20):
        x, lengths = pack(items[k:k + 20])[:2]
        for i, ids in zip(items[k:k + 20], greedy(heads.decoder, heads.project(x), lengths)):
            ref = i["text"].split()
            wrong, words = wrong + levenshtein(ref, tok.decode(ids).split()), words + len(ref)
    return wrong / words


if __name__ == "__main__":
    what = sys.argv[1]
    torch.manual_seed(0)
    rng = np.random.default_rng(5)
    heads = Heads()
    if what == "align":
        heads.load_state_dict(torch.load(f"{SCRATCH}/{'heads' if os.path.exists(SCRATCH + '/heads.pt') else 'heads_ctc'}.pt"))
        for name in sys.argv[2].split(","):
            result = align_part(heads, Part(name, tok))
            json.dump(result, open(f"{DATA}/{name}_align.json", "w"))
            print("aligned", name, sum(r is None for r in result), "failed", flush=True)
        sys.exit()
    minutes, names = float(sys.argv[2]), sys.argv[3].split(",")
    parts = [Part(n, tok) for n in names]
    # every 100th utterance is kept for a quick look (it is trained on later)
    items = [i for p in parts for i in p.items if i["tokens"] and i["n40"] > len(i["tokens"]) + 2]
    look, items = items[::100], [i for k, i in enumerate(items) if k % 100]
    start = saved = time.time()
    step = 0
    progress = lambda: (time.time() - start) / (minutes * 60)
    if what == "ctc":
        params = [*heads.project.parameters(), *heads.ctc.parameters()]
        opt = torch.optim.AdamW(params, lr=3e-3, betas=(0.9, 0.98), weight_decay=0.01)
        epoch = 0
        if os.path.exists(f"{SCRATCH}/heads_ctc.pt"):
            heads.load_state_dict(torch.load(f"{SCRATCH}/heads_ctc.pt"))
        while progress() < 1:
            total = count = 0
            for batch in batches(items, 6000 if epoch < 3 else 12000, rng):
                if progress() >= 1:
                    break
                opt.param_groups[0]["lr"] = 3e-3 * min(1, (step + 1) / 50, 0.02 + 1.5 * (1 - progress()))
                x, lengths, _, targets, _ = pack(batch)
                loss = ctc_loss(heads.ctc(heads.project(x)), lengths, [i["tokens"] for i in batch])
                opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(params, 1.0)
                opt.step()
                step, total, count = step + 1, total + float(loss.detach()), count + 1
            epoch += 1
            print(f"{time.strftime('%H:%M:%S')} epoch {epoch} ctc {total / max(count, 1):.3f} wer {ctc_error(heads, look):.3f}", flush=True)
        torch.save(heads.state_dict(), f"{SCRATCH}/heads_ctc.pt")
        for name, part in zip(names, parts):
            result = align_part(heads, part)
            json.dump(result, open(f"{DATA}/{name}_align.json", "w"))
            print(time.strftime('%H:%M:%S'), "aligned", name, sum(r is None for r in result), "failed", flush=True)
    else:
        items = [i for i in items if i["n40"] <= 370 and len(i["tokens"]) < 180]
        look = [i for i in look if i["n40"] <= 370]
        heads.load_state_dict(torch.load(f"{SCRATCH}/heads_ctc.pt"))
        opt = Muon(heads)
        sums = np.zeros(3)
        while progress() < 1:
            for batch in batches(items, 5000, rng):
                if progress() >= 1:
                    break
                x, lengths, inputs, targets, spikes = pack(batch, rng)
                h = heads.project(x)
                ce, att = decoder_loss(heads.decoder, h, pad_mask(lengths, h.shape[1]), inputs, targets, spikes)
                ctc = ctc_loss(heads.ctc(h), lengths, [i["tokens"] for i in batch])
                (ce + 0.3 * att + 0.3 * ctc).backward()
                torch.nn.utils.clip_grad_norm_([p for p in opt.parameters if p.grad is not None], 1.0)
                opt.step(2e-3 * min(1, (step + 1) / 60, 0.05 + 1.6 * (1 - progress())))
                opt.zero_grad()
                step, sums = step + 1, sums + [float(v.detach()) for v in (ce, att, ctc)]
                if step % 50 == 0:
                    print(f"{time.strftime('%H:%M:%S')} step {step} ce {sums[0] / 50:.3f} attention {sums[1] / 50:.3f} ctc {sums[2] / 50:.3f}", flush=True)
                    sums[:] = 0
                if time.time() - saved > 75:
                    saved = time.time()
                    torch.save(heads.state_dict(), f"{SCRATCH}/heads.tmp")
                    os.replace(f"{SCRATCH}/heads.tmp", f"{SCRATCH}/heads.pt")
                    print(f"look: wer decoder {decoder_error(heads, look[::2]):.3f} ctc {ctc_error(heads, look[::2]):.3f}", flush=True)
        torch.save(heads.state_dict(), f"{SCRATCH}/heads.tmp")
        os.replace(f"{SCRATCH}/heads.tmp", f"{SCRATCH}/heads.pt")
        print("end: wer decoder", decoder_error(heads, look), "ctc", ctc_error(heads, look), flush=True)
