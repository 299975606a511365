#!/usr/bin/env python3
"""Trains a translator on sentence pairs: wait-k with many k, group positions with three phi, Muon and Adam, averaged weights.

usage: train.py OUT MINUTES --pairs FILE[=WEIGHT] ... (--model FOLDER | --resume CHECKPOINT | --tokenizer FILE) [--layers N] [--rate R]
--model: begins with a folder of Braid's; layers beyond its own begin as identity. Checkpoints hold the weights that learn and their average.
"""
import argparse
import json
import math
import os
import pathlib
import random
import time

import torch
import torch.nn.functional as F
from safetensors.torch import load_file

from model import FAST, Config, Translator, batch_of, rows_of
from pairs import Pairs, size
from train_settings import PHIS, WAITS

AVERAGE = 0.998

parser = argparse.ArgumentParser()
parser.add_argument("out", type=pathlib.Path)
parser.add_argument("minutes", type=float)
parser.add_argument("--pairs", nargs="+", required=True)
parser.add_argument("--model", type=pathlib.Path)
parser.add_argument("--resume", type=pathlib.Path)
parser.add_argument("--tokenizer")
parser.add_argument("--layers", type=int, default=6)
parser.add_argument("--width", type=int, default=256)
parser.add_argument("--rate", type=float, default=3e-3)
parser.add_argument("--hold", type=float, default=0.35, help="the share of the time before the rate falls")
parser.add_argument("--tokens", type=int, default=4000)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()

torch.set_num_threads(int(os.environ.get("THREADS", "1")))
torch.manual_seed(options.seed)
chance = random.Random(options.seed)
tokenizer_file = options.tokenizer or str(options.model / "tokenizer.json")
files = [(name.rpartition("=")[0], float(name.rpartition("=")[2])) if "=" in name else (name, 1.0) for name in options.pairs]
data = Pairs(files, tokenizer_file, options.seed)
vocabulary = data.tokenizer.get_vocab_size()
config = Config(vocabulary, options.width, int(options.width * 2.75), options.layers)
model = Translator(config)
for name, parameter in model.named_parameters():
    if parameter.dim() == 2:
        torch.nn.init.normal_(parameter, std=0.02)
        if "o_proj" in name or "down_proj" in name:
            torch.nn.init.zeros_(parameter)


def load_model(folder):
    """A model of fewer layers is spread over these: its last layers stay last."""
    state = {name.removeprefix("model."): value.float() for name, value in load_file(folder / "model.safetensors").items()}
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    places = [round(i * (options.layers - 1) / (layers - 1)) for i in range(layers)]
    moved = {}
    for name, value in state.items():
        parts = name.split(".")
        if parts[0] == "layers":
            parts[1] = str(places[int(parts[1])])
        moved[".".join(parts)] = value
    model.load_state_dict(moved, strict=False)
    print(f"begins with {folder}: its layers at {places}", flush=True)


if options.resume:
    state = torch.load(options.resume, weights_only=True)
    model.load_state_dict(state["model"])
elif options.model:
    load_model(options.model)
average = {name: value.detach().clone() for name, value in model.state_dict().items()}

matrices = [p for name, p in model.named_parameters() if p.dim() == 2 and "embed" not in name]
others = [p for name, p in model.named_parameters() if p.dim() != 2 or "embed" in name]
adam = torch.optim.AdamW(others, lr=options.rate, betas=(0.9, 0.98), weight_decay=0.0)
momenta = [torch.zeros_like(p) for p in matrices]


def orthogonal(g):
    """Newton-Schulz of Muon, five steps."""
    x = g.to(FAST)
    is_tall = x.shape[0] > x.shape[1]
    if is_tall:
        x = x.T
    x = x / (x.norm() + 1e-7)
    for _ in range(5):
        a = x @ x.T
        b = -4.7750 * a + 2.0315 * a @ a
        x = 3.4445 * x + b @ x
    return (x.T if is_tall else x).float()


def muon_step(rate):
    with torch.no_grad():
        for p, m in zip(matrices, momenta):
            m.mul_(0.95).add_(p.grad)
            update = orthogonal(p.grad + 0.95 * m)
            p.mul_(1 - rate * 0.02).add_(update, alpha=-rate * 0.2 * math.sqrt(max(p.shape)))


def loss_of(batch, smoothing):
    tokens, positions, labels, mask = batch
    hidden = model(tokens, positions, mask)
    wanted = labels >= 0
    return F.cross_entropy(model.logits(hidden[wanted]), labels[wanted], label_smoothing=smoothing), int(wanted.sum())


def batches():
    while True:
        waiting = []
        for example in data.epoch():
            waiting.append(example)
            if len(waiting) == 4000:
                yield from cut(waiting)
                waiting = []
        yield from cut(waiting)


def cut(examples):
    examples.sort(key=lambda e: size(e) + chance.random() * 4)
    out, now = [], []
    for example in examples:
        now.append(example)
        if size(example) * len(now) >= options.tokens:
            out.append(now)
            now = []
    if now:
        out.append(now)
    chance.shuffle(out)
    return out


def validate():
    kept = {name: value.detach().clone() for name, value in model.state_dict().items()}
    model.load_state_dict(average)
    figures = []
    with torch.no_grad():
        for captions in (0, 1):
            total, count, right = 0.0, 0, 0
            for at in range(0, 400, 50):
                examples = [data.example([pair], None, captions) for pair in data.held_out[at : at + 50]]
                tokens, positions, labels, mask = batch_of([rows_of(e, 5, 0) for e in examples])
                wanted = labels >= 0
                logits = model.logits(model(tokens, positions, mask)[wanted])
                total += F.cross_entropy(logits, labels[wanted], reduction="sum").item()
                right += (logits.argmax(-1) == labels[wanted]).sum().item()
                count += int(wanted.sum())
            figures.append(f"{total / count:.3f} nats, {100 * right / count:.1f} %")
    model.load_state_dict(kept)
    return f"clean {figures[0]}; as captions {figures[1]}"


def save():
    part = options.out.with_suffix(".part")
    torch.save({"model": model.state_dict(), "average": average, "config": vars(config)}, part)
    part.rename(options.out)


print(json.dumps({"pairs": len(data.trained), "held out": len(data.held_out), "parameters": sum(p.numel() for p in model.parameters())}), flush=True)
print(validate(), flush=True)
began = shown = saved = time.monotonic()
step = tokens_seen = 0
mean_loss = None
for examples in batches():
    share = (time.monotonic() - began) / 60 / options.minutes
    if share >= 1:
        break
    factor = min(1.0, (step + 1) / 100) * (1.0 if share < options.hold else (1 - share) / (1 - options.hold))
    rate = options.rate * factor
    loss, _ = loss_of(batch_of([rows_of(e, chance.choice(WAITS), chance.choice(PHIS)) for e in examples]), 0.05)
    model.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
    for group in adam.param_groups:
        group["lr"] = rate
    adam.step()
    muon_step(rate)
    step += 1
    tokens_seen += sum(map(size, examples))
    keep = min(AVERAGE, step / (step + 10))
    with torch.no_grad():
        for name, value in model.state_dict().items():
            average[name].lerp_(value, 1 - keep)
    mean_loss = loss.item() if mean_loss is None else 0.98 * mean_loss + 0.02 * loss.item()
    now = time.monotonic()
    if now - shown > 120:
        shown = now
        print(f"{(now - began) / 60:.1f} min, step {step}, {tokens_seen / 1e6:.2f} M tokens ({tokens_seen / (now - began):.0f}/s), loss {mean_loss:.3f}, rate {rate:.2e}", flush=True)
    if now - saved > 600:
        saved = now
        save()
        print(validate(), flush=True)
save()
print(validate(), flush=True)
