#!/usr/bin/env python3
"""Writes the averaged weights of a checkpoint as a model folder: float16, transformers' names for Qwen3.

usage: export.py CHECKPOINT FOLDER --tokenizer FILE --source en --target fr
"""
import argparse
import json
import pathlib
import shutil

import torch
from safetensors.torch import save_file

from train_settings import PHIS

parser = argparse.ArgumentParser()
parser.add_argument("checkpoint", type=pathlib.Path)
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--tokenizer", type=pathlib.Path, required=True)
parser.add_argument("--source", default="en")
parser.add_argument("--target", default="fr")
options = parser.parse_args()

state = torch.load(options.checkpoint, weights_only=True)
sizes = state["config"]
options.folder.mkdir(parents=True, exist_ok=True)
tensors = {"model." + name: value.half().contiguous() for name, value in state["average"].items()}
save_file(tensors, options.folder / "model.safetensors", {"format": "pt"})
config = {
    "architectures": ["Qwen3ForCausalLM"],
    "attention_bias": False,
    "attention_dropout": 0.0,
    "braid_translation": {"phi": sorted(set(float(phi) for phi in PHIS)), "source": options.source, "target": options.target},
    "eos_token_id": sizes["vocabulary"] - 1,
    "head_dim": sizes["width"] // sizes["heads"],
    "hidden_act": "silu",
    "hidden_size": sizes["width"],
    "intermediate_size": sizes["inner"],
    "max_position_embeddings": 1024,
    "model_type": "qwen3",
    "num_attention_heads": sizes["heads"],
    "num_hidden_layers": sizes["layers"],
    "num_key_value_heads": sizes["heads"],
    "rms_norm_eps": 1e-06,
    "rope_theta": 10000.0,
    "tie_word_embeddings": True,
    "torch_dtype": "float16",
    "use_sliding_window": False,
    "vocab_size": sizes["vocabulary"],
}
(options.folder / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
if options.tokenizer.resolve() != (options.folder / "tokenizer.json").resolve():
    shutil.copy(options.tokenizer, options.folder / "tokenizer.json")
