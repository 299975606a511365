#!/usr/bin/env python3
"""A folder for train.py --model to begin with: the layers of a translator into another language, its rows of the tokens that both vocabularies have, and
random rows like them for the others.

usage: begin_from.py MODEL_FOLDER TOKENIZER_JSON OUT_FOLDER
"""
import pathlib
import shutil
import sys

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

model, tokenizer, out = map(pathlib.Path, sys.argv[1:])
state = load_file(model / "model.safetensors")
old, new = Tokenizer.from_file(str(model / "tokenizer.json")), Tokenizer.from_file(str(tokenizer))
rows = state["model.embed_tokens.weight"].float()
torch.manual_seed(1)
begun = torch.randn(new.get_vocab_size(), rows.shape[1]) * rows.std(0) * 0.5 + rows.mean(0)
shared = 0
for token, number in new.get_vocab().items():
    before = old.token_to_id(token)
    if before is not None:
        begun[number] = rows[before]
        shared += 1
state["model.embed_tokens.weight"] = begun.half()
out.mkdir(parents=True, exist_ok=True)
save_file(state, out / "model.safetensors")
shutil.copy(tokenizer, out / "tokenizer.json")
print(f"{shared} of {new.get_vocab_size()} tokens have a row")
