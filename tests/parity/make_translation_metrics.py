#!/usr/bin/env python3
"""Writes tests/parity/translation_metrics.json: BLEU and chrF as sacrebleu counts them, for hostile and ordinary sentences.

Usage: make_translation_metrics.py OUTPUT.json
Needs the Python package sacrebleu (2.6.0). Texts are stored as hex of their UTF-8.
"""
import json
import sys
from importlib.metadata import version

from sacrebleu.metrics import BLEU, CHRF

PAIRS = [  # hypothesis, references
    ("The cat sat on the mat.", ["The cat sat on the mat."]),
    ("The cat sat on the mat", ["A cat is sitting on the mat.", "The cat sat upon the mat."]),
    ("the the the the the the the", ["The cat is on the mat.", "There is a cat on the mat."]),
    ("It is a guide to action which ensures that the military always obeys the commands of the party.",
     ["It is a guide to action that ensures that the military will forever heed Party commands.", "It is the guiding principle which guarantees the military forces always being under the command of the Party."]),
    ("", ["Nothing was said."]), ("Something was said.", [""]), ("", [""]), ("   ", [" "]), ("a", ["a"]), ("a b", ["a b"]), ("a b c", ["a b c"]), ("x y z", ["a b c"]),
    ("3,000.50 euros, 3.000,50 Euro; 10-12 and 2-a, a-2.", ["3,000.50 euros, 3.000,50 Euro; 10 - 12 and 2-a, a-2 ."]),
    ("He said: &quot;No &amp; yes&quot; &lt;b&gt; &amp;lt;", ["He said: \"No & yes\" <b> <"]),
    ("well-\nknown line\nends <skipped>", ["wellknown line ends"]), ("a,,b..c ,, .. ,.5.,", ["a, ,b. .c ,, .. , .5 . ,"]),
    ("C'est l'\u00e9t\u00e9, n'est-ce pas\u00a0? \u00ab Oui \u00bb \u2026", ["C'est l'\u00e9t\u00e9, n'est-ce pas ? \u00ab\u00a0Oui\u00a0\u00bb ..."]),
    ("Das ist ein Haus\u3000und ein\u2028Garten\x1cdort", ["Das ist ein Haus und ein Garten dort"]),
    ("\u4f60\u597d\uff0c\u4e16\u754c\uff01\u6211\u5f88\u597d\u3002", ["\u4f60\u597d\u4e16\u754c\uff0c\u6211\u4e5f\u5f88\u597d\u3002"]), ("\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8", ["\u65e5\u672c\u8a9e\u306e\u6587\u7ae0"]),
    ("[1] {x|y} ~a~ `b` ^c^ _d_ \\e\\ /f/ @g #h $i %j &k *l +m =n <o> ?p !q ;r :s (t)", ["[ 1 ] {x | y} ~a~ `b` ^c^ _d_ \\e\\ / f / @g #h $i %j &k *l +m =n <o> ?p !q ;r :s (t)"]),
    ("\U0001f600 caf\u00e9.5 \u0665.5 5.\u0665 \u00bd,5", ["\U0001f600 caf\u00e9 . 5 \u0665 . 5 5. \u0665 \u00bd ,5"]), ("trailing dots...", ["trailing dots ..."]), ("Mixed CASE matters", ["mixed case matters"]),
    ("the quick brown fox jumps over the lazy dog " * 3, ["the quick brown fox jumped over a lazy dog " * 3]),
    ("short", ["a much longer reference than the hypothesis"]), ("a much longer hypothesis than the reference is", ["short one"]),
]


def main():
    out = {"made_with": {"sacrebleu": version("sacrebleu")}, "pairs": [{"hypothesis": h.encode().hex(), "references": [r.encode().hex() for r in rs]} for h, rs in PAIRS], "bleu": {}, "chrf": {}}
    hypotheses = [h for h, _ in PAIRS]
    first = [[rs[0] for _, rs in PAIRS]]
    for tokenize in ("13a", "char", "none"):
        corpus = BLEU(tokenize=tokenize)
        sentence = BLEU(tokenize=tokenize, effective_order=True)
        whole = corpus.corpus_score(hypotheses, first)
        out["bleu"][tokenize] = {
            "tokens": [corpus.tokenizer(h.rstrip()).split() for h in hypotheses],
            "sentences": [sentence.sentence_score(h, rs).score for h, rs in PAIRS],
            "sentences_all_orders": [corpus.sentence_score(h, rs).score for h, rs in PAIRS],
            "corpus": whole.score, "precisions": whole.precisions, "brevity_penalty": whole.bp, "lengths": [whole.sys_len, whole.ref_len],
            "signature": str(corpus.get_signature()),
        }
    chrf = CHRF()
    out["chrf"] = {"sentences": [chrf.sentence_score(h, rs).score for h, rs in PAIRS], "corpus": chrf.corpus_score(hypotheses, first).score, "signature": str(chrf.get_signature())}
    json.dump(out, open(sys.argv[1], "w"), separators=(",", ":"))


if __name__ == "__main__":
    main()
