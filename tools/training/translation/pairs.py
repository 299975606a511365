"""Sentence pairs as the translator learns them: tokens of source units and target words, drawn anew at every visit.

A source comes as it is written, or as captions write it (small letters, no marks, now and then a word lost, said twice or misheard), alone, or as two
to four sentences in a row, or behind a sentence that was translated before. Half of all visits change something, so that no two epochs are alike.
"""
import gzip
import random
import re

from tokenizers import Tokenizer

MARKS = re.compile(r"[^\w\s'’-]|(?<!\w)['’-]|['’-](?!\w)")


class Pairs:
    def __init__(self, files, tokenizer_file, seed, held_out=0.004, longest=160):
        self.tokenizer = Tokenizer.from_file(tokenizer_file)
        ids = self.tokenizer.token_to_id
        self.source_mark, self.target_mark, self.end = ids("<|source|>"), ids("<|target|>"), ids("<|end|>")
        self.begins_word = [token.startswith("Ġ") for token in (self.tokenizer.id_to_token(i) for i in range(self.tokenizer.get_vocab_size()))]
        self.random = random.Random(seed)
        self.longest = longest
        self.words = {}  # of the source: word -> tokens
        self.trained, self.held_out = [], []
        for file, weight in files:
            opened = gzip.open(file, "rt", encoding="utf-8") if str(file).endswith(".gz") else open(file, encoding="utf-8")
            for line in opened:
                source, target = line.rstrip("\n").split("\t")[:2]
                source, target = source.split(), " ".join(target.split())
                if not source or not target or len(source) > 90:
                    continue
                is_held_out = random.Random(" ".join(source)).random() < held_out
                (self.held_out if is_held_out else self.trained).append((source, target, weight))
        self.random.shuffle(self.held_out)
        self.targets = {}

    def source_tokens(self, words):
        out = []
        for word in words:
            tokens = self.words.get(word)
            if tokens is None:
                tokens = self.tokenizer.encode(" " + word, add_special_tokens=False).ids
                self.words[word] = tokens
            out.append(tokens)
        return out

    def target_tokens(self, text):
        """Tokens of each target word: a word begins where a token begins with white space."""
        words = self.targets.get(text)
        if words is None:
            words = []
            for token in self.tokenizer.encode(" " + text, add_special_tokens=False).ids:
                if self.begins_word[token] or not words:
                    words.append([token])
                else:
                    words[-1].append(token)
            self.targets[text] = words
        return words

    def as_captions(self, words, errors):
        out = []
        for word in MARKS.sub(" ", " ".join(words)).lower().split():
            chance = self.random.random() if errors else 1.0
            if chance < 0.015:
                continue
            if chance < 0.025:
                out.append(word)
            elif chance < 0.06 and len(word) > 2:
                at = self.random.randrange(len(word))
                letter = self.random.choice("aeioutnsrl")
                word = self.random.choice([word[:at] + word[at + 1 :], word[:at] + letter + word[at + 1 :], word[:at] + letter + word[at:]])
            out.append(word)
        return out

    def example(self, pairs, before=None, captions=0, errors=False):
        """(prompt, units, header, words): lists of tokens; units and words are lists of lists and end with the end mark."""
        source = [word for pair in pairs for word in pair[0]]
        if captions:
            source = self.as_captions(source, errors) or source
        prompt, header = [self.source_mark], [self.target_mark]
        if before is not None:
            prompt += [token for unit in self.source_tokens(before[0]) for token in unit] + [self.end]
            header += [token for word in self.target_tokens(before[1]) for token in word] + [self.end]
        units = self.source_tokens(source) + [[self.end]]
        words = [word for pair in pairs for word in self.target_tokens(pair[1])] + [[self.end]]
        return prompt, units, header, words

    def epoch(self):
        """Examples of one pass, some of them of several pairs."""
        order = [pair for pair in self.trained for _ in range(int(pair[2] + self.random.random()))]
        self.random.shuffle(order)
        at = 0
        while at < len(order):
            chance = self.random.random()
            count = 1 if chance < 0.7 else 2 if chance < 0.84 else 3 if chance < 0.9 else 4 if chance < 0.92 else -1
            captions = self.random.random() < 0.4
            errors = captions and self.random.random() < 0.5
            before, pairs = None, order[at : at + max(count, 1)]
            at += max(count, 1)
            if count < 0 and at < len(order):
                before, at = order[at], at + 1
            example = self.example(pairs, before, captions, errors)
            if size(example) > self.longest:
                example = self.example(pairs[:1], None, captions, errors)
            if size(example) <= self.longest:
                yield example



def size(example):
    prompt, units, header, words = example
    return len(prompt) + sum(map(len, units)) + len(header) + sum(map(len, words))
