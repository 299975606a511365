#!/usr/bin/env python3
"""A small Llama 3 in GGUF, written by pip's gguf with what convert_hf_to_gguf.py changes: tests/parity/weights/llama3.gguf, float16.

The model is "llama3" of decoder_lm_parity.json, whose logits are transformers'. With "seed" as second argument: a smaller file for the fuzzer.
Needs gguf, numpy. Usage: make_gguf.py OUT.gguf [seed]
"""
import json
import math
import os
import sys

import gguf
import numpy as np

from hashed_numbers import hashed

FOLDER = os.path.dirname(os.path.abspath(__file__))
numbers = json.load(open(os.path.join(FOLDER, "decoder_lm_parity.json")))["models"]["llama3"]
config = numbers["config"]
NAMES = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "input_layernorm": "attn_norm",
         "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "post_attention_layernorm": "ffn_norm"}


def value(name, shape):  # as make_decoder_lm_parity.py
    u = hashed("llama3/" + name, int(np.prod(shape))).reshape(shape)
    if name.endswith("norm.weight"):
        return np.float32(1) + u * np.float32(0.25)
    return u * np.float32(1.5 if "embed" in name else 0.5)


def permute(weights, heads):  # LlamaModel.permute of the converter
    return weights.reshape(heads, 2, weights.shape[0] // heads // 2, *weights.shape[1:]).swapaxes(1, 2).reshape(weights.shape)


def factors(rope, width):  # LlamaModel.generate_extra_tensors of the converter
    out = []
    low_wave = rope["original_max_position_embeddings"] / rope["low_freq_factor"]
    high_wave = rope["original_max_position_embeddings"] / rope["high_freq_factor"]
    for i in range(0, width, 2):
        wave = 2 * math.pi * rope["rope_theta"] ** (i / width)
        smooth = (rope["original_max_position_embeddings"] / wave - rope["low_freq_factor"]) / (rope["high_freq_factor"] - rope["low_freq_factor"])
        out.append(1 if wave < high_wave else rope["factor"] if wave > low_wave else 1 / ((1 - smooth) / rope["factor"] + smooth))
    return np.array(out, np.float32)


is_seed = sys.argv[2:] == ["seed"]
layers = 1 if is_seed else config["num_hidden_layers"]
writer = gguf.GGUFWriter(sys.argv[1], "llama")
writer.add_name("small")
writer.add_embedding_length(config["hidden_size"])
writer.add_feed_forward_length(config["intermediate_size"])
writer.add_block_count(layers)
writer.add_head_count(config["num_attention_heads"])
writer.add_head_count_kv(config["num_key_value_heads"])
writer.add_key_length(config["head_dim"])
writer.add_value_length(config["head_dim"])
writer.add_context_length(config["max_position_embeddings"])
writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
writer.add_rope_dimension_count(config["head_dim"])
writer.add_tokenizer_model("gpt2")
writer.add_tokenizer_pre("llama-bpe")
writer.add_token_list([chr(97 + i % 26) * (1 + i // 26) for i in range(53)])
writer.add_token_types([1] * 52 + [3])
writer.add_token_merges(["a a", "b b"])
writer.add_eos_token_id(52)
for name, shape in numbers["shapes"].items():
    plain = name.removeprefix("model.")
    stem, ending = plain.rsplit(".", 1)
    tensor = value(name, shape)
    if "q_proj" in name or "k_proj" in name:
        tensor = permute(tensor, config["num_attention_heads" if "q_proj" in name else "num_key_value_heads"])
    if stem.startswith("layers."):
        _, layer, part = stem.split(".", 2)
        if int(layer) >= layers:
            continue
        theirs = f"blk.{layer}.{NAMES[part]}"
    else:
        theirs = {"embed_tokens": "token_embd", "norm": "output_norm", "lm_head": "output"}[stem]
    writer.add_tensor(theirs + "." + ending, tensor.astype(np.float16 if tensor.ndim > 1 else np.float32))
writer.add_tensor("rope_freqs.weight", factors(config["rope_parameters"], config["head_dim"]))
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
