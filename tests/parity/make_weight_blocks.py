#!/usr/bin/env python3
"""Blocks of numbers in few bits and what they stand for, for tests/core/weights/tst_blocks.cpp and tests/core/nn: tests/parity/weight_blocks.json.

Dequantised (and, for Q8_0, quantised) by pip's gguf, the reference in Python of ggml's project. Needs gguf, numpy. Usage: make_weight_blocks.py OUT.json
"""
import json
import sys
from importlib.metadata import version

import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf import quants

from hashed_numbers import hashed

BLOCKS = 3
# Where a block has float16 numbers: scales, least values.
HALVES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208]}

out = {"made_with": {p: version(p) for p in ("gguf", "numpy")}, "blocks": {}}
random = np.random.default_rng(7)
for name, halves in HALVES.items():
    size = {"Q4_0": 18, "Q4_1": 20, "Q5_0": 22, "Q5_1": 24, "Q8_0": 34, "Q4_K": 144, "Q5_K": 176, "Q6_K": 210}[name]
    blocks = random.integers(0, 256, (BLOCKS, size), dtype=np.uint8)
    for at in halves:
        blocks[:, at : at + 2] = (random.random(BLOCKS) * 0.1 - 0.03).astype(np.float16).view(np.uint8).reshape(BLOCKS, 2)
    blocks[0, halves[0] : halves[0] + 2] = np.array([3e-7], np.float16).view(np.uint8)  # too small for a leading one
    numbers = quants.dequantize(blocks, Type[name])
    assert np.isfinite(numbers).all()
    out["blocks"][name.lower()] = {"bytes": blocks.tobytes().hex(), "numbers": numbers.astype(np.float32).tobytes().hex()}

numbers = hashed("rounded to eight bits", 96) * np.float32(0.5)
numbers[32:64] = 0
out["quantised"] = {"q8_0": quants.quantize(numbers, Type.Q8_0).tobytes().hex()}
json.dump(out, open(sys.argv[1], "w"), indent=1)
