"""Synthetic utterances of braid-cli synth (WORK/syn/FOLDER), end to end in synth.i16, and a list of them, synth.json.

    synthetic.py FOLDER ...

Reads syn/texts.txt for capitals and marks, items.json and the kept-out texts: what stands among these is left out. The list has {id, text,
start, length, ends, source, split, synth}; `ends` are the written words' in seconds, and a written word may be several spoken ones.
"""
import json
import sys

import soundfile

from places import CHECKOUT, DATA, WORK
from prepare import normalised
from sounds import real_items
from whisper import SAMPLE_RATE


def kept_out_texts():
    texts = {normalised(item["text"]) for item in real_items() if item["split"] != "train"}
    texts |= {normalised(line.split("\t")[1]) for line in open(DATA / "speech/clips/transcripts.tsv")}
    return texts | {normalised(line) for line in open(CHECKOUT / "tools/training/held_out_sentences.txt")}


def word_ends(text, spoken):
    """spoken: [word, start_s, end_s] each. None where the two do not go together."""
    ends = []
    taken = 0
    for word in text.split():
        count = len(normalised(word.replace("-", " ")).split())
        if count == 0:
            ends.append(ends[-1] if ends else 0.1)
            continue
        taken += count
        if taken > len(spoken):
            return None
        ends.append(round(spoken[taken - 1][2], 3))
    return ends if taken == len(spoken) else None


def main():
    written = {}
    for line in open(WORK / "syn/texts.txt"):
        written.setdefault(normalised(line), line.strip())
    kept_out = kept_out_texts()
    items = []
    start = 0
    without_words = left_out = 0
    with open(WORK / "synth.i16", "wb") as file:
        for folder in sys.argv[1:]:
            for line in open(WORK / "syn" / folder / "manifest.jsonl"):
                made = json.loads(line)
                text = written.get(normalised(made["text"]))
                ends = word_ends(text, made["words"]) if text is not None and "words" in made else None
                if ends is None:
                    without_words += 1
                    continue
                if normalised(text) in kept_out:
                    left_out += 1
                    continue
                sound, rate = soundfile.read(WORK / "syn" / folder / made["sound"], dtype="int16")
                if rate != SAMPLE_RATE:
                    raise SystemExit(f"{made['sound']} has {rate} samples a second")
                items.append({"id": f"syn-{folder}-{made['sound']}", "text": text, "start": start, "length": len(sound), "ends": ends,
                              "source": "syn/" + made["source"], "split": "train", "synth": True})
                start += len(sound)
                sound.tofile(file)
    json.dump(items, open(WORK / "synth.json", "w"))
    print(f"{len(items)} utterances, {start / SAMPLE_RATE / 3600:.2f} h; without words {without_words}, kept out {left_out}")


if __name__ == "__main__":
    main()
