#!/usr/bin/env python3
"""A tiny Whisper as pip's ctranslate2 writes it: tests/parity/weights/ct2-float16 and ct2-int8. Weights are those of tests/support/hashed_whisper.h, tag "ct2/".

Needs ctranslate2, numpy. Usage: make_ct2_whisper.py FOLDER [SEED_FILE]  (the seed is the int8 model.bin, for the fuzzer)
"""
import os
import shutil
import sys

import numpy as np
from ctranslate2.specs import whisper_spec

from hashed_numbers import hashed_whisper

MELS, CONTEXT, STATE, HEADS, TOKENS, TEXT_CONTEXT = 3, 10, 16, 2, 11, 7


def value(name, *shape):
    return hashed_whisper("ct2/" + name, *shape)


def linear(spec, name, rows, columns):
    spec.weight = value(name + ".weight", rows, columns)
    spec.bias = value(name + ".bias", rows)


def norm(spec, name):
    spec.gamma = value(name + ".weight", STATE)
    spec.beta = value(name + ".bias", STATE)


def fused(spec, names):  # the converter's fuse_linear: no bias is zeros
    spec.weight = np.concatenate([value(n + ".weight", STATE, STATE) for n in names])
    spec.bias = np.concatenate([np.zeros(STATE, np.float32) if n.endswith(".key") else value(n + ".bias", STATE) for n in names])


def block(spec, name, is_decoder):
    attention = name + ".attn"
    norm(spec.self_attention.layer_norm, attention + "_ln")
    fused(spec.self_attention.linear[0], [attention + part for part in (".query", ".key", ".value")])
    linear(spec.self_attention.linear[1], attention + ".out", STATE, STATE)
    if is_decoder:
        cross = name + ".cross_attn"
        norm(spec.attention.layer_norm, cross + "_ln")
        linear(spec.attention.linear[0], cross + ".query", STATE, STATE)
        fused(spec.attention.linear[1], [cross + ".key", cross + ".value"])
        linear(spec.attention.linear[2], cross + ".out", STATE, STATE)
    norm(spec.ffn.layer_norm, name + ".mlp_ln")
    linear(spec.ffn.linear_0, name + ".mlp.0", 4 * STATE, STATE)
    linear(spec.ffn.linear_1, name + ".mlp.2", STATE, 4 * STATE)


def write(folder, quantisation):
    spec = whisper_spec.WhisperSpec(1, HEADS, 2, HEADS)
    for name, bands in (("conv1", MELS), ("conv2", STATE)):
        conv = getattr(spec.encoder, name)
        conv.weight = value(f"encoder.{name}.weight", STATE, bands, 3)
        conv.bias = value(f"encoder.{name}.bias", STATE)
    spec.encoder.position_encodings.encodings = value("encoder.positional_embedding", CONTEXT, STATE)
    spec.decoder.position_encodings.encodings = value("decoder.positional_embedding", TEXT_CONTEXT, STATE)
    norm(spec.encoder.layer_norm, "encoder.ln_post")
    norm(spec.decoder.layer_norm, "decoder.ln")
    spec.decoder.embeddings.weight = value("decoder.token_embedding.weight", TOKENS, STATE)
    spec.decoder.projection.weight = spec.decoder.embeddings.weight.copy()
    block(spec.encoder.layer[0], "encoder.blocks.0", False)
    for i in range(2):
        block(spec.decoder.layer[i], f"decoder.blocks.{i}", True)
    spec.config.suppress_ids = [4, 5]
    spec.config.alignment_heads = [(0, 1), (1, 0)]
    spec.register_vocabulary([f"<{i}>" for i in range(TOKENS)])
    spec.validate()
    spec.optimize(quantization=quantisation)
    os.makedirs(folder, exist_ok=True)
    spec.save(folder)


for quantisation in ("float16", "int8"):
    write(os.path.join(sys.argv[1], "ct2-" + quantisation), quantisation)
if len(sys.argv) > 2:
    shutil.copy(os.path.join(sys.argv[1], "ct2-int8", "model.bin"), sys.argv[2])
