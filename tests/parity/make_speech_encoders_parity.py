#!/usr/bin/env python3
"""Numbers of speech encoders on small random weights, for tests/core/models/tst_speech_encoders_parity.cpp.

wav2vec 2: transformers' own modules; where attention is block-causal the mask is given to its layers, and the causal positional convolution is
its convolution with all padding before. The VGG-conformer: modules of PyTorch put together here, its relative attention by loops over the definition.
Weights come from an integer hash that tests/support/hashed_numbers.h repeats.
Needs: torch, numpy, transformers (their versions are written into the file). Usage: make_speech_encoders_parity.py OUT.json
"""
import json
import math
import sys

import numpy as np
import torch
import transformers
from torch import nn
from torch.nn import functional as F
from transformers import Wav2Vec2Config, Wav2Vec2FeatureExtractor, Wav2Vec2Model

from hashed_numbers import hashed


def value(tag, name, shape):
    """tests/support/hashed_speech_encoder.h does the same."""
    u = torch.from_numpy(hashed(tag + name, int(np.prod(shape)))).reshape(shape)
    if name.endswith(("norm.weight", "original0", "variance")) or (".norms." in name and name.endswith(".weight")):
        return 1 + u * np.float32(0.25)
    if name.endswith((".bias", "_bias", "mean")):
        return u * np.float32(0.125)
    return u * np.float32(0.5)


def numbers(x, digits=6):
    return [round(float(v), digits) for v in x.detach().reshape(-1).tolist()]


def blocks_of(frames, chunking, frame_samples):
    """For each frame its block's first frame and the frame after its last."""
    first, chunk = chunking
    spans = []
    begin, end, block = 0, 0, 0
    for frame in range(frames):
        while frame >= end:
            begin, end, block = end, (first + block * chunk) // frame_samples, block + 1
        spans.append((begin, min(end, frames)))
    return spans


def sees(frames, spans, left):
    """[frames, frames]: who sees whom."""
    table = torch.zeros(frames, frames, dtype=torch.bool)
    for frame, (begin, end) in enumerate(spans):
        table[frame, 0 if left is None else max(0, begin - left):end] = True
    return table


def sound(samples):
    loudness = hashed("loudness", samples // 5000 + 1)
    return hashed("sound", samples) * np.abs(loudness[np.arange(samples) // 5000]) * np.float32(0.5)


# ---- wav2vec 2

@torch.no_grad()
def wav2vec2(tag, config, samples, chunking=None, left=None):
    config._attn_implementation = "eager"
    model = Wav2Vec2Model(config).eval()
    shapes = {}
    for name, tensor in model.state_dict().items():
        if name != "masked_spec_embed":
            tensor.copy_(value(tag, name, tuple(tensor.shape)))
            shapes[name] = list(tensor.shape)
    x = torch.from_numpy(sound(samples)).unsqueeze(0)
    case = {
        "config": json.loads(config.to_json_string(use_diff=False)),
        "shapes": shapes,
        "samples": samples,
        "all": numbers(model(x).last_hidden_state[0]),
    }
    level = Wav2Vec2FeatureExtractor(do_normalize=True)(sound(samples), sampling_rate=16000, return_tensors="pt").input_values
    case["all_normalised"] = numbers(model(level).last_hidden_state[0])
    if chunking is None:
        return case

    features, _ = model.feature_projection(model.feature_extractor(x).transpose(1, 2))
    conv = model.encoder.pos_conv_embed.conv
    kernel = conv.kernel_size[0]
    padded = F.pad(features.transpose(1, 2), (kernel - 1, 0))
    positions = F.gelu(F.conv1d(padded, conv.weight, conv.bias, groups=conv.groups)).transpose(1, 2)

    def through(mask):
        h = features + positions
        if not config.do_stable_layer_norm:
            h = model.encoder.layer_norm(h)
        for layer in model.encoder.layers:
            out = layer(h, attention_mask=mask)
            h = out[0] if isinstance(out, tuple) else out
        return model.encoder.layer_norm(h) if config.do_stable_layer_norm else h

    frames = features.shape[1]
    hop = int(np.prod(config.conv_stride))
    table = sees(frames, blocks_of(frames, chunking, hop), left)
    closed = torch.zeros(1, 1, frames, frames).masked_fill(~table, torch.finfo(torch.float32).min)
    case |= {"chunking": chunking, "left": left, "causal_all": numbers(through(None)[0]), "blocks": numbers(through(closed)[0])}
    return case


# ---- VGG-conformer

class Conformer:
    def __init__(self, tag, config):
        self.tag, self.config, self.shapes = tag, config, {}

    def get(self, name, *shape):
        self.shapes[name] = list(shape)
        return value(self.tag, name, shape)

    def linear(self, name, x, out):
        return F.linear(x, self.get(name + ".weight", out, x.shape[-1]), self.get(name + ".bias", out))

    def norm(self, name, x):
        width = x.shape[-1]
        return F.layer_norm(x, (width,), self.get(name + ".weight", width), self.get(name + ".bias", width))

    def front(self, mel):
        x = mel.unsqueeze(0)  # [channels, time, bands]
        for b, block in enumerate(self.config["front"]):
            for i in range(block["convolutions"]):
                k, name = block["kernel"], f"front.blocks.{b}.convolutions.{i}"
                conv = nn.Conv2d(x.shape[0], block["channels"], k, padding=(0, k // 2))
                conv.weight.copy_(self.get(name + ".weight", *conv.weight.shape))
                conv.bias.copy_(self.get(name + ".bias", block["channels"]))
                x = conv(F.pad(x, (0, 0, k - 1, 0)).unsqueeze(0))[0]
                if block.get("layer_norm"):
                    x = self.norm(f"front.blocks.{b}.norms.{i}", x)
                x = x.relu()
            x = nn.MaxPool2d((block["pool_time"], block["pool_bands"]), ceil_mode=True)(x)
        return self.linear("front.projection", torch.cat(list(x), dim=1), self.config["width"])  # channel after channel

    def feed_forward(self, name, x):
        return self.linear(name + ".out", F.silu(self.linear(name + ".in", self.norm(name + ".norm", x), self.config["mlp_width"])), self.config["width"])

    def attention(self, name, x, table):
        width, heads = self.config["width"], self.config["heads"]
        d, length = width // heads, x.shape[0]
        x = self.norm(name + ".norm", x)
        q, k, v = (self.linear(f"{name}.{part}", x, width).reshape(length, heads, d) for part in ("query", "key", "value"))
        turn = self.get(name + ".distance.weight", width, width)
        u, w = self.get(name + ".content_bias", heads, d), self.get(name + ".distance_bias", heads, d)

        def place(distance):
            rates = [10000 ** (-2 * i / width) for i in range(width // 2)]
            waves = torch.tensor([math.sin(distance * r) for r in rates] + [math.cos(distance * r) for r in rates])
            return (turn @ waves).reshape(heads, d)

        places = {distance: place(distance) for distance in range(-length, length + 1)}
        out = torch.zeros(length, heads, d)
        for i in range(length):
            seen = [j for j in range(length) if table[i, j]]
            for h in range(heads):
                scores = torch.stack([(q[i, h] + u[h]) @ k[j, h] + (q[i, h] + w[h]) @ places[i - j][h] for j in seen]) / math.sqrt(d)
                out[i, h] = scores.softmax(0) @ v[seen, h]
        return self.linear(name + ".out", out.reshape(length, width), width)

    def convolution(self, name, x):
        width, k = self.config["width"], self.config["kernel"]
        x = self.norm(name + ".norm", x)
        gate = self.linear(name + ".in", x, 2 * width)
        x = gate[:, :width] * gate[:, width:].sigmoid()
        conv = nn.Conv1d(width, width, k, groups=width)
        conv.weight.copy_(self.get(name + ".depthwise.weight", width, 1, k))
        conv.bias.copy_(self.get(name + ".depthwise.bias", width))
        x = conv(F.pad(x.t(), (k - 1, 0)).unsqueeze(0))[0].t()
        if self.config["convolution_norm"] == "batch":
            batch = nn.BatchNorm1d(width).eval()
            batch.weight.copy_(self.get(name + ".depthwise_norm.weight", width))
            batch.bias.copy_(self.get(name + ".depthwise_norm.bias", width))
            batch.running_mean.copy_(self.get(name + ".depthwise_norm.mean", width))
            batch.running_var.copy_(self.get(name + ".depthwise_norm.variance", width))
            x = batch(x)
        else:
            x = self.norm(name + ".depthwise_norm", x)
        return self.linear(name + ".out", F.silu(x), width)

    def __call__(self, mel, table):
        x = self.front(mel)
        for layer in range(self.config["layers"]):
            name = f"blocks.{layer}"
            x = x + 0.5 * self.feed_forward(name + ".feed_forward_1", x)
            x = x + self.attention(name + ".attention", x, table)
            x = x + self.convolution(name + ".convolution", x)
            x = x + 0.5 * self.feed_forward(name + ".feed_forward_2", x)
            x = self.norm(name + ".norm", x)
        return x

    def adapter(self, x):
        stack = self.config["braid_adapter"]["stack"]
        missing = -x.shape[0] % stack
        x = F.pad(x, (0, 0, 0, missing)).reshape(-1, stack * x.shape[1])
        for layer, width in enumerate(self.config["braid_adapter"]["widths"]):
            x = self.linear(f"adapter.{layer}", F.gelu(x) if layer else x, width)
        return x


@torch.no_grad()
def conformer(tag, config, frames, chunking, left):
    model = Conformer(tag, config)
    per_frame = int(np.prod([block["pool_time"] for block in config["front"]]))
    mel = torch.from_numpy(hashed(tag + "mel", frames * per_frame * config["mel_bands"])).reshape(frames * per_frame, config["mel_bands"])
    everyone = model(mel, torch.ones(frames, frames, dtype=torch.bool))
    blocks = model(mel, sees(frames, blocks_of(frames, chunking, 160 * per_frame), left))
    return {"config": config, "frames": frames, "chunking": chunking, "left": left, "all": numbers(everyone), "blocks": numbers(blocks),
            "adapted": numbers(model.adapter(blocks)), "shapes": model.shapes}


def main():
    common = dict(vocab_size=9, hidden_size=12, num_hidden_layers=2, num_attention_heads=3, intermediate_size=20, num_conv_pos_embedding_groups=4,
                  conv_dim=(5, 6, 7), conv_kernel=(10, 3, 2), conv_stride=(5, 2, 2), num_feat_extract_layers=3, apply_spec_augment=False,
                  hidden_dropout=0.0, attention_dropout=0.0, activation_dropout=0.0, feat_proj_dropout=0.0, layerdrop=0.0)
    base = Wav2Vec2Config(feat_extract_norm="group", do_stable_layer_norm=False, conv_bias=False, num_conv_pos_embeddings=6, **common)
    large = Wav2Vec2Config(feat_extract_norm="layer", do_stable_layer_norm=True, conv_bias=True, num_conv_pos_embeddings=6, **common)
    after = Wav2Vec2Config(feat_extract_norm="layer", do_stable_layer_norm=False, conv_bias=False, num_conv_pos_embeddings=5, layer_norm_eps=1e-4, **common)
    front = [{"channels": 3, "convolutions": 2, "kernel": 3, "pool_time": 3, "pool_bands": 2, "layer_norm": True},
             {"channels": 4, "convolutions": 1, "kernel": 5, "pool_time": 2, "pool_bands": 2}]
    batch = {"model_type": "braid-conformer", "mel_bands": 11, "front": front, "width": 12, "layers": 2, "heads": 3, "mlp_width": 10, "kernel": 4,
             "convolution_norm": "batch", "braid_adapter": {"stack": 3, "widths": [13]}}
    layer = batch | {"front": [{"channels": 2, "convolutions": 2, "kernel": 3, "pool_time": 4, "pool_bands": 3}], "width": 10, "heads": 5, "kernel": 5,
                     "convolution_norm": "layer", "braid_adapter": {"stack": 2, "widths": [9, 7]}}
    out = {
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
        "wav2vec2": {"base": wav2vec2("base/", base, 613), "large": wav2vec2("large/", large, 613, [150, 105], None),
                     "after": wav2vec2("after/", after, 540, [65, 130], 4)},
        "conformer": {"batch": conformer("batch/", batch, 13, [3000, 2500], None), "layer": conformer("layer/", layer, 11, [1300, 2000], 2)},
    }
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(out, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
