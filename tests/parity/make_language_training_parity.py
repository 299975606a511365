#!/usr/bin/env python3
"""Losses and gradients of PyTorch for a small language model that learns streaming translation, for tests/lab/train/tst_language_rows.cpp.

The model is transformers' Qwen3; which source words a target row sees is written out here from the rule of a wait-k run, not from a mask:
a target token predicts the next one having seen the prompt and as many source units as have been read by then. Float64 throughout.
Needs: torch, numpy, transformers (their versions are written into the file). Usage: make_language_training_parity.py OUT.json
"""
import json
import sys

import numpy as np
import torch
import transformers
from transformers import AutoModelForCausalLM, Qwen3Config

from make_decoder_lm_parity import value

CONFIG = {
    "vocab_size": 40, "hidden_size": 12, "intermediate_size": 20, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 6,
    "max_position_embeddings": 64, "rms_norm_eps": 1e-6, "rope_theta": 100.0, "tie_word_embeddings": True, "attention_bias": False, "eos_token_id": 2, "use_sliding_window": False,
}
# Prompt, units, end; header, words, end. The prompt and the header hold a sentence from before.
SOURCE = [[1, 17, 18, 2], [5, 6], [7], [8, 9, 10], [2]]
TARGET = [[3, 21, 2], [11], [12, 13], [14], [2]]
TAG = "language training/"


def example(k):
    """Tokens, words seen by every target row, labels."""
    source = [token for segment in SOURCE for token in segment]
    target = [token for segment in TARGET for token in segment]
    seen = []
    for word, segment in enumerate(TARGET):
        for place in range(len(segment)):
            last = place + 1 == len(segment)
            units = k + word if last else (k + word - 1 if word > 0 else 0)  # the header but its last token is fed before anything is read
            seen.append(sum(len(s) for s in SOURCE[: 1 + min(units, len(SOURCE) - 1)]))
    return source, target, seen


def case(k, phi, smoothing):
    config = Qwen3Config(**CONFIG)
    config._attn_implementation = "eager"
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float64, attn_implementation="eager").eval()
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            if name != "lm_head.weight":
                tensor.copy_(value(TAG, name, tuple(tensor.shape), np.float32(1)))
    source, target, seen = example(k)
    count = len(source) + len(target)
    mask = torch.full((count, count), -torch.inf, dtype=torch.float64)
    for row in range(count):
        for column in range(count):
            if row < len(source):
                allowed = column <= row
            elif column < len(source):
                allowed = column < seen[row - len(source)]
            else:
                allowed = column <= row
            if allowed:
                mask[row, column] = 0
    positions = torch.tensor([[float(i) for i in range(len(source))] + [phi + i for i in range(len(target))]])
    logits = model(input_ids=torch.tensor([source + target]), attention_mask=mask[None, None], position_ids=positions, use_cache=False).logits[0]
    rows = logits[len(source) : count - 1]
    labels = torch.tensor(target[1:])
    loss = torch.nn.functional.cross_entropy(rows, labels)
    torch.nn.functional.cross_entropy(rows, labels, label_smoothing=smoothing).backward()
    gradients = {}
    for name, tensor in model.named_parameters():
        if name != "lm_head.weight":
            flat = tensor.grad.reshape(-1)
            gradients[name.removeprefix("model.")] = {"norm": float(flat.norm()), "first": [float(v) for v in flat[:6]]}
    return {"k": k, "phi": phi, "smoothing": smoothing, "loss": float(loss), "gradients": gradients}


def main():
    out = {"torch": torch.__version__, "transformers": transformers.__version__, "config": {"model_type": "qwen3", **CONFIG}, "tag": TAG, "source": SOURCE, "target": TARGET,
           "cases": [case(1, 0.0, 0.0), case(2, 0.5, 0.1), case(9, 3.0, 0.0)]}
    with open(sys.argv[1], "w") as file:
        json.dump(out, file)


if __name__ == "__main__":
    main()
