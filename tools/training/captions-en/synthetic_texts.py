"""Prints sentences for synthetic speech, with capitals and marks: 7,000 of Common Voice's collections and 7,700 of novels, addresses, space flight and meetings."""
import gzip
import json
import random
import re

from places import CHECKOUT, DATA, WORK
from prepare import normalised

SOURCES = (("gutenberg-books-00", 3500), ("gutenberg-books-01", 800), ("us-presidents-00", 1200), ("nasa-spacelog-00", 700), ("qmsum-meetings-00", 1500))


def spoken_sentence(line, most_words, kept_out):
    """The line as it can be spoken, with marks that captions have; None where it is no plain sentence or is kept out"""
    line = re.sub('["“”]', "", line.strip().replace("’", "'").replace("--", ", ").replace(";", ","))
    plain = re.fullmatch(r"[A-Z][A-Za-z',.?!: -]*[.?!]", line) and not re.search(r"[A-Z]{3}|\b[A-Z]\.|\b(Mr|Mrs|Dr|St)\.$", line)
    return line if plain and 3 <= len(line.split()) <= most_words and normalised(line) not in kept_out else None


def main():
    draw = random.Random(5)
    kept_out = {normalised(line) for line in open(CHECKOUT / "tools/training/held_out_sentences.txt")}
    kept_out |= {normalised(item["text"]) for item in json.load(open(WORK / "items.json")) if item["split"] != "train"}

    chosen = []
    for path, most_words, count in [(DATA / "text/sentences-cc0/common-voice-en.txt.gz", 20, 7000)] + [(DATA / f"text/more-english/{name}.txt.gz", 24, count) for name, count in SOURCES]:
        known = list(filter(None, (spoken_sentence(line, most_words, kept_out) for line in gzip.open(path, "rt"))))
        draw.shuffle(known)
        chosen += known[:count]
    draw.shuffle(chosen)
    print("\n".join(chosen))


if __name__ == "__main__":
    main()
