"""Losses of captions-en: CTC, the decoder's cross-entropy and the supervision of two cross-attention heads a layer."""
import json

import torch
import torch.nn.functional as F

from common import SCRATCH
from model import EOT, VOCAB

USED = json.load(open(f"{SCRATCH}/used_tokens.json"))
PLACE = torch.zeros(VOCAB, dtype=torch.long)
PLACE[USED] = torch.arange(1, len(USED) + 1)
GUIDED_HEADS = (0, 1)


def ctc_loss(logits, lengths, texts):
    """Mean over tokens; texts: token lists."""
    keep = [i for i, t in enumerate(texts) if t]
    if not keep:
        return logits.sum() * 0
    logp = logits[keep].log_softmax(-1).transpose(0, 1)
    flat = PLACE[torch.tensor([t for i in keep for t in texts[i]])]
    sizes = [len(texts[i]) for i in keep]
    loss = F.ctc_loss(logp, flat, [lengths[i] for i in keep], sizes, blank=0, reduction="none", zero_infinity=True)
    return loss.sum() / sum(sizes)


def frame_loss(logits, labels, lengths):
    """Cross-entropy of the token being spoken at every 40 ms frame (0: none), from the forced alignment. It needs no
    search for the alignment, as CTC does, and so its gradients are right from the first step."""
    live = torch.arange(logits.shape[1])[None] < torch.as_tensor(lengths)[:, None]
    weight = torch.ones(logits.shape[2])
    weight[0] = 0.4
    return F.cross_entropy(logits[live], labels[live], weight=weight, label_smoothing=0.05)


def attention_loss(logs, spikes):
    """Cross-entropy of the guided heads against a Gaussian of 80 ms around the token's frame; logs: [B, H, U, T] a layer."""
    known = spikes >= 0
    if not bool(known.any()):
        return logs[0].sum() * 0
    t = torch.arange(logs[0].shape[-1])
    goal = torch.softmax(-0.5 * ((t - spikes[known][:, None]) / 2.0).square(), -1)
    loss = 0
    for w in logs:
        for h in GUIDED_HEADS:
            loss = loss - (goal * w[:, h][known].clamp_min(-30.0)).sum(-1).mean()
    return loss / (len(logs) * len(GUIDED_HEADS))


def decoder_loss(decoder, source, mask, inputs, targets, spikes, smoothing=0.1, replace=0.15):
    """(cross-entropy, attention loss). A part of the input tokens is replaced, so that the decoder listens."""
    if replace:
        wrong = torch.rand(inputs.shape) < replace
        wrong[:, :2] = False
        inputs = torch.where(wrong & (inputs < EOT), torch.tensor(USED)[torch.randint(0, len(USED), inputs.shape)], inputs)
    logits, logs = decoder(inputs, source, mask, weights=True)
    known = targets >= 0
    ce = F.cross_entropy(logits[known], targets[known], label_smoothing=smoothing)
    return ce, attention_loss(logs, spikes)
