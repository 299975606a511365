"""Whisper tiny.en as Braid runs it, in PyTorch: half the encoder's frames (40 ms), block-causal or whole, and a token table of its own.

Reads the published weights and mel filters below BRAID_DATA. The second convolution has stride 4 instead of 2, so of the published
positions every second one is used. Parameters are named as in the checkpoints (*.pt); export.py names them as a model folder does.
"""
import math

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import nn

from places import DATA

WEIGHTS = DATA / "weights"
# What products are made of: bfloat16 where the processor multiplies it. With AVX2 alone it is fifty times slower than 32-bit floats.
FAST = torch.bfloat16 if torch.cpu._is_avx512_bf16_supported() else torch.float32
WIDTH = 384
HEADS = 6
LAYERS = 4
BANDS = 80
SAMPLE_RATE = 16000
FRAME_SAMPLES = 640  # of the encoder with half the frames
FRAME_MS = 40
MEL_PER_FRAME = 4
FIRST_BLOCK_MS = 400
# Layer and head of those of tiny.en that look where the word is heard.
ALIGNMENT_HEADS = ((1, 0), (2, 0), (2, 5), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4))

# published name, name here
RENAMED = (
    (".attn.query", ".q"), (".attn.key", ".k"), (".attn.value", ".v"), (".attn.out", ".o"),
    (".cross_attn.query", ".cq"), (".cross_attn.key", ".ck"), (".cross_attn.value", ".cv"), (".cross_attn.out", ".co"),
    (".cross_attn_ln", ".cross_ln"), (".mlp.0", ".m0"), (".mlp.2", ".m2"),
)

_filters = torch.from_numpy(np.load(DATA / "tokenizers/whisper/mel_filters.npz")["mel_80"]).float()
_window = torch.hann_window(400)


# ---------------------------------------------------------------- log-mel
def log_mel(sound):
    """sound [..., samples] -> log10 of the mel power [..., 80, samples // 160]"""
    power = torch.stft(sound, 400, 160, window=_window, return_complex=True)[..., :-1].abs() ** 2
    return (_filters @ power).clamp(min=1e-10).log10()


def frames_of_sound(samples):
    return (samples + FRAME_SAMPLES - 1) // FRAME_SAMPLES


def frames_of_mel(mel):
    return (mel.shape[-1] + MEL_PER_FRAME - 1) // MEL_PER_FRAME


def block_ends(frames, chunk_ms, first_ms=FIRST_BLOCK_MS):
    """Where the blocks of `frames` encoder frames end, as Braid makes them: the first is at least first_ms long."""
    ends = []
    end_ms = max(first_ms, chunk_ms)
    while end_ms // FRAME_MS < frames:
        ends.append(end_ms // FRAME_MS)
        end_ms += chunk_ms
    return ends + [frames]


def normalised_mel(mel, chunk_ms=None):
    """Whisper's normalisation of log_mel's [80, frames]: by the maximum of all, or with chunk_ms by the maximum up to each block's end."""
    if chunk_ms is None:
        floor = mel.max() - 8
    else:
        count = mel.shape[1]
        running_maximum = mel.amax(0).cummax(0).values
        newest = torch.empty(count, dtype=torch.long)
        begin = 0
        for block_end in block_ends(frames_of_mel(mel), chunk_ms):
            end = min(block_end * MEL_PER_FRAME, count)
            newest[begin:end] = end - 1
            begin = end
        floor = running_maximum[newest] - 8
    return (torch.maximum(mel, floor) + 4) / 4


def block_mask(row_frames, frames, chunk_ms):
    """[rows, 1, frames, frames]: a frame sees the frames up to its block's end, and none behind the row's own."""
    mask = torch.zeros(len(row_frames), 1, frames, frames, dtype=torch.bool)
    for row, count in enumerate(row_frames):
        if chunk_ms is None:
            mask[row, 0, :, :count] = True
            continue
        seen_until = torch.empty(frames, dtype=torch.long)
        begin = 0
        for end in block_ends(count, chunk_ms):
            seen_until[begin:end] = end
            begin = end
        seen_until[count:] = count
        mask[row, 0] = torch.arange(frames)[None] < seen_until[:, None]
    return mask


# ---------------------------------------------------------------- network
def fast_products():
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=FAST == torch.bfloat16)


def split_heads(x):
    batch, length, _ = x.shape
    return x.view(batch, length, HEADS, -1).transpose(1, 2)


def join_heads(x):
    return x.transpose(1, 2).flatten(2)


def attention_of(queries, keys, values, seen=None):
    """Written out as products: on a CPU, forward and backward, 1.4 to 2 times as fast as torch's fused one. seen: what a query may look at; none: all"""
    weights = (queries * queries.shape[-1] ** -0.5) @ keys.transpose(-1, -2)
    if seen is not None:
        weights = weights.masked_fill(~seen, -1e4)
    return weights.softmax(-1) @ values


def published(name, prefix):
    tensors = {}
    for key, value in load_file(WEIGHTS / name).items():
        key = key[len(prefix):]
        for theirs, ours in RENAMED:
            key = key.replace(theirs, ours)
        tensors[key] = value.float()
    tensors["pos"] = tensors.pop("positional_embedding")
    return tensors


class Block(nn.Module):
    def __init__(self, cross):
        super().__init__()
        self.attn_ln = nn.LayerNorm(WIDTH)
        self.q = nn.Linear(WIDTH, WIDTH)
        self.k = nn.Linear(WIDTH, WIDTH, bias=False)
        self.v = nn.Linear(WIDTH, WIDTH)
        self.o = nn.Linear(WIDTH, WIDTH)
        if cross:
            self.cross_ln = nn.LayerNorm(WIDTH)
            self.cq = nn.Linear(WIDTH, WIDTH)
            self.ck = nn.Linear(WIDTH, WIDTH, bias=False)
            self.cv = nn.Linear(WIDTH, WIDTH)
            self.co = nn.Linear(WIDTH, WIDTH)
        self.mlp_ln = nn.LayerNorm(WIDTH)
        self.m0 = nn.Linear(WIDTH, 4 * WIDTH)
        self.m2 = nn.Linear(4 * WIDTH, WIDTH)

    def attend(self, x, seen=None):
        y = self.attn_ln(x)
        queries, keys, values = (split_heads(project(y)) for project in (self.q, self.k, self.v))
        return self.o(join_heads(attention_of(queries, keys, values, seen)))

    def feed_forward(self, x):
        return self.m2(F.gelu(self.m0(self.mlp_ln(x))))


class Encoder(nn.Module):
    """stride 2: the published one, 20 ms a frame; stride 4: Braid's, 40 ms a frame."""

    def __init__(self, stride=4):
        super().__init__()
        self.conv1 = nn.Conv1d(BANDS, WIDTH, 3, padding=1)
        self.conv2 = nn.Conv1d(WIDTH, WIDTH, 3, padding=1, stride=stride)
        self.blocks = nn.ModuleList(Block(cross=False) for _ in range(LAYERS))
        self.ln_post = nn.LayerNorm(WIDTH)
        self.position_step = stride // 2
        self.register_buffer("pos", torch.zeros(1500, WIDTH))

    def load_published(self):
        self.load_state_dict(published("whisper-tiny.en-encoder.fp16.safetensors", "encoder."))
        return self

    def forward(self, mel, mask=None):
        """mel [batch, 80, mel frames] -> [batch, frames, 384]; mask as block_mask makes it"""
        x = F.gelu(self.conv1(mel))
        x = F.gelu(self.conv2(x)).transpose(1, 2)
        x = x + self.pos[::self.position_step][:x.shape[1]]
        for block in self.blocks:
            x = x + block.attend(x, mask)
            x = x + block.feed_forward(x)
        return self.ln_post(x)


@torch.no_grad()
def whole_features(published_encoder, sound):
    """Every second frame of what the published encoder (stride 2) makes of the sound and a second of silence: [frames + 25, 384]"""
    mel = normalised_mel(log_mel(F.pad(sound, (0, SAMPLE_RATE))))
    return published_encoder(mel[None].to(published_encoder.conv1.weight.dtype))[0][::2]


class Decoder(nn.Module):
    def __init__(self, vocabulary_size):
        super().__init__()
        self.emb = nn.Embedding(vocabulary_size, WIDTH)
        nn.init.normal_(self.emb.weight, std=0.004)
        self.pos = nn.Parameter(torch.zeros(448, WIDTH))
        self.blocks = nn.ModuleList(Block(cross=True) for _ in range(LAYERS))
        self.ln = nn.LayerNorm(WIDTH)

    def load_published(self):
        tensors = published("whisper-tiny.en-decoder-without-token-embedding.fp16.safetensors", "decoder.")
        tensors["emb.weight"] = self.emb.weight.data
        self.load_state_dict(tensors)
        return self

    def forward(self, tokens, sound, heard, sound_of_row=None, dropout=0.0, attention=None):
        """tokens [rows, length], sound [sounds, frames, 384], heard [rows, 1, 1, frames] -> [rows, length, 384]

        sound_of_row: which sound each row hears (none: its own). attention: a list that receives each layer's weights on the sound.
        """
        def drop(x):
            return F.dropout(x, dropout, self.training)

        length = tokens.shape[1]
        earlier = torch.ones(length, length, dtype=torch.bool).tril()
        x = drop(self.emb(tokens) + self.pos[:length])
        for block in self.blocks:
            x = x + drop(block.attend(x, earlier))
            queries = split_heads(block.cq(block.cross_ln(x)))
            keys = split_heads(block.ck(sound))
            values = split_heads(block.cv(sound))
            if sound_of_row is not None:
                keys, values = keys[sound_of_row], values[sound_of_row]
            if attention is not None:
                weights = (queries @ keys.transpose(-1, -2)).float() / math.sqrt(WIDTH // HEADS)
                attention.append(weights.masked_fill(~heard, -1e9).softmax(-1))
            x = x + drop(block.co(join_heads(attention_of(queries, keys, values, heard))))
            x = x + drop(block.feed_forward(x))
        return self.ln(x)

    def logits(self, x):
        return x @ self.emb.weight.T
