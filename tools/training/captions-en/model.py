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
        self.drop = nn.Dropout(0.15 if cross else 0.05)  # of what a block adds

    def forward(self, x, mask=None, source=None, source_mask=None, weights=False):
        h = self.self_attn_layer_norm(x)
        x = x + self.drop(self.self_attn(h, h, mask, causal=source is not None)[0])
        w = None
        if source is not None:
            h, w = self.encoder_attn(self.encoder_attn_layer_norm(x), source, source_mask, weights=weights)
            x = x + self.drop(h)
        return x + self.drop(self.fc2(F.gelu(self.fc1(self.final_layer_norm(x))))), w


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
    """Greedy tokens of a batch, one at a time with cached keys and values: token lists."""
    b, t = source.shape[:2]
    mask = pad_mask(lengths, t)
    cross = [(l.encoder_attn.split(l.encoder_attn.k_proj(source)), l.encoder_attn.split(l.encoder_attn.v_proj(source))) for l in decoder.layers]
    own = [(torch.zeros(b, HEADS, 0, D // HEADS), torch.zeros(b, HEADS, 0, D // HEADS)) for _ in decoder.layers]
    tokens = [torch.full((b,), SOT), torch.full((b,), NOTIME)]
    done = torch.zeros(b, dtype=torch.bool)
    limit = limit or min(MAX_TARGET - 2, int(max(lengths)) // 2 + 8)
    for at in range(limit + 1):
        x = (decoder.embed_tokens(tokens[at]) + decoder.embed_positions.weight[at])[:, None]
        for k, layer in enumerate(decoder.layers):
            a, h = layer.self_attn, layer.self_attn_layer_norm(x)
            own[k] = (torch.cat([own[k][0], a.split(a.k_proj(h))], 2), torch.cat([own[k][1], a.split(a.v_proj(h))], 2))
            o = F.scaled_dot_product_attention(a.split(a.q_proj(h)), *own[k])
            x = x + a.out_proj(o.transpose(1, 2).reshape(x.shape))
            a, h = layer.encoder_attn, layer.encoder_attn_layer_norm(x)
            o = F.scaled_dot_product_attention(a.split(a.q_proj(h)), *cross[k], attn_mask=mask)
            x = x + a.out_proj(o.transpose(1, 2).reshape(x.shape))
            x = x + layer.fc2(F.gelu(layer.fc1(layer.final_layer_norm(x))))
        if at == 0:
            continue  # the second token of the prompt is given
        best = (decoder.layer_norm(x[:, 0]) @ decoder.embed_tokens.weight[:EOT + 1].T).argmax(-1)
        best[done] = EOT
        tokens.append(best)
        done |= best == EOT
        if done.all():
            break
    rows = torch.stack(tokens[2:], 1).tolist() if len(tokens) > 2 else [[]] * b
    return [[t for t in row if t < EOT] for row in rows]


# ---------------------------------------------------------------- optimizer
def orthogonalise(g):
    """Newton-Schulz iteration towards the nearest semi-orthogonal matrix, batched [N, r, c] with r <= c.

    Wide matrices iterate on the Gram matrix alone: x_k = P_k x_0 and s_k = P_k^2 s_0, all polynomials of s_0."""
    x = g / (g.norm(dim=(1, 2), keepdim=True) + 1e-7)
    coefficients = ((4.0848, -6.8946, 2.9270), (3.9505, -6.3029, 2.6377), (3.7418, -5.5913, 2.3037))
    s, p = x @ x.transpose(1, 2), None
    eye = torch.eye(s.shape[1])
    for k, (a, b, c) in enumerate(coefficients):
        q = a * eye + b * s + c * (s @ s)
        if x.shape[1] == x.shape[2]:
            x = q @ x
            s = x @ x.transpose(1, 2) if k + 1 < len(coefficients) else None
        else:
            p = q if p is None else q @ p
            s = q @ q @ s if k + 1 < len(coefficients) else None
    return x if p is None else p @ x


class Muon:
    """Muon for the matrices of the transformer layers, AdamW for everything else.

    Each step orthogonalises only every `every`-th matrix, with so many times the step: the momentum spans about 20 steps,
    so this costs next to nothing in progress and saves the greater part of the optimizer's time."""

    def __init__(self, model, extra=(), muon_scale=0.2, weight_decay=0.01, every=1):
        matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and ".layers." in n and p.requires_grad]
        ids = {id(p) for p in matrices}
        others = [p for p in list(model.parameters()) + list(extra) if p.requires_grad and id(p) not in ids]
        self.groups = {}
        for p in matrices:
            self.groups.setdefault(tuple(p.shape), []).append(p)
        self.momentum = {s: torch.zeros(len(ps), *s) for s, ps in self.groups.items()}
        self.adam = torch.optim.AdamW(others, lr=0.0, betas=(0.9, 0.98), eps=1e-8, weight_decay=weight_decay, fused=True)
        self.scale, self.decay, self.every, self.turn = muon_scale, weight_decay, every, 0
        self.parameters = matrices + others

    @torch.no_grad()
    def step(self, lr, muon_momentum=0.95):
        for g in self.adam.param_groups:
            g["lr"] = lr
        self.adam.step()
        self.turn = (self.turn + 1) % self.every
        lr = lr * self.every
        for shape, ps in self.groups.items():
            g = torch.stack([p.grad for p in ps])
            m = self.momentum[shape]
            m.lerp_(g, 1 - muon_momentum)
            g, ps = g[self.turn::self.every], ps[self.turn::self.every]
            g = g.lerp(m[self.turn::self.every], muon_momentum)
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
