"""A checkpoint of train.py's stage 2 as a model folder of Braid: model.safetensors (float16) and three .json files.

    export.py CHECKPOINT FOLDER

Reads vocab.json besides. Names and files are those of transformers' Whisper; encoder_conv2_stride and braid_* are Braid's own.
"""
import json
import pathlib
import sys

import torch
from safetensors.torch import save_file

import vocabulary
from places import WORK
from whisper import ALIGNMENT_HEADS, BANDS, FIRST_BLOCK_MS, HEADS, LAYERS, WIDTH

REENCODED_MS = 900  # of the newest sound, with every chunk: three chunks of 300 ms

# name here, name in the folder; within a layer
RENAMED = (
    (".cross_ln.", ".encoder_attn_layer_norm."), (".attn_ln.", ".self_attn_layer_norm."), (".mlp_ln.", ".final_layer_norm."),
    (".cq.", ".encoder_attn.q_proj."), (".ck.", ".encoder_attn.k_proj."),
    (".cv.", ".encoder_attn.v_proj."), (".co.", ".encoder_attn.out_proj."),
    (".q.", ".self_attn.q_proj."), (".k.", ".self_attn.k_proj."), (".v.", ".self_attn.v_proj."), (".o.", ".self_attn.out_proj."),
    (".m0.", ".fc1."), (".m2.", ".fc2."),
)


def folder_name(part, name):
    for ours, theirs in RENAMED:
        name = name.replace(ours, theirs)
    for ours, theirs in (("blocks.", "layers."), ("ln_post.", "layer_norm."), ("ln.", "layer_norm.")):
        if name.startswith(ours):
            name = theirs + name[len(ours):]
    return f"model.{part}." + {"pos": "embed_positions.weight", "emb.weight": "embed_tokens.weight"}.get(name, name)


def tensors(checkpoint):
    encoder = dict(checkpoint["enc"], pos=checkpoint["enc"]["pos"][::2])  # the positions that half the frames stand at
    named = {folder_name("encoder", name): value for name, value in encoder.items()}
    named.update((folder_name("decoder", name), value) for name, value in checkpoint["dec"].items())
    return {name: value.detach().half().contiguous() for name, value in named.items()}


def config(tokens):
    return {
        "activation_function": "gelu",
        "architectures": ["WhisperForConditionalGeneration"],
        "bos_token_id": tokens.end,
        "braid_languages": ["en"],
        "braid_streaming": {
            "chunk_ms_max": 1000,
            "chunk_ms_min": 100,
            "default_chunk_ms": 300,
            "first_chunk_ms": FIRST_BLOCK_MS,
            "reencode_ms": REENCODED_MS,
        },
        "d_model": WIDTH,
        "decoder_attention_heads": HEADS,
        "decoder_ffn_dim": 4 * WIDTH,
        "decoder_layers": LAYERS,
        "decoder_start_token_id": tokens.start,
        "encoder_attention_heads": HEADS,
        "encoder_conv2_stride": 4,
        "encoder_ffn_dim": 4 * WIDTH,
        "encoder_layers": LAYERS,
        "eos_token_id": tokens.end,
        "is_encoder_decoder": True,
        "max_source_positions": 750,
        "max_target_positions": 448,
        "model_type": "whisper",
        "num_hidden_layers": LAYERS,
        "num_mel_bins": BANDS,
        "pad_to_window": False,
        "pad_token_id": tokens.end,
        "scale_embedding": False,
        "tie_word_embeddings": True,
        "torch_dtype": "float16",
        "vocab_size": tokens.size,
    }


def generation_config(tokens):
    return {
        "alignment_heads": [list(head) for head in ALIGNMENT_HEADS],
        "begin_suppress_tokens": [],
        "bos_token_id": tokens.end,
        "decoder_start_token_id": tokens.start,
        "eos_token_id": tokens.end,
        "is_multilingual": False,
        "max_length": 448,
        "no_timestamps_token_id": tokens.no_times,
        "pad_token_id": tokens.end,
        "suppress_tokens": [],
    }


def byte_characters():
    """GPT-2's: a byte that is no printable character stands as one from 256 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + index) for index, byte in enumerate(others)}


def tokenizer(tokens):
    characters = byte_characters()

    def written(token):
        return "".join(characters[byte] for byte in token)

    def added(name):
        return {
            "id": tokens.end + vocabulary.SPECIAL_TOKENS.index(name),
            "content": name,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }

    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [added(name) for name in vocabulary.SPECIAL_TOKENS],
        "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {written(token): index for index, token in enumerate(tokens.tokens)},
            "merges": [[written(part) for part in vocabulary.merged_of(token)] for token in tokens.tokens if len(token) > 1],
        },
    }


def main():
    checkpoint = torch.load(WORK / sys.argv[1])
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    tokens = vocabulary.load()
    save_file(tensors(checkpoint), folder / "model.safetensors", metadata={"format": "pt"})
    for name, content in (("config", config(tokens)), ("generation_config", generation_config(tokens))):
        (folder / f"{name}.json").write_text(json.dumps(content, indent=2, sort_keys=True) + "\n")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer(tokens), ensure_ascii=False))


if __name__ == "__main__":
    main()
