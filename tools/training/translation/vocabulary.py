#!/usr/bin/env python3
"""A vocabulary for a pair of languages, learnt from its sentence pairs: byte-level BPE in the layout of another translator's tokenizer.json, whose marks
stay its last tokens. Sources are learnt as written and in small letters, as captions may have them.

usage: vocabulary.py SIZE LIKE_TOKENIZER_JSON PAIRS.tsv > tokenizer.json
"""
import json
import sys

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

size, like, pairs = int(sys.argv[1]), sys.argv[2], sys.argv[3]
layout = json.load(open(like, encoding="utf-8"))
other = Tokenizer.from_file(like)
learner = Tokenizer(models.BPE())
learner.normalizer, learner.pre_tokenizer, learner.decoder = other.normalizer, other.pre_tokenizer, other.decoder


def texts():
    seen = set()
    for line in open(pairs, encoding="utf-8"):
        source, target = line.rstrip("\n").split("\t")
        yield " " + target
        if source not in seen:
            seen.add(source)
            yield " " + source
            yield " " + source.lower()


marks = layout["added_tokens"]
learner.train_from_iterator(texts(), trainers.BpeTrainer(vocab_size=size - len(marks), initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
learnt = json.loads(learner.to_str())["model"]
layout["model"].update(vocab=learnt["vocab"], merges=learnt["merges"])
for number, mark in enumerate(marks):
    mark["id"] = len(learnt["vocab"]) + number
json.dump(layout, sys.stdout, ensure_ascii=False)
