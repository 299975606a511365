"""Running English text as words with the mark behind them and their case: what punctuate.py learns from. Reads below BRAID_DATA."""
import gzip
import re

from places import DATA

MARKS = ["", ",", ".", "?", "!"]
LOWER, CAPITAL, CAPITALS = range(3)
ABBREVIATIONS = {"mr", "mrs", "dr", "ms", "st", "messrs", "prof"}
COMMON_VOICE = DATA / "text/sentences-cc0/common-voice-en.txt.gz"


def mark_of(characters):
    """Index in MARKS of what stands behind a word"""
    for mark in "?!.":
        if mark in characters:
            return MARKS.index(mark)
    return MARKS.index(",") if re.search("[,;:]", characters) else 0


def case_of(word):
    if len(word) > 1 and word.isupper():
        return CAPITALS
    return CAPITAL if word[:1].isupper() else LOWER


def words_of(line):
    """[word, mark] each; quotes and brackets are left out, dashes become commas, parts of "sun-dried" are words of their own"""
    line = re.sub(r"""["“”()\[\]_*]|(?<!\w)[\'‘’]|[\'’](?!\w)""", " ", line.replace("’", "'"))
    line = re.sub(r"\s*(--+|—|–| - )\s*", ", ", line)
    words = []
    for piece in line.split():
        match = re.match(r"^([\w'&.-]*[\w'])([^\w']*)$", piece)
        if match:
            word, behind = match.groups()
            parts = [part for part in re.split("[-&]", word) if part]
            words += [[part, 0] for part in parts]
            if parts:
                words[-1][1] = mark_of(behind)
        elif words and piece[0] in ",;:.?!" and words[-1][1] == 0:
            words[-1][1] = mark_of(piece)
    return words


def labelled_words(line):
    """(word in small letters, mark, case) each"""
    return [(word.lower().rstrip("."), mark, case_of(word)) for word, mark in words_of(line.strip())]


def read_running_text(name):
    words = []
    for line in gzip.open(DATA / f"text/more-english/{name}.txt.gz", "rt"):
        words += [(word, 0 if word in ABBREVIATIONS else mark, case) for word, mark, case in labelled_words(line)]
    return words


def read_sentences():
    """Those of 2 to 40 words that end with a mark"""
    for line in gzip.open(COMMON_VOICE, "rt"):
        words = labelled_words(line)
        if 2 <= len(words) <= 40 and words[-1][1] >= MARKS.index("."):
            yield words
