#!/usr/bin/env python3
"""The sentence pairs that a translator learns from, written alike.

Both sides: white space made single plain spaces, curly apostrophes straight, zero-width characters out. French: one plain space before
? ! ; : and inside guillemets, however it was typed. Pairs that come out twice are written once.

usage: prepare.py fr|de PAIRS.tsv.gz > pairs.tsv
"""
import gzip
import re
import sys


def plain(text):
    for found, wanted in (("\u2019", "'"), ("\u2018", "'"), ("\u201b", "'"), ("\u201c", '"'), ("\u201d", '"'), ("\u2010", "-"), ("\u2011", "-"), ("\u200b", ""), ("\u00ad", ""), ("\ufeff", "")):
        text = text.replace(found, wanted)
    return " ".join(text.split())


def french(text):
    text = re.sub(r"\s*([?!;»]+)", r" \1", text)
    text = re.sub(r"«\s*", "« ", text)
    text = re.sub(r"\s*:(?=\s|$)", " :", text)  # not within 10:30
    return " ".join(text.split())


language, file = sys.argv[1:]
seen = set()
for line in gzip.open(file, "rt", encoding="utf-8"):
    columns = line.rstrip("\n").split("\t")
    target = plain(columns[1])
    pair = plain(columns[0]), french(target) if language == "fr" else target
    if all(pair) and pair not in seen:
        seen.add(pair)
        print("\t".join(pair))
