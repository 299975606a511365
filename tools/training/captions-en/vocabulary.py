"""The captions' tokens: of GPT-2's those met often enough, what these are merged of, and the 256 bytes; behind them four special ones.

    vocabulary.py [LEAST_COUNT [SYNTHETIC]]

Synthetic texts count half: syn/texts.txt, or those of a synthetic list (rare). Reads items.json, labels2.json (relabel.py) where it is there, else
labels.json (punctuate.py), and GPT-2's ranks below BRAID_DATA. Writes vocab.json: the tokens in base64, in GPT-2's order.
"""
import base64
import collections
import functools
import json
import sys

import tiktoken

from places import DATA, WORK
from sounds import real_items, synthetic_items

PATTERN = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
LEAST_COUNT = 16
SYNTHETIC_WEIGHT = 0.5
SPECIAL_TOKENS = ("<|endoftext|>", "<|startoftranscript|>", "<|nospeech|>", "<|notimestamps|>")


@functools.cache
def ranks():
    lines = [line.split() for line in open(DATA / "tokenizers/whisper/gpt2.tiktoken") if line.strip()]
    return {base64.b64decode(token): int(rank) for token, rank in lines}


def merged_of(token):
    """The two tokens that GPT-2 merges last to make this one"""
    parts = [bytes([byte]) for byte in token]
    while len(parts) > 2:
        _, index = min((ranks().get(parts[i] + parts[i + 1], 1 << 30), i) for i in range(len(parts) - 1))
        parts[index:index + 2] = [parts[index] + parts[index + 1]]
    return parts


def choose(counts, least):
    chosen = {bytes([byte]) for byte in range(256)}

    def add(token):
        if token not in chosen:
            chosen.add(token)
            for part in merged_of(token):
                add(part)

    for token, count in counts.items():
        if count >= least:
            add(token)
    return sorted(chosen, key=ranks().get)


class Vocabulary:
    def __init__(self, tokens):
        self.tokens = tokens
        own_ranks = {token: index for index, token in enumerate(tokens)}
        self.encoding = tiktoken.Encoding("captions", pat_str=PATTERN, mergeable_ranks=own_ranks, special_tokens={})
        self.end = len(tokens)
        self.start = self.end + 1
        self.no_speech = self.end + 2
        self.no_times = self.end + 3
        self.size = self.end + len(SPECIAL_TOKENS)

    def encode(self, text):
        return self.encoding.encode(text, disallowed_special=())

    def decode(self, ids):
        return b"".join(self.tokens[i] for i in ids if i < len(self.tokens)).decode("utf8", "replace")


def load(name="vocab.json"):
    return Vocabulary([base64.b64decode(token) for token in json.load(open(WORK / name))])


def synthetic_texts(name):
    if name is None:
        return [line.strip() for line in open(WORK / "syn/texts.txt")]
    return [item["text"] for item in synthetic_items(name)]


def main():
    least = float(sys.argv[1]) if len(sys.argv) > 1 else LEAST_COUNT
    labels_file = "labels2.json" if (WORK / "labels2.json").exists() else "labels.json"
    labels = json.load(open(WORK / labels_file))
    train = [item for item in real_items() if item["split"] == "train"]
    whole = tiktoken.Encoding("gpt2", pat_str=PATTERN, mergeable_ranks=ranks(), special_tokens={})
    token_of = {rank: token for token, rank in ranks().items()}
    counts = collections.Counter()
    for item in train:
        counts.update(token_of[i] for i in whole.encode(" " + labels[item["id"]]))
    synthetic = collections.Counter()
    for text in synthetic_texts(sys.argv[2] if len(sys.argv) > 2 else None):
        synthetic.update(token_of[i] for i in whole.encode(" " + text))
    for token, count in synthetic.items():
        counts[token] += SYNTHETIC_WEIGHT * count
    tokens = choose(counts, least)
    json.dump([base64.b64encode(token).decode() for token in tokens], open(WORK / "vocab.json", "w"))
    vocabulary = load()
    lengths = []
    for item in train:
        text = " " + labels[item["id"]]
        ids = vocabulary.encode(text)
        if vocabulary.decode(ids) != text:
            raise SystemExit(f"{item['id']} is not the same after encoding and decoding")
        lengths.append(len(ids))
    print(f"{len(tokens)} tokens, {vocabulary.size} with the special ones; the training texts are {sum(lengths)} tokens")


if __name__ == "__main__":
    main()
