#!/usr/bin/env python3
"""What the model in resources/models/captions-en computes of the first 15 s of its sample, for tests/core/models/tst_real_weights.cpp.

Written plainly from CarelessWhisper's equations and shared/reference/streaming-asr.md: running maximum of the log-mel, block mask, greedy decoding, all in
float64 from the float16 weights. Needs torch, numpy, safetensors, the ffmpeg program and the data folder beside the checkout.
Usage: make_box_model.py [FOLDER] OUT.json
"""
import json
import math
import os
import subprocess
import sys

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = sys.argv[1] if len(sys.argv) > 2 else f"{ROOT}/resources/models/captions-en"
torch.set_default_dtype(torch.float64)
FRAME = 640  # samples of an encoder frame: the second convolution has stride 4


def sound():
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", f"{ROOT}/resources/samples/caption-sample.flac", "-f", "s16le", "-ac", "1", "-ar", "16000", "-"],
                         capture_output=True, check=True).stdout
    return torch.from_numpy(np.frombuffer(raw, np.int16).astype(np.float64) / 32768)[:15 * 16000]


def block_ends(config, samples):
    """Ends of the blocks, and of the stretches that share a maximum (the first block is heard chunk by chunk too), in samples."""
    first, chunk = config["first_chunk_ms"] * 16, config["default_chunk_ms"] * 16
    last = -(-samples // FRAME) * FRAME
    whole = lambda x: x // FRAME * FRAME
    blocks, boundary = [], first
    while whole(boundary) < last:
        blocks.append(whole(boundary))
        boundary += chunk
    blocks.append(last)
    stretches = [whole(e) for e in range(chunk, first, chunk)] + blocks
    return blocks, stretches


def log_mel(x, stretches):
    """[frames, 80]: frame i is centred at 160 i, in the first stretch one sample earlier; the maximum runs. The last frame before a stretch's end would read beyond
    it and is needed by no encoder frame before it: it comes with the next stretch."""
    filters = torch.from_numpy(np.load(f"{ROOT}/../shared/data/tokenizers/whisper/mel_filters.npz")["mel_80"]).double()
    window = torch.hann_window(400)
    x = torch.cat([x, torch.zeros(stretches[-1] - len(x))])
    rows, maximum, begin = [], -math.inf, 0
    for k, end in enumerate(stretches):
        part = []
        for i in range(begin, end // 160 - 1):
            start = 160 * i - (201 if k == 0 else 200)
            index = torch.arange(start, start + 400).abs()  # reflection at the very start
            part.append((filters @ torch.fft.rfft(x[index] * window).abs().square()).clamp_min(1e-10).log10())
        part = torch.stack(part)
        maximum = max(maximum, float(part.max()))
        rows.append((part.clamp_min(maximum - 8) + 4) / 4)
        begin = end // 160 - 1
    return torch.cat(rows)


def main():
    config = json.load(open(f"{FOLDER}/config.json"))
    w = {k.removeprefix("model."): v.double() for k, v in load_file(f"{FOLDER}/model.safetensors").items()}
    state, heads = config["d_model"], config["encoder_attention_heads"]
    gelu = lambda x: x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))
    linear = lambda x, n: x @ w[n + ".weight"].T + (w[n + ".bias"] if n + ".bias" in w else 0)
    norm = lambda x, n: F.layer_norm(x, (state,), w[n + ".weight"], w[n + ".bias"])

    def attention(x, source, name, count, visible=None):
        q, k, v = (linear(s, f"{name}.{p}_proj").view(len(s), count, -1).transpose(0, 1) for p, s in (("q", x), ("k", source), ("v", source)))
        scores = q @ k.transpose(1, 2) / math.sqrt(state // count)
        if visible is not None:
            scores = scores.masked_fill(~visible, -math.inf)
        return linear((scores.softmax(-1) @ v).transpose(0, 1).reshape(len(x), state), name + ".out_proj")

    blocks, stretches = block_ends(config["braid_streaming"], 15 * 16000)
    mel = log_mel(sound(), stretches)
    x = gelu(F.conv1d(mel.T[None], w["encoder.conv1.weight"], w["encoder.conv1.bias"], stride=1, padding=1))
    x = gelu(F.conv1d(x, w["encoder.conv2.weight"], w["encoder.conv2.bias"], stride=config["encoder_conv2_stride"], padding=1))[0].T
    frames = len(x)
    block_of = [next(k for k, end in enumerate(blocks) if t * FRAME < end) for t in range(frames)]
    visible = torch.tensor([[block_of[j] <= block_of[i] for j in range(frames)] for i in range(frames)])
    x = x + w["encoder.embed_positions.weight"][:frames]
    for i in range(config["encoder_layers"]):
        n = f"encoder.layers.{i}"
        h = norm(x, n + ".self_attn_layer_norm")
        x = x + attention(h, h, n + ".self_attn", heads, visible)
        x = x + linear(gelu(linear(norm(x, n + ".final_layer_norm"), n + ".fc1")), n + ".fc2")
    z = norm(x, "encoder.layer_norm")

    def logits(tokens):
        x = w["decoder.embed_tokens.weight"][tokens] + w["decoder.embed_positions.weight"][:len(tokens)]
        causal = torch.ones(len(tokens), len(tokens)).tril().bool()
        for i in range(config["decoder_layers"]):
            n = f"decoder.layers.{i}"
            h = norm(x, n + ".self_attn_layer_norm")
            x = x + attention(h, h, n + ".self_attn", config["decoder_attention_heads"], causal)
            x = x + attention(norm(x, n + ".encoder_attn_layer_norm"), z, n + ".encoder_attn", config["decoder_attention_heads"])
            x = x + linear(gelu(linear(norm(x, n + ".final_layer_norm"), n + ".fc1")), n + ".fc2")
        return norm(x[-1], "decoder.layer_norm") @ w["decoder.embed_tokens.weight"].T

    end = config["eos_token_id"]
    prompt = [config["decoder_start_token_id"], json.load(open(f"{FOLDER}/generation_config.json"))["no_timestamps_token_id"]]
    tokens, first = list(prompt), logits(prompt)
    while len(tokens) < config["max_target_positions"]:
        best = int(logits(tokens)[:end + 1].argmax())
        if best == end:
            break
        tokens.append(best)
    numbers = lambda t: [[round(float(v), 5) for v in row] for row in t]
    json.dump({
        "about": "The model in resources/models/captions-en on the first 15 s of resources/samples/caption-sample.flac, block-causal at its default chunk: float16 "
                 "weights computed in float64; mel rows are frames (100 a second), 80 bands; encoder rows are 40 ms frames.",
        "mel_frames": len(mel), "mel_max": round(float(mel.max()), 5), "mel_first_5_frames": numbers(mel[:5]), "mel_frame_500": numbers(mel[500:501]),
        "encoder_frames": frames, "encoder_mean": float(z.mean()), "encoder_rms": float(z.square().mean().sqrt()),
        "encoder_rows_0_100_200_first_16": numbers(z[[0, 100, 200], :16]),
        "prompt": prompt, "first_logits_0_16": [round(float(v), 4) for v in first[:16]], "first_logits_256_272": [round(float(v), 4) for v in first[256:272]],
        "greedy_tokens": tokens[2:],
    }, open(sys.argv[-1], "w"), indent=1)


if __name__ == "__main__":
    main()
