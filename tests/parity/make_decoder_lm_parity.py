#!/usr/bin/env python3
"""Numbers of transformers (and PEFT) on small random decoder-only models, for tests/core/models/tst_decoder_lm_parity.cpp.

Weights come from an integer hash that tests/support/hashed_numbers.h repeats; configurations are written as transformers writes them.
Needs: torch, numpy, transformers, peft (their versions are written into the file). Usage: make_decoder_lm_parity.py OUT.json
"""
import copy
import json
import sys

import numpy as np
import peft
import torch
import transformers
from peft import LoraConfig, get_peft_model
from peft.utils import get_peft_model_state_dict
from transformers import AutoModelForCausalLM, Gemma2Config, LlamaConfig, Phi3Config, Qwen2Config, Qwen3Config

from hashed_numbers import hashed


def value(tag, name, shape, norm_offset):
    """tests/support/hashed_lm.h does the same."""
    u = torch.from_numpy(hashed(tag + name, int(np.prod(shape)))).reshape(shape)
    if name.endswith("norm.weight"):
        return norm_offset + u * np.float32(0.25)
    if name.endswith(".bias"):
        return u * np.float32(0.125)
    if "embed" in name:
        return u * np.float32(1.5)
    return u * np.float32(0.5)


def numbers(x, digits=5):
    return [round(float(v), digits) for v in x.detach().reshape(-1).tolist()]


@torch.no_grad()
def build(tag, config):
    config._attn_implementation = "eager"
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32, attn_implementation="eager").eval()
    offset = np.float32(0 if config.model_type == "gemma2" else 1)
    shapes = {}
    for name, tensor in model.state_dict().items():
        if config.tie_word_embeddings and name == "lm_head.weight":
            continue
        tensor.copy_(value(tag, name, tuple(tensor.shape), offset))
        shapes[name] = list(tensor.shape)
    return model, shapes


TOKENS = [7, 41, 3, 19, 19, 50, 0, 28, 13, 44, 5, 36]


def logits_of(model, tokens, **more):
    return model(input_ids=torch.tensor([tokens]), use_cache=False, **more).logits[0]


@torch.no_grad()
def greedy(model, tokens, count):
    tokens = list(tokens)
    for _ in range(count):
        tokens.append(int(logits_of(model, tokens)[-1].argmax()))
    return tokens[-count:]


@torch.no_grad()
def case(tag, config):
    model, shapes = build(tag, config)
    logits = logits_of(model, TOKENS)
    # Group positions: five of the source, then the target from 0.5 (fractions are legal: rotary positions are real numbers).
    positions = [0, 1, 2, 3, 4, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5]
    # Without a window here: transformers' counts tokens, ours positions, and only where both are the same they agree.
    wide = copy.deepcopy(config)
    if getattr(wide, "sliding_window", None):
        wide.sliding_window = 64
    # With its mask said: left to itself transformers takes positions that begin again for another sequence.
    mask = torch.full((1, 1, len(TOKENS), len(TOKENS)), torch.finfo(torch.float32).min).triu(1)
    apart = logits_of(build(tag, wide)[0], TOKENS, position_ids=torch.tensor([positions]), attention_mask=mask)
    return {
        "config": json.loads(config.to_json_string(use_diff=False)),
        "shapes": shapes,
        "tokens": TOKENS,
        "rows": [0, 5, 11],
        "logits": numbers(logits[[0, 5, 11]]),
        "positions": positions,
        "logits_at_positions": numbers(apart[[5, 11]]),
        "greedy": greedy(model, TOKENS[:4], 20),
    }


@torch.no_grad()
def adapter_case(tag, config, lora):
    model, shapes = build(tag, config)
    wrapped = get_peft_model(model, lora)
    state = get_peft_model_state_dict(wrapped)
    names = {}
    for name, tensor in state.items():
        fresh = value(tag + "adapter/", name, tuple(tensor.shape), np.float32(1))
        names[name] = list(tensor.shape)
        state[name] = fresh
    peft.set_peft_model_state_dict(wrapped, state)
    wrapped.eval()
    settings = {key: (sorted(v) if isinstance(v, set) else v) for key, v in wrapped.peft_config["default"].to_dict().items()}
    settings["peft_type"], settings["task_type"] = "LORA", "CAUSAL_LM"
    with_adapter = logits_of(wrapped, TOKENS)
    return {
        "config": json.loads(config.to_json_string(use_diff=False)),
        "shapes": shapes,
        "adapter_config": settings,
        "adapter_shapes": names,
        "tokens": TOKENS,
        "logits": numbers(with_adapter[[0, 11]]),
        "rows": [0, 11],
    }


@torch.no_grad()
def streams_case(tag, config, streams):
    """Parallel streams, both published forms (streaming-llm.md 2.1, 2.2), by loops over the facts."""
    model, shapes = build(tag, config)
    table = value(tag, "model.channel_embedding.weight", (streams, config.hidden_size), np.float32(1))
    tokens = [7, 41, 3, 19, 20, 50, 0, 28, 13, 44, 5, 36, 9, 9, 2]

    def run(positions, stream_of, visible):
        n = len(tokens)
        mask = torch.full((1, 1, n, n), torch.finfo(torch.float32).min)
        for q in range(n):
            for k in range(n):
                if visible(q, k):
                    mask[0, 0, q, k] = 0
        embedded = model.get_input_embeddings()(torch.tensor([tokens])) + table[torch.tensor(stream_of)]
        return model(inputs_embeds=embedded, attention_mask=mask, position_ids=torch.tensor([positions]), use_cache=False).logits[0]

    row = [i // streams for i in range(len(tokens))]
    by_row = run(row, [i % streams for i in range(len(tokens))], lambda q, k: row[k] < row[q] or k == q)
    # A system block of four; then user and assistant from position 4, independently; here as blocks one after the other.
    stream_of = [0] * 4 + [1] * 6 + [2] * 5
    y = [0, 1, 2, 3] + [4 + i for i in range(6)] + [4 + i for i in range(5)]

    def blocks(q, k):
        return k <= q if stream_of[q] == stream_of[k] else y[k] < y[q]

    by_block = run(y, stream_of, blocks)
    return {
        "config": json.loads(config.to_json_string(use_diff=False)) | {"num_channels": streams, "channel_embedding_method": "additive"},
        "shapes": shapes | {"model.channel_embedding.weight": [streams, config.hidden_size]},
        "tokens": tokens,
        "rows": [4, 8, 14],
        "by_row": numbers(by_row[[4, 8, 14]]),
        "by_block": numbers(by_block[[4, 8, 14]]),
    }


def main():
    common = dict(num_hidden_layers=3, max_position_embeddings=64, pad_token_id=None)
    llama3 = LlamaConfig(vocab_size=53, hidden_size=20, intermediate_size=28, num_attention_heads=4, num_key_value_heads=2, head_dim=6, rms_norm_eps=1e-5,
                         rope_theta=500.0, rope_scaling={"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 16},
                         bos_token_id=1, eos_token_id=[2, 3], **common)
    biased = LlamaConfig(vocab_size=57, hidden_size=18, intermediate_size=26, num_attention_heads=3, num_key_value_heads=3, head_dim=8, attention_bias=True, mlp_bias=True,
                         rope_theta=1000.0, rope_scaling={"rope_type": "linear", "factor": 2.5}, **common)
    qwen2 = Qwen2Config(vocab_size=59, hidden_size=24, intermediate_size=34, num_attention_heads=3, num_key_value_heads=1, tie_word_embeddings=True, rope_theta=2000.0,
                        use_sliding_window=True, sliding_window=5, max_window_layers=1, **common)
    qwen3 = Qwen3Config(vocab_size=61, hidden_size=18, intermediate_size=30, num_attention_heads=4, num_key_value_heads=2, head_dim=10, tie_word_embeddings=True, rope_theta=3000.0, **common)
    gemma2 = Gemma2Config(vocab_size=63, hidden_size=28, intermediate_size=38, num_attention_heads=4, num_key_value_heads=2, head_dim=10, query_pre_attn_scalar=11, sliding_window=5,
                          attn_logit_softcapping=2.0, final_logit_softcapping=3.0, rope_theta=100.0, **common)
    phi3 = Phi3Config(vocab_size=67, hidden_size=24, intermediate_size=32, num_attention_heads=4, num_key_value_heads=2, sliding_window=6, eos_token_id=5, bos_token_id=1,
                      original_max_position_embeddings=64, **common)
    phi4 = Phi3Config(vocab_size=71, hidden_size=32, intermediate_size=36, num_attention_heads=4, num_key_value_heads=2, eos_token_id=5, bos_token_id=1, tie_word_embeddings=True,
                      original_max_position_embeddings=16, partial_rotary_factor=0.75,
                      rope_scaling={"type": "longrope", "short_factor": [1.0, 1.25, 1.5], "long_factor": [1.5, 4.0, 9.0]}, **common)
    out = {
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__, "peft": peft.__version__},
        "models": {"llama3": case("llama3/", llama3), "llama-biased": case("llama-biased/", biased), "qwen2": case("qwen2/", qwen2), "qwen3": case("qwen3/", qwen3),
                   "gemma2": case("gemma2/", gemma2), "phi3": case("phi3/", phi3), "phi4-mini": case("phi4-mini/", phi4)},
        "adapters": {
            "paper": adapter_case("paper/", qwen2, LoraConfig(r=3, lora_alpha=7, bias="all", task_type="CAUSAL_LM", target_modules=["q_proj", "o_proj", "down_proj", "gate_up_proj"],
                                                              rank_pattern={"layers.1.self_attn.q_proj": 2}, alpha_pattern={"down_proj": 5})),
            "rslora-fused": adapter_case("rslora/", phi3, LoraConfig(r=4, lora_alpha=6, use_rslora=True, task_type="CAUSAL_LM", target_modules=["qkv_proj", "gate_up_proj"],
                                                                     modules_to_save=["lm_head"])),
            "output": adapter_case("output/", llama3, LoraConfig(r=2, lora_alpha=3, task_type="CAUSAL_LM", target_modules="all-linear")),
            "output-too": adapter_case("output-too/", llama3, LoraConfig(r=2, lora_alpha=3, task_type="CAUSAL_LM", target_modules=["lm_head", "v_proj"])),
        },
        "streams": streams_case("streams/", qwen3, 3),
    }
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(out, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
