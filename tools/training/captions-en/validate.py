"""How well a model in training does: words wrong of greedy decoding, tokens right and loss with the text given, on watched utterances."""
import re

import torch
import torch.nn.functional as F

from batches import decode
from whisper import SAMPLE_RATE, fast_products
from windows import single


def plain_words(text):
    return re.sub("[^a-z0-9' ]", "", text.lower().replace("-", " ")).split()


def edits(heard, spoken):
    """Words put in, left out or replaced"""
    row = list(range(len(spoken) + 1))
    for i, word in enumerate(heard, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(spoken, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (word != other))
    return row[-1]


@torch.no_grad()
def greedy(decoder, features, vocabulary, most_tokens):
    tokens = torch.tensor([[vocabulary.start, vocabulary.no_times]])
    heard = torch.ones(1, 1, 1, features.shape[1], dtype=torch.bool)
    for _ in range(most_tokens):
        best = decoder.logits(decoder(tokens, features, heard)[:, -1]).argmax(-1)
        if best.item() == vocabulary.end:
            break
        tokens = torch.cat([tokens, best[None]], 1)
    return vocabulary.decode(tokens[0, 2:].tolist())


@torch.no_grad()
def validate(make_features, decoder, vocabulary, items, chunk_ms, shown):
    """Prints one line, and the first texts beside the right ones. chunk_ms None: whole utterances."""
    decoder.eval()
    wrong_words = words = right_tokens = tokens = 0
    loss = 0.0
    for index, item in enumerate(items):
        with fast_products():
            features, rows = make_features([single(item)], chunk_ms, augment=False)
            hidden, wanted = decode(decoder, features, rows, vocabulary)
            logits = decoder.logits(hidden).float()
        counted = wanted >= 0
        loss += F.cross_entropy(logits[counted], wanted[counted], reduction="sum").item()
        right_tokens += (logits[counted].argmax(-1) == wanted[counted]).sum().item()
        tokens += counted.sum().item()
        text = greedy(decoder, features.float(), vocabulary, 12 + int(item["length"] / SAMPLE_RATE * 9))
        spoken = make_features.texts.labels[item["id"]]
        wrong_words += edits(plain_words(text), plain_words(spoken))
        words += len(plain_words(spoken))
        if index < shown:
            print("   ", text, "|", spoken)
    right_percent = 100 * right_tokens / tokens
    print(f"valid: words wrong {100 * wrong_words / words:.1f} % nats a word {loss / words:.3f} tokens right {right_percent:.1f} % loss {loss / tokens:.3f}", flush=True)
    decoder.train()
