"""The captions-en model: Whisper's architecture with a stride of 2 in conv1 (40 ms encoder frames), and the Muon optimizer."""
import math

import torch
import torch.nn.functional as F
from torch import nn

D, HEADS, FFN, ENC_LAYERS, DEC_LAYERS = 256, 4, 1024, 6, 2
MAX_SOURCE, MAX_TARGET, VOCAB = 375, 192, 740
EOT, SOT, NOTIME, NOSPEECH = 736, 737, 738, 739
TEACHER = 384


def sinusoids(length, channels):
    step = math.log(10000.0) / (channels // 2 - 1)
    scaled = torch.arange(length)[:, None] * torch.exp(-step * torch.arange(channels // 2))[None]
    return torch.cat([scaled.sin(), scaled.cos()], 1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj, self.v_proj, self.out_proj = nn.Linear(D, D), nn.Linear(D, D), nn.Linear(D, D)
        self.k_proj = nn.Linear(D, D, bias=False)

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], HEADS, D // HEADS).transpose(1, 2)

    def forward(self, x, source, mask=None, causal=False, weights=False):
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(source)), self.split(self.v_proj(source))
        w = None
        if weights:  # the explicit form, where the weights themselves are supervised
            s = (q * (D // HEADS) ** -0.25) @ (k * (D // HEADS) ** -0.25).transpose(2, 3)
            if mask is not None:
                s = s + mask
            w = s.log_softmax(-1)
            o = w.exp() @ v
        else:
            o = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
        return self.out_proj(o.transpose(1, 2).reshape(x.shape)), w


class Layer(nn.Module):
    def __init__(self, cross):
        super().__init__()
        self.self_attn, self.self_attn_layer_norm = Attention(), nn.LayerNorm(D)
        if cross:
            self.encoder_attn, self.encoder_attn_layer_norm = Attention(), nn.LayerNorm(D)
        self.fc1, self.fc2, self.final_layer_norm = nn.Linear(D, FFN), nn.Linear(FFN, D), nn.LayerNorm(D)

    def forward(self, x, mask=None, source=None, source_mask=None, weights=False):
        h = self.self_attn_layer_norm(x)
        x = x + self.self_attn(h, h, mask, causal=source is not None)[0]
        w = None
        if source is not None:
            h, w = self.encoder_attn(self.encoder_attn_layer_norm(x), source, source_mask, weights=weights)
            x = x + h
        return x + self.fc2(F.gelu(self.fc1(self.final_layer_norm(x)))), w


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(80, D, 3, stride=2, padding=1)
        self.conv2 = nn.Conv1d(D, D, 3, stride=2, padding=1)
        self.embed_positions = nn.Embedding(MAX_SOURCE, D)
        self.embed_positions.weight.data.copy_(sinusoids(MAX_SOURCE, D))
        self.embed_positions.weight.requires_grad_(False)
        self.layers = nn.ModuleList(Layer(False) for _ in range(ENC_LAYERS))
        self.layer_norm = nn.LayerNorm(D)

    def forward(self, mel, mask=None):
        """mel [B, T, 80], mask additive [B, 1, 1, T40] or None -> [B, T40, D]"""
        # GELU is applied after the transposition: its gradient is then contiguous (see the note on oneDNN in platform.md)
        x = F.gelu(self.conv1(mel.transpose(1, 2)))
        x = F.gelu(self.conv2(x).transpose(1, 2).contiguous())
        x = x + self.embed_positions.weight[:x.shape[1]]
        for layer in self.layers:
            x = layer(x, mask)[0]
        return self.layer_norm(x)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(VOCAB, D)
        self.embed_positions = nn.Embedding(MAX_TARGET, D)
        nn.init.normal_(self.embed_tokens.weight, std=0.03)
        nn.init.normal_(self.embed_positions.weight, std=0.01)
        self.layers = nn.ModuleList(Layer(True) for _ in range(DEC_LAYERS))
        self.layer_norm = nn.LayerNorm(D)

    def forward(self, tokens, source, source_mask=None, weights=False):
        """-> logits [B, U, VOCAB], list of log cross-attention [B, H, U, T] a layer"""
        x = self.embed_tokens(tokens) + self.embed_positions.weight[:tokens.shape[1]]
        logs = []
        for layer in self.layers:
            x, w = layer(x, None, source, source_mask, weights)
            logs.append(w)
        return self.layer_norm(x) @ self.embed_tokens.weight.T, logs


class Captions(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Encoder(), Decoder()
        for name, p in self.named_parameters():
            if name.endswith(("out_proj.weight", "fc2.weight")):
                p.data.mul_(0.5)


def pad_mask(lengths, longest):
    """Additive mask [B, 1, 1, T]; None where nothing is padded."""
    lengths = torch.as_tensor(lengths)
    if int(lengths.min()) == longest:
        return None
    return torch.where(torch.arange(longest)[None] < lengths[:, None], 0.0, -1e4)[:, None, None]


@torch.no_grad()
def greedy(decoder, source, lengths, limit=None):
    """Greedy text of a batch without a cache (short texts, small model): token lists."""
    b, t = source.shape[:2]
    mask = pad_mask(lengths, t)
    tokens = torch.tensor([[SOT, NOTIME]] * b)
    done = torch.zeros(b, dtype=torch.bool)
    limit = limit or min(MAX_TARGET - 2, int(max(lengths)) // 2 + 8)
    for _ in range(limit):
        best = decoder(tokens, source, mask)[0][:, -1, :EOT + 1].argmax(-1)
        best[done] = EOT
        tokens = torch.cat([tokens, best[:, None]], 1)
        done |= best == EOT
        if done.all():
            break
    return [[t for t in row if t < EOT] for row in tokens[:, 2:].tolist()]


# ---------------------------------------------------------------- optimizer
def orthogonalise(g, steps=4):
    """Newton-Schulz iteration towards the nearest semi-orthogonal matrix, batched [N, r, c] with r <= c."""
    x = g / (g.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for a, b, c in ((4.0848, -6.8946, 2.9270), (3.9505, -6.3029, 2.6377), (3.7418, -5.5913, 2.3037),
                    (2.8769, -3.1427, 1.2046), (2.8366, -3.0525, 1.2012))[-steps:]:
        s = x @ x.transpose(1, 2)
        x = a * x + (b * s + c * (s @ s)) @ x
    return x


class Muon:
    """Muon for the matrices of the transformer layers, AdamW for everything else."""

    def __init__(self, model, extra=(), muon_scale=0.2, weight_decay=0.01):
        matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and ".layers." in n and p.requires_grad]
        ids = {id(p) for p in matrices}
        others = [p for p in list(model.parameters()) + list(extra) if p.requires_grad and id(p) not in ids]
        self.groups = {}
        for p in matrices:
            self.groups.setdefault(tuple(p.shape), []).append(p)
        self.momentum = {s: torch.zeros(len(ps), *s) for s, ps in self.groups.items()}
        self.adam = torch.optim.AdamW(others, lr=0.0, betas=(0.9, 0.98), eps=1e-8, weight_decay=weight_decay, fused=True)
        self.scale, self.decay = muon_scale, weight_decay
        self.parameters = matrices + others

    @torch.no_grad()
    def step(self, lr, muon_momentum=0.95):
        for g in self.adam.param_groups:
            g["lr"] = lr
        self.adam.step()
        for shape, ps in self.groups.items():
            g = torch.stack([p.grad for p in ps])
            m = self.momentum[shape]
            m.lerp_(g, 1 - muon_momentum)
            g.lerp_(m, muon_momentum)
            u = orthogonalise(g if shape[0] <= shape[1] else g.transpose(1, 2))
            if shape[0] > shape[1]:
                u = u.transpose(1, 2)
            # updates with the root mean square of Adam's: one learning rate for both
            size = self.scale * max(shape) ** 0.5
            for p, v in zip(ps, u):
                p.mul_(1 - lr * self.decay).add_(v, alpha=-lr * size)

    def zero_grad(self):
        for p in self.parameters:
            p.grad = None
