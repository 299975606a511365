#!/usr/bin/env python3
"""Losses and gradients of a small block-causal Whisper in PyTorch, for tests/lab/train/tst_training_network.cpp.

Everything is written plainly and window by window, without padding and without batches: what the trainer computes on padded batches must equal it.
Weights and inputs come from the hash of tests/support/hashed_numbers.h. Needs: torch, numpy. Usage: make_training_parity.py OUT.json
"""
import json
import math
import sys

import numpy as np
import torch
import torch.nn.functional as F

from hashed_numbers import hashed, hashed_whisper

torch.set_default_dtype(torch.float64)

MELS, CTX, STATE, AUDIO_HEADS, AUDIO_LAYERS, VOCAB, TEXT_CTX, TEXT_HEADS, TEXT_LAYERS, AUDIO_MLP, TEXT_MLP, WIDTH = 5, 20, 12, 3, 2, 17, 14, 2, 2, 22, 26, 7
END, PROMPT = 14, [15, 16]
WINDOWS = [7, 11]                       # encoder frames
FIRST, CHUNK = 3, 2                     # frames
ROWS = [(0, 3, [4, 9]), (0, 7, [4, 9, 2, 2]), (1, 5, []), (1, 11, [1, 13, 0])]      # window, visible frames, tokens
MIDDLES = [[1, 2], [1, 2, 5, -1], [], [3, 7, 10]]
LABELS = [[14, 4, 4, 9, 2, 2, 14], [14, -1, 1, 1, 14, 13, 13, 13, 0, 0, 14]]
WEIGHTS = dict(text=1.0, frames=0.7, attention=0.3, features=0.5)
SMOOTHING, SILENCE, BELL = 0.1, 0.4, 2.0
HEADS = [(0, 1), (1, 0)]


def names(stride):
    out = {"encoder.conv1.weight": (STATE, MELS, 3), "encoder.conv1.bias": (STATE,), "encoder.conv2.weight": (STATE, STATE, 3), "encoder.conv2.bias": (STATE,),
           "encoder.positional_embedding": (CTX, STATE)}

    def attention(name):
        for part in ("query", "key", "value", "out"):
            out[f"{name}.{part}.weight"] = (STATE, STATE)
            if part != "key":
                out[f"{name}.{part}.bias"] = (STATE,)
        norm(name + "_ln")

    def norm(name):
        out[name + ".weight"] = (STATE,)
        out[name + ".bias"] = (STATE,)

    def mlp(block, inner):
        out[block + ".mlp.0.weight"] = (inner, STATE)
        out[block + ".mlp.0.bias"] = (inner,)
        out[block + ".mlp.2.weight"] = (STATE, inner)
        out[block + ".mlp.2.bias"] = (STATE,)
        norm(block + ".mlp_ln")

    for i in range(AUDIO_LAYERS):
        attention(f"encoder.blocks.{i}.attn")
        mlp(f"encoder.blocks.{i}", AUDIO_MLP)
    norm("encoder.ln_post")
    out["decoder.token_embedding.weight"] = (VOCAB, STATE)
    out["decoder.positional_embedding"] = (TEXT_CTX, STATE)
    for i in range(TEXT_LAYERS):
        attention(f"decoder.blocks.{i}.attn")
        attention(f"decoder.blocks.{i}.cross_attn")
        mlp(f"decoder.blocks.{i}", TEXT_MLP)
    norm("decoder.ln")
    out["heads.frames.weight"], out["heads.frames.bias"] = (VOCAB, STATE), (VOCAB,)
    out["heads.features.weight"], out["heads.features.bias"] = (WIDTH, STATE), (WIDTH,)
    return out


def parameters(tag, stride):
    p = {}
    for name, shape in names(stride).items():
        p[name] = torch.tensor(hashed_whisper(tag + name, *shape), dtype=torch.float64, requires_grad=True)
    return p


def run(stride):
    tag = f"train{stride}/"
    p = parameters(tag, stride)
    linear = lambda x, n: x @ p[n + ".weight"].T + (p[n + ".bias"] if n + ".bias" in p else 0)
    norm = lambda x, n: F.layer_norm(x, (STATE,), p[n + ".weight"], p[n + ".bias"])
    gelu = lambda x: x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))

    def attention(x, source, name, heads, visible):
        """visible [Q, T] of booleans -> (mixed, log weights [heads, Q, T])"""
        q, k, v = linear(x, name + ".query"), linear(source, name + ".key"), linear(source, name + ".value")
        outs, logs = [], []
        for h in range(heads):
            w = STATE // heads
            s = (q[:, h * w:(h + 1) * w] @ k[:, h * w:(h + 1) * w].T) / math.sqrt(w)
            s = s.masked_fill(~visible, -math.inf)
            logs.append(s.log_softmax(-1))
            outs.append(logs[-1].exp() @ v[:, h * w:(h + 1) * w])
        return linear(torch.cat(outs, 1), name + ".out"), torch.stack(logs)

    mlp = lambda x, b: linear(gelu(linear(norm(x, b + ".mlp_ln"), b + ".mlp.0")), b + ".mlp.2")

    def encode(window):
        frames = WINDOWS[window]
        count = 2 * stride * frames + (2 if stride == 1 else 0)
        mel = torch.tensor(hashed(f"mel{stride}/{window}", count * MELS).reshape(count, MELS), dtype=torch.float64)
        x = gelu(F.conv1d(mel.T[None], p["encoder.conv1.weight"], p["encoder.conv1.bias"], stride=stride, padding=1))
        x = gelu(F.conv1d(x, p["encoder.conv2.weight"], p["encoder.conv2.bias"], stride=2, padding=1))[0].T[:frames]
        x = x + p["encoder.positional_embedding"].detach()[:frames]
        block = lambda t: 0 if t < FIRST else 1 + (t - FIRST) // CHUNK
        visible = torch.tensor([[block(j) <= block(i) for j in range(frames)] for i in range(frames)])
        for i in range(AUDIO_LAYERS):
            b = f"encoder.blocks.{i}"
            h = norm(x, b + ".attn_ln")
            x = x + attention(h, h, b + ".attn", AUDIO_HEADS, visible)[0]
            x = x + mlp(x, b)
        return norm(x, "encoder.ln_post")

    def decode(encoded, visible_frames, tokens):
        n = len(tokens)
        x = p["decoder.token_embedding.weight"][tokens] + p["decoder.positional_embedding"][:n]
        logs = []
        for i in range(TEXT_LAYERS):
            b = f"decoder.blocks.{i}"
            h = norm(x, b + ".attn_ln")
            x = x + attention(h, h, b + ".attn", TEXT_HEADS, torch.ones(n, n).tril().bool())[0]
            a, w = attention(norm(x, b + ".cross_attn_ln"), encoded[:visible_frames], b + ".cross_attn", TEXT_HEADS, torch.ones(n, visible_frames).bool())
            x = x + a
            logs.append(w)
            x = x + mlp(x, b)
        return norm(x, "decoder.ln") @ p["decoder.token_embedding.weight"].T, logs

    encoded = [encode(w) for w in range(len(WINDOWS))]
    text, attended = [], [[] for _ in HEADS]
    for (window, visible, tokens), middles in zip(ROWS, MIDDLES):
        logits, logs = decode(encoded[window], visible, PROMPT + tokens)
        targets = tokens + [END]
        logp = logits[len(PROMPT) - 1:].log_softmax(-1)
        for j, t in enumerate(targets):
            text.append(-(1 - SMOOTHING) * logp[j, t] - SMOOTHING * logp[j].mean())
        for j, m in enumerate(middles):
            if 0 <= m < visible:
                bell = torch.softmax(-0.5 * ((torch.arange(visible) - m) / BELL) ** 2, -1)
                for k, (layer, head) in enumerate(HEADS):
                    attended[k].append(-(bell * logs[layer][head, len(PROMPT) - 1 + j]).sum())
    all_logits, all_labels = [], []
    for w in range(len(WINDOWS)):
        logits = linear(encoded[w], "heads.frames")
        for t, label in enumerate(LABELS[w]):
            if label >= 0:
                all_logits.append(logits[t])
                all_labels.append(label)
    class_weight = torch.ones(VOCAB)
    class_weight[END] = SILENCE
    frames = F.cross_entropy(torch.stack(all_logits), torch.tensor(all_labels), weight=class_weight, label_smoothing=SMOOTHING)
    errors = []
    for w, n in enumerate(WINDOWS):
        goal = torch.tensor(hashed(f"goal{w}", n * WIDTH).reshape(n, WIDTH), dtype=torch.float64)
        error = (linear(encoded[w], "heads.features") - goal).square().mean(-1)
        errors += [error[t] for t in range(n) if t % 3 != 1]
    parts = dict(text=torch.stack(text).mean(), frames=frames, attention=sum(torch.stack(a).mean() for a in attended) / len(HEADS), features=torch.stack(errors).mean())
    total = sum(WEIGHTS[k] * v for k, v in parts.items())
    total.backward()
    gradients = {}
    for name, value in sorted(p.items()):
        if value.grad is None:
            continue
        g = value.grad.flatten()
        probe = torch.tensor(hashed("probe/" + name, len(g)), dtype=torch.float64)
        gradients[name] = [float(g.norm()), float(g @ probe)]
    return dict(parts={k: float(v.detach()) for k, v in parts.items()}, total=float(total.detach()), gradients=gradients)


if __name__ == "__main__":
    out = dict(about=f"PyTorch {torch.__version__}, float64; a gradient is given by its norm and its product with hashed numbers", stride1=run(1), stride2=run(2))
    json.dump(out, open(sys.argv[1], "w"), indent=1)
