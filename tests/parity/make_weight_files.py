#!/usr/bin/env python3
"""Writes tests/parity/weights/: tiny model files as PyTorch, openai-whisper and transformers write them, and what is in them (expected.json).

Usage: make_weight_files.py FOLDER
Needs torch 2, openai-whisper (--no-deps), transformers, safetensors. Random weights with every dimension different. malicious.pt holds a pickle that
would run a command in Python; it is here to show that nothing of the kind happens.
"""
import collections
import dataclasses
import json
import os
import sys
import types
from importlib.metadata import version

sys.modules["numba"] = types.SimpleNamespace(jit=lambda *a, **k: (lambda f: f))
import safetensors.torch  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from whisper.model import ModelDimensions, Whisper  # noqa: E402

FOLDER = sys.argv[1]
# OpenAI's names to transformers'; main() proves it by comparing the outputs of both models.
NAMES = [("blocks", "layers"), ("mlp.0", "fc1"), ("mlp.2", "fc2"), ("mlp_ln", "final_layer_norm"), (".attn.query", ".self_attn.q_proj"), (".attn.key", ".self_attn.k_proj"),
         (".attn.value", ".self_attn.v_proj"), (".attn_ln", ".self_attn_layer_norm"), (".attn.out", ".self_attn.out_proj"), (".cross_attn.query", ".encoder_attn.q_proj"),
         (".cross_attn.key", ".encoder_attn.k_proj"), (".cross_attn.value", ".encoder_attn.v_proj"), (".cross_attn_ln", ".encoder_attn_layer_norm"),
         (".cross_attn.out", ".encoder_attn.out_proj"), ("decoder.ln.", "decoder.layer_norm."), ("encoder.ln_post", "encoder.layer_norm"), ("token_embedding", "embed_tokens"),
         ("positional_embedding", "embed_positions.weight")]
DIMS = dict(n_mels=3, n_audio_ctx=10, n_audio_state=8, n_audio_head=2, n_audio_layer=1, n_vocab=11, n_text_ctx=7, n_text_state=8, n_text_head=4, n_text_layer=2)
expected = {"made_with": {p: version(p) for p in ("torch", "openai-whisper", "transformers", "safetensors")}, "dims": DIMS, "tensors": {}}


def note(file, state):
    """Shape, type and values (as float64) of every tensor."""
    expected["tensors"][file] = {
        n: {"dtype": str(t.dtype).removeprefix("torch."), "shape": list(t.shape), "values": t.detach().double().flatten().tolist()[:12], "sum": t.detach().double().sum().item()}
        for n, t in state.items()}


def path(name):
    return os.path.join(FOLDER, name)


@dataclasses.dataclass
class Config:  # pickled by name, as CarelessWhisper's training does with its own class
    enc_emb_gran: int = 5
    rank: int = 3
    enc_context: int = 4
    name: str = "tiny"


class Evil:
    def __reduce__(self):
        return os.system, ("echo pwned > /tmp/braid_pwned",)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    torch.manual_seed(1)
    model = Whisper(ModelDimensions(**DIMS))
    for p in model.parameters():
        torch.nn.init.normal_(p, std=0.5)
    state = model.state_dict()

    half = collections.OrderedDict((n, t.half()) for n, t in state.items())
    half._metadata = state._metadata
    torch.save({"dims": DIMS, "model_state_dict": half}, path("openai.pt"))
    note("openai.pt", half)

    # transformers' own model with the same weights.
    hf_state = {}
    for name, tensor in state.items():
        for old, new in NAMES:
            if old in name:
                name = name.replace(old, new)
        hf_state["model." + name] = tensor.clone()
    config = transformers.WhisperConfig(
        vocab_size=11, num_mel_bins=3, d_model=8, encoder_layers=1, encoder_attention_heads=2, encoder_ffn_dim=32, decoder_layers=2, decoder_attention_heads=4,
        decoder_ffn_dim=32, max_source_positions=10, max_target_positions=7, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=3, suppress_tokens=None,
        begin_suppress_tokens=None)
    hf = transformers.WhisperForConditionalGeneration(config)
    missing, unexpected = hf.load_state_dict(hf_state, strict=False)
    assert not unexpected and set(missing) <= {"proj_out.weight"}, (missing, unexpected)
    hf.tie_weights()
    mel, tokens = torch.randn(1, 3, 20), torch.tensor([[3, 7, 1]])
    theirs = hf.eval()(input_features=mel, decoder_input_ids=tokens).logits
    assert torch.allclose(theirs, model.eval()(mel, tokens), atol=1e-4), "the two models differ"
    hf.generation_config.alignment_heads = [[0, 3], [1, 2]]
    hf.generation_config.suppress_tokens = [4, 5]
    hf.save_pretrained(path("hf"))
    note("hf", state)
    hf.save_pretrained(path("hf-sharded"), max_shard_size="3KB")
    torch.save(hf.state_dict(), path("pytorch_model.bin"))  # with proj_out.weight, sharing its storage

    lora, adapters = collections.OrderedDict(), {}
    for name, tensor in state.items():
        if "attn." in name:
            stem, kind = name.rsplit(".", 1)
            lora[f"{stem}.base_layer.{kind}"] = tensor
            if kind == "weight":
                a, b = torch.randn(8, 3), torch.randn(3, 8)
                lora[f"{stem}.lora_layer.lora_A"], lora[f"{stem}.lora_layer.lora_B"] = torch.nn.Parameter(a), torch.nn.Parameter(b)
                adapters[f"{stem}.lora_A"], adapters[f"{stem}.lora_B"] = a, b
        else:
            lora[name] = tensor
    torch.save({"dims": DIMS, "cfg": {"gran": 15, "rank": 3, "extra_gran_blocks": 1, "note": None}, "state_dict": lora}, path("careless.pt"))
    note("careless.pt", {**state, **adapters})
    torch.save({
        "epoch": 3, "global_step": 12, "pytorch-lightning_version": "2.0.0", "state_dict": collections.OrderedDict(("model." + n, t) for n, t in lora.items()),
        "optimizer_states": [{"state": {0: {"step": torch.tensor(3.0), "exp_avg": torch.zeros(2)}}, "param_groups": [{"lr": 1e-5, "betas": (0.9, 0.98), "params": [0]}]}],
        "callbacks": {"ModelCheckpoint": {"best_model_score": torch.tensor(0.5), "dirpath": "/home/x"}}, "loops": {}, "lr_schedulers": [],
        "hyper_parameters": {"cfg": Config(), "lora": True}, "dims": DIMS}, path("lightning.ckpt"))

    base = torch.arange(24, dtype=torch.float32)
    odd = {
        "transposed": base.view(4, 6).t(), "slice": base.view(4, 6)[1:3, 2:5], "offset": base[7:12], "whole": base, "every_third": base[::3], "parameter": torch.nn.Parameter(base.view(2, 12)),
        "bfloat16": torch.tensor([1.5, -2.25, 3e38]).bfloat16(), "float16": torch.tensor([[1.5], [65504.0]]).half(), "float64": torch.tensor([1 / 3], dtype=torch.float64), "int64": torch.tensor([-5, 1 << 40]),
        "int32": torch.tensor([-7], dtype=torch.int32), "int16": torch.tensor([-9], dtype=torch.int16), "int8": torch.tensor([-1], dtype=torch.int8), "uint8": torch.tensor([255], dtype=torch.uint8),
        "bool": torch.tensor([True, False]), "scalar": torch.tensor(2.5), "empty": torch.zeros(3, 0, 2), "three_axes": base.view(2, 3, 4).permute(2, 0, 1)}
    note("odd.pt", odd)
    torch.save(odd, path("odd.pt"))
    torch.save(odd, path("odd-protocol4.pt"), pickle_protocol=4)
    torch.save(odd, path("odd-protocol5.pt"), pickle_protocol=5)
    torch.save({"a": torch.arange(3.0)}, path("legacy.pt"), _use_new_zipfile_serialization=False)
    torch.save({"expanded": torch.ones(1).expand(1000, 1000)}, path("expanded.pt"))
    torch.save({"sparse": torch.eye(3).to_sparse()}, path("sparse.pt"))
    torch.save({"dims": DIMS, "evil": Evil(), "model_state_dict": half}, path("malicious.pt"))
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 1)), path("script.pt"))
    json.dump(expected, open(path("expected.json"), "w"), separators=(",", ":"))


if __name__ == "__main__":
    main()
