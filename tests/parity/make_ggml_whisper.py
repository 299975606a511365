#!/usr/bin/env python3
"""A tiny Whisper as whisper.cpp's converter and quantiser write it: tests/parity/weights/ggml-q5_0.bin. Weights are those of tests/support/hashed_whisper.h, tag "ggml/".

Blocks by pip's gguf. Needs gguf, numpy. Usage: make_ggml_whisper.py OUT.bin TYPE  (Q4_0, Q4_1, Q5_0, Q5_1, Q8_0)
"""
import struct
import sys

import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf import quants

from hashed_numbers import hashed_whisper

MELS, CONTEXT, STATE, HEADS, TOKENS, TEXT_CONTEXT = 2, 3, 32, 2, 5, 4
kind = Type[sys.argv[2]]
FILE_TYPES = {"Q4_0": 2, "Q4_1": 3, "Q8_0": 7, "Q5_0": 8, "Q5_1": 9}
out = open(sys.argv[1], "wb")


def words(*values):
    out.write(struct.pack(f"<{len(values)}i", *values))


def value(name, *shape):
    return hashed_whisper("ggml/" + name, *shape)


def tensor(name, *shape):
    data = value(name, *shape)
    own = Type.F32
    if len(shape) == 3:
        own, data = Type.F16, data.astype(np.float16)
    elif len(shape) == 2 and "positional" not in name:
        own, data = kind, quants.quantize(data, kind)
    if name.startswith("encoder.conv") and name.endswith(".bias"):
        shape = (*shape, 1)
    words(len(shape), len(name), int(own), *reversed(shape))
    out.write(name.encode() + data.tobytes())


def linear(name, rows, columns, bias=True):
    tensor(name + ".weight", rows, columns)
    if bias:
        tensor(name + ".bias", rows)


def norm(name):
    tensor(name + ".weight", STATE)
    tensor(name + ".bias", STATE)


def attention(name):
    for part in ("query", "key", "value", "out"):
        linear(f"{name}.{part}", STATE, STATE, part != "key")
    norm(name + "_ln")


def mlp(block):
    linear(block + ".mlp.0", 4 * STATE, STATE)
    linear(block + ".mlp.2", STATE, 4 * STATE)
    norm(block + ".mlp_ln")


words(0x67676D6C, TOKENS, CONTEXT, STATE, HEADS, 1, TEXT_CONTEXT, STATE, HEADS, 1, MELS, 2000 + FILE_TYPES[sys.argv[2]])
words(MELS, 201)
out.write(np.zeros(MELS * 201, np.float32).tobytes())
words(2)
for piece in (b"a", b" b"):
    words(len(piece))
    out.write(piece)
for name, bands in (("encoder.conv1", MELS), ("encoder.conv2", STATE)):
    tensor(name + ".weight", STATE, bands, 3)
    tensor(name + ".bias", STATE)
tensor("encoder.positional_embedding", CONTEXT, STATE)
attention("encoder.blocks.0.attn")
mlp("encoder.blocks.0")
norm("encoder.ln_post")
tensor("decoder.token_embedding.weight", TOKENS, STATE)
tensor("decoder.positional_embedding", TEXT_CONTEXT, STATE)
attention("decoder.blocks.0.attn")
attention("decoder.blocks.0.cross_attn")
mlp("decoder.blocks.0")
norm("decoder.ln")
