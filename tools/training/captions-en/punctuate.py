"""Capitals and marks for the transcripts that have none.

    punctuate.py MINUTES

A small transformer over words is trained on running English text and sentences (marked_words.py), kept as punctuation.pt. Writes
labels.json, the text of every item of items.json, and style.json, which items' texts stay "plain" (small letters, no marks) until
relabel.py: LibriSpeech's and TIMIT's. Of long sentences' marks the transformer knows too little. A transcript that stands in Common
Voice's collection is taken from there; kathleen and LJ Speech have marks.
"""
import collections
import gzip
import json
import random
import re
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

from marked_words import ABBREVIATIONS, CAPITALS, COMMON_VOICE, MARKS, read_running_text, read_sentences
from places import WORK
from prepare import normalised
from sounds import real_items
from whisper import fast_products

CHECKPOINT = WORK / "punctuation.pt"
WIDTH = 192
MOST_WORDS = 100
PADDING, UNKNOWN = 0, 1
ENDINGS = 4096
RATE = 2e-3


def hash_of_ending(word):
    value = 7
    for character in word[-3:]:
        value = (value * 131 + ord(character)) % ENDINGS
    return value


class Punctuation(nn.Module):
    def __init__(self, ids):
        super().__init__()
        self.ids = ids
        self.word = nn.Embedding(len(ids) + 2, WIDTH)
        self.ending = nn.Embedding(ENDINGS, WIDTH)
        self.position = nn.Embedding(160, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, 0.1, "gelu", batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(WIDTH)
        self.mark = nn.Linear(WIDTH, len(MARKS))
        self.case = nn.Linear(WIDTH, 3)

    def forward(self, words, endings, padding=None):
        x = self.word(words) + self.ending(endings) + self.position(torch.arange(words.shape[1]))
        x = self.norm(self.layers(x, src_key_padding_mask=padding))
        return self.mark(x), self.case(x)

    def inputs(self, words):
        return [self.ids.get(word, UNKNOWN) for word in words], [hash_of_ending(word) for word in words]


# ---------------------------------------------------------------- training
class Texts:
    def __init__(self, draw):
        self.draw = draw
        books = read_running_text("gutenberg-books-00") + read_running_text("gutenberg-books-01")
        self.addresses = read_running_text("us-presidents-00")
        self.space = read_running_text("nasa-spacelog-00")
        self.meetings = read_running_text("qmsum-meetings-00")
        sentences = list(read_sentences())
        draw.shuffle(sentences)
        self.watched_sentences, self.sentences = sentences[:300], sentences[300:]
        self.watched_books, self.books = books[600000:606000], books[:600000] + books[606000:]

    def ids(self):
        counts = collections.Counter(word for text in (self.books, self.addresses, self.space, self.meetings) for word, _, _ in text)
        counts.update(word for sentence in self.sentences for word, _, _ in sentence)
        return {word: index + 2 for index, (word, _) in enumerate(counts.most_common(24000))}

    def piece(self):
        kind = self.draw.random()
        if kind < 0.2:
            sentences = [self.draw.choice(self.sentences) for _ in range(self.draw.choice([1, 1, 1, 2, 3]))]
            return [word for sentence in sentences for word in sentence][:MOST_WORDS]
        source = self.books if kind < 0.72 else self.addresses if kind < 0.84 else self.meetings if kind < 0.95 else self.space
        length = self.draw.randint(12, MOST_WORDS)
        start = self.draw.randrange(len(source) - length)
        return source[start:start + length]


def tensors(net, pieces, draw):
    shape = len(pieces), max(map(len, pieces))
    words = torch.full(shape, PADDING)
    endings = torch.zeros(shape, dtype=torch.long)
    marks = torch.full(shape, -100)
    cases = torch.full(shape, -100)
    for row, piece in enumerate(pieces):
        known = [word if not net.training or draw.random() > 0.02 else "<oov>" for word, _, _ in piece]
        words[row, :len(piece)], endings[row, :len(piece)] = (torch.tensor(values) for values in net.inputs(known))
        marks[row, :len(piece)] = torch.tensor([mark for _, mark, _ in piece])
        cases[row, :len(piece)] = torch.tensor([case for _, _, case in piece])
    return words, endings, words == PADDING, marks, cases


def f1(guessed, right):
    return 2 * (guessed & right).sum().item() / max(1, guessed.sum().item() + right.sum().item())


def validate(net, texts):
    net.eval()
    books = [texts.watched_books[begin:begin + 60] for begin in range(0, 6000, 60)]
    for name, pieces in (("books", books), ("sentences", texts.watched_sentences)):
        words, endings, padding, marks, cases = tensors(net, pieces, texts.draw)
        with torch.no_grad():
            mark, case = (x.argmax(-1) for x in net(words, endings, padding))
        scores = [f"{MARKS[i]} {f1((mark == i) & ~padding, marks == i):.2f}" for i in range(1, len(MARKS))]
        print(f"  {name} F1:", *scores, f"capitals {f1((case > 0) & ~padding, cases > 0):.2f}", flush=True)
    net.train()


def train(minutes):
    texts = Texts(random.Random(0))
    ids = texts.ids()
    net = Punctuation(ids)
    optimizer = torch.optim.AdamW(net.parameters(), RATE, betas=(0.9, 0.98), weight_decay=0.01)
    begun = time.time()
    step = 0
    losses = []
    while (done := (time.time() - begun) / (minutes * 60)) < 1:
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 100) * (1 if done < 0.4 else max(0.02, (1 - done) / 0.6))
        words, endings, padding, marks, cases = tensors(net, [texts.piece() for _ in range(48)], texts.draw)
        with fast_products():
            mark, case = net(words, endings, padding)
        loss = F.cross_entropy(mark.float().flatten(0, 1), marks.flatten()) + F.cross_entropy(case.float().flatten(0, 1), cases.flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        step += 1
        losses.append(loss.item())
        if step % 100 == 0:
            print(f"{step} {time.time() - begun:.0f} s loss {sum(losses) / len(losses):.3f}", flush=True)
            losses = []
        if step % 500 == 0:
            validate(net, texts)
    validate(net, texts)
    torch.save({"ids": ids, "net": net.state_dict()}, CHECKPOINT)


def load(path=CHECKPOINT):
    saved = torch.load(path)
    net = Punctuation(saved["ids"])
    net.load_state_dict(saved["net"])
    return net.eval()


# ---------------------------------------------------------------- labels
@torch.no_grad()
def marks_and_cases(net, words):
    """Log-probabilities of every word's mark, and its case. Long texts go in pieces of 100 words: 40 that are done, and 60 new ones."""
    marks = []
    cases = []
    done = 0
    while done < len(words):
        first = max(0, done - 40)
        piece = words[first:first + MOST_WORDS]
        mark, case = net(*(torch.tensor([x]) for x in net.inputs(piece)))
        end = min(len(words), done + 60) if first + len(piece) < len(words) else first + len(piece)
        marks.append(mark[0, done - first:end - first].log_softmax(-1))
        cases.append(case[0, done - first:end - first].argmax(-1))
        done = end
    return torch.cat(marks), torch.cat(cases)


def written(word, case, begins_sentence):
    if word == "i" or word.startswith("i'"):
        return "I" + word[1:]
    if case == CAPITALS and len(word) > 1 and len(word) <= 4 and not re.search("[aeiouy]", word):
        return word.upper()
    if (case or begins_sentence) and not word.startswith("'"):
        return word[0].upper() + word[1:]
    return word


def punctuated(net, words):
    log_probabilities, cases = marks_and_cases(net, words)
    marks = log_probabilities.argmax(-1)
    ending = log_probabilities[-1].clone()
    ending[:MARKS.index(".")] = -99
    ending[MARKS.index("!")] -= 1.0
    marks[-1] = ending.argmax()
    texts = []
    begins_sentence = True
    for word, mark, case in zip(words, marks.tolist(), cases.tolist()):
        if word in ABBREVIATIONS:
            texts.append(word[0].upper() + word[1:] + ".")
            begins_sentence = False
        else:
            texts.append(written(word, case, begins_sentence) + MARKS[mark])
            begins_sentence = mark >= MARKS.index(".")
    return " ".join(texts)


def collected_sentences():
    sentences = {}
    for line in gzip.open(COMMON_VOICE, "rt"):
        text = line.strip().replace("’", "'")
        if re.search(r'[.?!]["”]?$', text) and '"' not in text and ";" not in text:
            sentences.setdefault(normalised(text), text)
    return sentences


def label(net, items):
    collected = collected_sentences()
    labels = {}
    style = {}
    for item in items:
        corpus = item["source"].split("/")[0]
        text = item["text"].lower()
        words = text.split()
        if corpus in ("kathleen", "ljspeech"):
            text = re.sub(r'["“”\[\]()]', "", item["text"].replace("’", "'").replace(";", ",").replace("--", ","))
            labels[item["id"]] = re.sub(r"\s+", " ", text).strip()
        elif corpus.startswith("librispeech") or corpus == "timit":
            labels[item["id"]] = text
            style[item["id"]] = "plain"
        elif " ".join(words) in collected:
            labels[item["id"]] = collected[" ".join(words)]
        else:
            labels[item["id"]] = punctuated(net, words) if words else ""
    return labels, style


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    train(float(sys.argv[1]))
    labels, style = label(load(), real_items())
    json.dump(labels, open(WORK / "labels.json", "w"), indent=0)
    json.dump(style, open(WORK / "style.json", "w"), indent=0)


if __name__ == "__main__":
    main()
