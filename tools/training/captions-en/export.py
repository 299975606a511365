"""Writes a checkpoint as the folder that ships (Hugging Face names, float16).

    export.py CHECKPOINT[,CHECKPOINT...] FOLDER     several checkpoints are averaged
"""
import json
import os
import shutil
import sys

import torch
from safetensors.torch import save_file

import model as M
from common import SCRATCH


def config():
    return {
        "model_type": "whisper", "architectures": ["WhisperForConditionalGeneration"], "torch_dtype": "float16",
        "activation_function": "gelu", "d_model": M.D, "num_mel_bins": 80, "vocab_size": M.VOCAB,
        "encoder_layers": M.ENC_LAYERS, "encoder_attention_heads": M.HEADS, "encoder_ffn_dim": M.FFN,
        "decoder_layers": M.DEC_LAYERS, "decoder_attention_heads": M.HEADS, "decoder_ffn_dim": M.FFN,
        "num_hidden_layers": M.ENC_LAYERS, "is_encoder_decoder": True, "scale_embedding": False, "tie_word_embeddings": True,
        "max_source_positions": M.MAX_SOURCE, "max_target_positions": M.MAX_TARGET,
        "bos_token_id": M.EOT, "eos_token_id": M.EOT, "pad_token_id": M.EOT, "decoder_start_token_id": M.SOT,
        "encoder_conv1_stride": 2, "pad_to_window": False, "braid_languages": ["en"],
    }


def main():
    names, folder = sys.argv[1].split(","), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    states = [torch.load(n) for n in names]
    states = [s["model"] if "model" in s else s for s in states]
    average = {k: sum(s[k].double() for s in states) / len(states) for k in states[0]}
    save_file({"model." + k: v.half().contiguous() for k, v in average.items()}, f"{folder}/model.safetensors", {"format": "pt"})
    json.dump(config(), open(f"{folder}/config.json", "w"), indent=2)
    heads = f"{SCRATCH}/alignment_heads.json"
    heads = json.load(open(heads)) if os.path.exists(heads) else [[l, h] for l in range(M.DEC_LAYERS) for h in (0, 1)]
    json.dump({
        "alignment_heads": heads, "suppress_tokens": [], "begin_suppress_tokens": [], "is_multilingual": False,
        "bos_token_id": M.EOT, "eos_token_id": M.EOT, "pad_token_id": M.EOT, "decoder_start_token_id": M.SOT,
        "no_timestamps_token_id": M.NOTIME, "max_length": M.MAX_TARGET,
    }, open(f"{folder}/generation_config.json", "w"), indent=2)
    shutil.copy(f"{SCRATCH}/tokenizer.json", f"{folder}/tokenizer.json")
    print(folder, os.path.getsize(f"{folder}/model.safetensors"), "bytes")


if __name__ == "__main__":
    main()
