"""Qwen3 (decoder only) with positions and masks given from outside, and wait-k examples as rows of tokens, positions and what each row sees.

Group-streaming of "LLM as Effective Streaming Processor" (B.3, figure 5): the source counts from 0 and sees itself, the target counts from phi. All but
the last token of target word i have seen the prompt and k + i - 1 units, the last one k + i; the header is word 0, of which all but the last token see
the prompt alone. The same rule as core/paradigms/paradigm.h (waitKTokens).
"""
import numpy
import torch
import torch.nn.functional as F
from torch import nn

# What products are made of: bfloat16 where the processor multiplies it. With AVX2 alone it is fifty times slower than 32-bit floats.
FAST = torch.bfloat16 if torch.cpu._is_avx512_bf16_supported() else torch.float32


class Config:
    def __init__(self, vocabulary=5000, width=256, inner=704, layers=6, heads=8):
        self.vocabulary, self.width, self.inner, self.layers, self.heads = vocabulary, width, inner, layers, heads


class Norm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x):
        return F.rms_norm(x.float(), (x.shape[-1],), self.weight, 1e-6)


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.heads, self.size = c.heads, c.width // c.heads
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(c.width, c.width, bias=False) for _ in range(4))
        self.q_norm, self.k_norm = Norm(self.size), Norm(self.size)

    def forward(self, x, cos, sin, mask):
        rows, length, width = x.shape
        x = x.to(FAST)
        q, k, v = (F.linear(x, p.weight.to(FAST)).view(rows, length, self.heads, self.size).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        q, k = (turned(norm(t), cos, sin).to(FAST) for t, norm in ((q, self.q_norm), (k, self.k_norm)))
        # Written out: torch's fused attention takes three times as long over short rows on a processor (backwards most of all).
        scores = (q @ k.transpose(2, 3)).float() / self.size**0.5 + mask
        out = scores.softmax(-1).to(FAST) @ v
        return F.linear(out.transpose(1, 2).reshape(rows, length, width), self.o_proj.weight.to(FAST))


def turned(x, cos, sin):
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


class Mlp(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.gate_proj, self.up_proj = nn.Linear(c.width, c.inner, bias=False), nn.Linear(c.width, c.inner, bias=False)
        self.down_proj = nn.Linear(c.inner, c.width, bias=False)

    def forward(self, x):
        x = x.to(FAST)
        inner = F.silu(F.linear(x, self.gate_proj.weight.to(FAST))) * F.linear(x, self.up_proj.weight.to(FAST))
        return F.linear(inner, self.down_proj.weight.to(FAST))


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.self_attn, self.mlp = Attention(c), Mlp(c)
        self.input_layernorm, self.post_attention_layernorm = Norm(c.width), Norm(c.width)

    def forward(self, x, cos, sin, mask):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin, mask).float()
        return x + self.mlp(self.post_attention_layernorm(x)).float()


class Translator(nn.Module):
    """Its state has the names of transformers' Qwen3ForCausalLM (below "model.")."""

    def __init__(self, c):
        super().__init__()
        self.config = c
        self.embed_tokens = nn.Embedding(c.vocabulary, c.width)
        self.layers = nn.ModuleList(Layer(c) for _ in range(c.layers))
        self.norm = Norm(c.width)
        size = c.width // c.heads
        self.register_buffer("rates", 10000.0 ** (-torch.arange(0, size, 2).float() / size), persistent=False)

    def forward(self, tokens, positions, mask):
        angles = positions[:, None, :, None].float() * self.rates
        angles = torch.cat([angles, angles], -1)
        cos, sin = angles.cos(), angles.sin()
        x = self.embed_tokens(tokens)
        for layer in self.layers:
            x = layer(x, cos, sin, mask)
        return self.norm(x)

    def logits(self, hidden):
        return F.linear(hidden.to(FAST), self.embed_tokens.weight.to(FAST)).float()


def rows_of(example, k, phi):
    """tokens, positions, labels (-1: none), seen [n, n] of one example."""
    prompt, units, header, words = example
    source = prompt + [token for unit in units for token in unit]
    target = header + [token for word in words for token in word]
    ends = numpy.cumsum([len(prompt)] + [len(unit) for unit in units])  # source tokens seen when so many units are read
    most = len(units)
    sees = []
    for number, word in enumerate([header] + words):
        before = 0 if number == 0 else min(k + number - 1, most)
        after = min(k + number, most)
        sees += [ends[before]] * (len(word) - 1) + [ends[after]]
    target, predicted = target[:-1], target[1:]
    sees = numpy.array(sees[:-1])
    s, t = len(source), len(target)
    seen = numpy.tril(numpy.ones((s + t, s + t), dtype=bool))
    seen[s:, :s] = numpy.arange(s)[None, :] < sees[:, None]
    return source + target, numpy.concatenate([numpy.arange(s), phi + numpy.arange(t)]), [-1] * s + predicted, seen


def batch_of(rows):
    longest = max(len(row[0]) for row in rows)
    count = len(rows)
    tokens = numpy.zeros((count, longest), dtype=numpy.int64)
    positions = numpy.zeros((count, longest), dtype=numpy.float32)
    labels = numpy.full((count, longest), -1, dtype=numpy.int64)
    seen = numpy.zeros((count, longest, longest), dtype=bool)
    for at, (ids, places, wanted, sees) in enumerate(rows):
        n = len(ids)
        tokens[at, :n], positions[at, :n], labels[at, :n] = ids, places, wanted
        seen[at, :n, :n] = sees
        seen[at, n:, 0] = True
    mask = torch.zeros(seen.shape, dtype=FAST).masked_fill_(~torch.from_numpy(seen), float("-inf"))
    return torch.from_numpy(tokens), torch.from_numpy(positions), torch.from_numpy(labels), mask[:, None]
