"""Texts and what they are in lower case without marks, as the first captions model was trained with them: training_text.json.

    make_training_text.py [SENTENCES]     SENTENCES: a file of lines, of which every 400th is taken
"""
import json
import re
import sys


ABBREVIATIONS = {
    "mr.": "mister", "mrs.": "missus", "dr.": "doctor", "st.": "saint", "etc.": "et cetera", "&": "and",
    "no.": "number", "messrs.": "messieurs", "jr.": "junior", "vs.": "versus",
}


def normalise(text):
    """Lower-case words and apostrophes only; None where digits or foreign letters make that impossible."""
    text = text.lower().replace("\u2019", "'").replace("\u2018", "'").replace("`", "'")
    words = [ABBREVIATIONS.get(w.strip(",;:!?\"()"), w) for w in text.split()]
    text = " ".join(words)
    text = re.sub(r"[-\u2013\u2014/]+", " ", text)
    text = re.sub(r"[^\w' ]|_", " ", text)
    if re.search(r"[^a-z' ]", text):
        return None
    # an apostrophe stays inside or at the end of a word ("don't", "boys'") but not as a quotation mark
    text = re.sub(r"(?<![a-z])'(?!(?:s|ll|tis|twas|em|d|re|ve|t)\b)", " ", text)
    text = re.sub(r"'(?![a-z])", " ", text)
    text = " ".join(text.split())
    return text or None


HOSTILE = [
    "", " ", "Hello, World!", "HE HOPED THERE WOULD BE STEW", "don't", "\u2018Tis the season\u2019s end", "'twas 'em 'd 're 've 't 's 'll", "'tisn't", "boys' toys", "'quoted words'",
    "rock 'n' roll", "o'clock", "''double''", "a' b", "'", "it's 'it's'", "Mr. Smith", "(Mr. Smith)", "\"Mrs. Jones,\"", "dr., no. 5", "no. it is not", "No.", "say no.", "St. John's, etc.", "black & white",
    "AT&T", "& & &", "well-known", "a--b", "and/or", "one\u2013two\u2014three", "under_score", "wait...", "what?!", "1984", "B2B", "50%", "caf\u00e9", "na\u00efve", "\u4f60\u597d", "tab\tand\nline",
    "  many   spaces  ", "e.g. this", "U.S.A.", "`backtick`", "vs. them", "messrs. a and b", "jr.", "semi; colon: comma,", "[brackets] {braces} <angle>", "a\u2019b", "\u201cquoted\u201d", "\u2026", "x\u00a0y",
    "-leading", "trailing-", "- - -", "can't've", "y'all'd", "'s", "s'", "a 's b", "#hash @at", "o'", "d'être", "mr.smith", "mr", "vs", "etc.,", "etc..",
]
lines = open(sys.argv[1]).read().split("\n")[::400] if len(sys.argv) > 1 else []
cases = [[t, normalise(t)] for t in dict.fromkeys(HOSTILE + lines)]
json.dump(cases, open(__file__.rsplit("/", 1)[0] + "/training_text.json", "w"), indent=0, ensure_ascii=False)
print(len(cases), "cases,", sum(c[1] is None for c in cases), "without a text")
