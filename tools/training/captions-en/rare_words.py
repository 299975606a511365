"""Fast synthetic speech with words that are met seldom.

    rare_words.py HOURS LEAST_COUNT

Rare are those of GPT-2's tokens that the sentences of novels, addresses, space flight, meetings, Common Voice's collections and Tatoeba have LEAST_COUNT
to 4,000 times. Sentences with the most of them come first, spoken by Flite and eSpeak NG: rare.i16 and rare.json, whose items have no word times. Texts that
are kept out are left out.
"""
import collections
import gzip
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np
import scipy.signal
import soundfile
import tiktoken

import vocabulary
from places import DATA, WORK
from sounds import real_items
from synthetic import kept_out_texts
from synthetic_texts import spoken_sentence
from whisper import SAMPLE_RATE

BOOKS = ("gutenberg-books-00", "gutenberg-books-01", "us-presidents-00", "nasa-spacelog-00", "qmsum-meetings-00")
SECONDS_A_SENTENCE = 3.2
OFTEN = 4000      # a token met so often in the sentences needs no more of them
ENOUGH = 14       # sentences for a rare token
LONGEST_TOKENS = 30
ESPEAK_VOICES = ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-029", "en-gb-x-gbcwmd")
ESPEAK_VARIANTS = ("", *(f"+m{i}" for i in range(1, 8)), *(f"+f{i}" for i in range(1, 6)))


def sentences(draw):
    kept_out = kept_out_texts()
    lines = [(line, 20) for line in gzip.open(DATA / "text/sentences-cc0/common-voice-en.txt.gz", "rt")]
    for name in BOOKS:
        lines += [(line, 22) for line in gzip.open(DATA / f"text/more-english/{name}.txt.gz", "rt")]
    lines += [(line.split("\t")[0], 20) for line in gzip.open(DATA / "text/tatoeba-train/eng-fra.tsv.gz", "rt")]
    spoken = filter(None, (spoken_sentence(line, most_words, kept_out) for line, most_words in lines))
    found = list(dict.fromkeys(" ".join(text.split()) for text in spoken))
    draw.shuffle(found)
    return found


def choose_sentences(ids, rare, count):
    """Those with five rare tokens that are still wanted, then four, and so on"""
    chosen = []
    left = list(range(len(ids)))
    met = collections.Counter()
    for wanted in (5, 4, 3, 2, 1, 1):
        passed = []
        for index in left:
            tokens = set(ids[index])
            if len(chosen) < count and len(ids[index]) <= LONGEST_TOKENS and sum(token in rare and met[token] < ENOUGH for token in tokens) >= wanted:
                chosen.append(index)
                met.update(tokens)
            else:
                passed.append(index)
        left = passed
    return chosen + left[:count - len(chosen)]


def command(text, wav, draw):
    """-> the voice and how to make it speak"""
    kind = draw.random()
    if kind < 0.4:
        voice = draw.choice(ESPEAK_VOICES) + draw.choice(ESPEAK_VARIANTS)
        return f"espeak/{voice}", ["espeak-ng", "-v", voice, "-s", str(draw.randint(125, 190)), "-p", str(draw.randint(15, 85)), "-w", wav, text]
    voice = "slt" if kind < 0.62 else "awb" if kind < 0.84 else "kal16"
    pitch = draw.uniform(140, 210) if voice == "slt" else draw.uniform(80, 130)
    return f"flite/{voice}", ["flite", "-voice", voice, "--setf", f"duration_stretch={draw.uniform(0.82, 1.2):.2f}",
                              "--setf", f"int_f0_target_mean={pitch:.0f}", "-t", text, "-o", wav]


def spoken(text, folder, draw):
    """-> the voice and int16 samples with little silence around them; None where it said nothing"""
    wav = str(pathlib.Path(folder) / "a.wav")
    voice, how = command(text, wav, draw)
    subprocess.run(how, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30)
    sound, rate = soundfile.read(wav, dtype="float32")
    if rate != SAMPLE_RATE:
        sound = scipy.signal.resample_poly(sound, 320, 441) if rate == 22050 else scipy.signal.resample_poly(sound, SAMPLE_RATE, rate)
    loud = np.flatnonzero(np.abs(sound) > 0.009 * np.abs(sound).max())
    if len(loud) == 0:
        return None
    sound = sound[max(0, loud[0] - 800 * draw.randint(0, 4)):loud[-1] + 800 * draw.randint(0, 6)]
    sound = sound / (np.abs(sound).max() + 1e-6) * draw.uniform(0.2, 0.8)
    return voice, np.clip(np.round(sound * 32767), -32768, 32767).astype(np.int16)


def main():
    draw = random.Random(11)
    texts = sentences(draw)
    token_of = {rank: token for token, rank in vocabulary.ranks().items()}
    whole = tiktoken.Encoding("gpt2", pat_str=vocabulary.PATTERN, mergeable_ranks=vocabulary.ranks(), special_tokens={})
    ids = [whole.encode(" " + text) for text in texts]
    counts = collections.Counter(token for tokens in ids for token in tokens)
    for item in real_items():
        if item["split"] == "train":
            counts.update(whole.encode(" " + item["text"].lower()))
    tokens = vocabulary.choose(collections.Counter({token_of[token]: count for token, count in counts.items()}), int(sys.argv[2]))
    rare = {token for token, count in counts.items() if count < OFTEN} & {vocabulary.ranks()[token] for token in tokens}
    chosen = choose_sentences(ids, rare, int(float(sys.argv[1]) * 3600 / SECONDS_A_SENTENCE))
    draw.shuffle(chosen)
    items = []
    start = 0
    with open(WORK / "rare.i16", "wb") as file, tempfile.TemporaryDirectory() as folder:
        for number, index in enumerate(chosen):
            made = spoken(texts[index], folder, draw)
            if made is None or not 0.5 * SAMPLE_RATE < len(made[1]) < 24 * SAMPLE_RATE:
                continue
            made[1].tofile(file)
            items.append({"id": f"rare-{number}", "text": texts[index], "start": start, "length": len(made[1]), "source": "rare/" + made[0],
                          "split": "train", "synth": True})
            start += len(made[1])
    json.dump(items, open(WORK / "rare.json", "w"))
    print(f"{len(rare)} rare tokens; {len(items)} utterances, {start / SAMPLE_RATE / 3600:.2f} h")


if __name__ == "__main__":
    main()
