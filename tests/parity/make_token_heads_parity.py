#!/usr/bin/env python3
"""Numbers of PyTorch for the further heads of a language model (tests/core/models/tst_token_heads.cpp) and for learning them
(tests/lab/train/tst_token_heads_training.cpp).

The trunk is transformers' Qwen3 and Gemma 2 (whose logits are soft-capped); the heads are written out here after "Faster Speech-LLaMA with
multi-token prediction", section III, and their loss after equation 11: each head's own product, one after the other.
Weights come from an integer hash that tests/support/hashed_lm.h repeats. Every dimension is another.
Needs: torch, numpy, transformers, peft (for make_decoder_lm_parity). Usage: make_token_heads_parity.py OUT.json
"""
import json
import sys

import numpy as np
import torch
import transformers
from transformers import AutoModelForCausalLM, Gemma2Config, Qwen3Config

from make_decoder_lm_parity import value

QWEN3 = {
    "vocab_size": 37, "hidden_size": 14, "intermediate_size": 22, "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 6,
    "max_position_embeddings": 64, "rms_norm_eps": 1e-6, "rope_theta": 100.0, "tie_word_embeddings": True, "attention_bias": False, "eos_token_id": 2, "use_sliding_window": False,
}
GEMMA2 = {
    "vocab_size": 41, "hidden_size": 18, "intermediate_size": 19, "num_hidden_layers": 2, "num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": 8,
    "max_position_embeddings": 64, "rms_norm_eps": 1e-6, "rope_theta": 100.0, "tie_word_embeddings": True, "attention_bias": False, "eos_token_id": 2,
    "sliding_window": 64, "query_pre_attn_scalar": 11, "attn_logit_softcapping": 3.0, "final_logit_softcapping": 2.0, "hidden_activation": "gelu_pytorch_tanh",
}
TOKENS = [7, 31, 3, 19, 19, 30, 0, 28, 13]


def trunk(tag, config, kind):
    made = (Qwen3Config if kind == "qwen3" else Gemma2Config)(**config)
    made._attn_implementation = "eager"
    model = AutoModelForCausalLM.from_config(made, dtype=torch.float64, attn_implementation="eager").eval()
    offset = np.float32(0 if kind == "gemma2" else 1)
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            if name != "lm_head.weight":
                tensor.copy_(value(tag, name, tuple(tensor.shape), offset))
    return model


def heads_of(tag, kind, count, width, vocabulary):
    shape = (width, width) if kind == "latent" else (vocabulary, width)
    return {h: value(tag, f"model.token_heads.{h}.weight", shape, np.float32(1)).double().requires_grad_(True) for h in range(2, count + 1)}


def head_logits(model, hidden, kind, head):
    projection = model.get_output_embeddings().weight
    logits = (hidden @ head.T) @ projection.T if kind == "latent" else hidden @ head.T
    cap = getattr(model.config, "final_logit_softcapping", None)
    return torch.tanh(logits / cap) * cap if cap else logits


def parity(name, config, family, kind, count):
    tag = f"token heads/{name}/"
    model = trunk(tag, config, family)
    heads = heads_of(tag, kind, count, config["hidden_size"], config["vocab_size"])
    with torch.no_grad():
        hidden = model.model(input_ids=torch.tensor([TOKENS]), use_cache=False).last_hidden_state[0]
        own = model(input_ids=torch.tensor([TOKENS]), use_cache=False).logits[0]
        logits = {1: own} | {h: head_logits(model, hidden, kind, weight) for h, weight in heads.items()}
    rows = [0, 4, 8]
    return {"config": {"model_type": family, **config, "braid_token_heads": {"kind": kind, "count": count}}, "tag": tag, "tokens": TOKENS, "rows": rows,
            "logits": {str(h): [[round(float(v), 7) for v in row] for row in values[rows]] for h, values in logits.items()}}


def learning(kind, count, shares, smoothing):
    """Equation 11 on one text: head h of row u predicts token u + h."""
    tag = f"token heads/learning {kind}/"
    model = trunk(tag, QWEN3, "qwen3")
    heads = heads_of(tag, kind, count, QWEN3["hidden_size"], QWEN3["vocab_size"])
    hidden = model.model(input_ids=torch.tensor([TOKENS[:-1]]), use_cache=False).last_hidden_state[0]
    predicted = len(TOKENS) - 1
    total = 0
    plain = []
    for h in range(1, count + 1):
        logits = hidden @ model.get_output_embeddings().weight.T if h == 1 else head_logits(model, hidden, kind, heads[h])
        last = predicted - (h - 1)  # rows that have a token so far on
        labels = torch.tensor(TOKENS[h:])
        of_head = torch.nn.functional.cross_entropy(logits[:last], labels, reduction="sum", label_smoothing=smoothing) / predicted
        plain.append(float(torch.nn.functional.cross_entropy(logits[:last], labels, reduction="sum") / predicted))
        total = total + shares[h - 1] * of_head
    total.backward()
    named = {n.removeprefix("model."): t.grad for n, t in model.named_parameters() if n != "lm_head.weight"}
    named |= {f"token_heads.{h}.weight": weight.grad for h, weight in heads.items()}
    gradients = {n: {"norm": float(g.norm()), "first": [float(v) for v in g.reshape(-1)[:6]]} for n, g in named.items()}
    return {"config": {"model_type": "qwen3", **QWEN3, "braid_token_heads": {"kind": kind, "count": count}}, "tag": tag, "tokens": TOKENS, "shares": shares, "smoothing": smoothing,
            "total": float(total), "of_heads": plain, "gradients": gradients}


def main():
    out = {"torch": torch.__version__, "transformers": transformers.__version__,
           "models": {name: parity(name, config, family, kind, count) for name, config, family, kind, count in [
               ("latent", QWEN3, "qwen3", "latent", 4), ("independent", QWEN3, "qwen3", "independent", 3),
               ("latent, soft-capped", GEMMA2, "gemma2", "latent", 2), ("independent, soft-capped", GEMMA2, "gemma2", "independent", 6)]},
           "learning": [learning("latent", 4, [1.0, 0.2, 0.2, 0.2], 0.0), learning("independent", 3, [1.0, 0.5, 0.25], 0.1)]}
    with open(sys.argv[1], "w") as file:
        json.dump(out, file)


if __name__ == "__main__":
    main()
