#!/usr/bin/env python3
"""Writes tests/parity/tokenizers.json: what tiktoken and openai-whisper make of a battery of hostile texts.

Usage: make_tokenizer_vectors.py OUTPUT.json
Needs the Python packages tiktoken, openai-whisper (installed with --no-deps; numba is not needed here) and transformers/tokenizers for the
Hugging Face half. Texts are stored as hex of their UTF-8, so that the file itself is plain ASCII.
"""
import json
import os
import string
import sys
import tempfile
import types

sys.modules["numba"] = types.SimpleNamespace(jit=lambda *a, **k: (lambda f: f))  # openai-whisper imports it for its DTW only
import tiktoken  # noqa: E402
import tokenizers  # noqa: E402
import whisper.tokenizer as wt  # noqa: E402
from importlib.metadata import version  # noqa: E402

ZWJ = "\u200d"
TEXTS = [
    "", " ", "  ", "a", " a", "  a", "\n", " \n", "\n a", "\t\ta", "a ", "a  ", "a \n b", "\r\n\r\nx", "\u00a0\u00a0x", "\u3000x\u3000", "\u2028x", "x\u1680 y",
    "Hello, world!", " And so, my fellow Americans, ask not what your country can do for you.",
    "I'm you're he'll we've they'd it's can't", "I'M YOU'RE HE'LL WE'VE THEY'D IT'S CAN'T", "'s't're've'm'll'd 'S'T", "rock 'n' roll o'clock 'tis", "a's b'", "''s", "'sx",
    "It\u2019s \u2018quoted\u2019 \u201ctext\u201d\u2026 \u2013 \u2014 \u00ab\u00bb",
    "1234567890", "1,234.56 3/4 10% $5", " 12 345", "\u0663\u0664\u0665 \u096a\u096b \u0e53\u0e54 \u4e09\u5341 \u2167 \u00bd \u00b2 \u2460", "x2y3z", "\U0001d7d9\U0001d7da", "\u0bf0\u0bf1",
    "\u4f60\u597d\uff0c\u4e16\u754c\uff01", "\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8\u3067\u3059\u3002", "\ud55c\uad6d\uc5b4 \ud14d\uc2a4\ud2b8", "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22\u0e44\u0e21\u0e48\u0e21\u0e35\u0e0a\u0e48\u0e2d\u0e07\u0e27\u0e48\u0e32\u0e07",
    "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645\u060c \u0643\u064a\u0641 \u0627\u0644\u062d\u0627\u0644\u061f", "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd", "\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e",
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440!", "\u0393\u03b5\u03b9\u03ac \u03c3\u03bf\u03c5 \u039a\u03cc\u03c3\u03bc\u03b5", "\u10d2\u10d0\u10db\u10d0\u10e0\u10ef\u10dd\u10d1\u10d0", "\u1260\u12a0\u121b\u122d\u129b", "\u1019\u103c\u1014\u103a\u1019\u102c", "\u0ea5\u0eb2\u0ea7",
    "\U0001f600", "\U0001f468" + ZWJ + "\U0001f469" + ZWJ + "\U0001f467" + ZWJ + "\U0001f466 family", "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", "\U0001f44d\U0001f3fd", "\u2764\ufe0f", "\U0001fae8 new",
    "e\u0301 n\u0303 a\u030a\u0323", "\u0344\u0344\u0344", "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324", "\u00e9\u00e8\u00ea\u00eb \u00fc\u00f6\u00e4\u00df", "\ufb01 \ufb02 \u01c5 \u2126 \u212b",
    "\u266a\u266a\u266a la la \u266a", "\u2669\u266b\u266c\u266d\u266e\u266f", "\u300c\u5f15\u7528\u300d\u300e\u66f8\u540d\u300f", "[BLANK_AUDIO] (music) {x} <y> *z* ~w~",
    "\x00", "\x01\x02\x1b[31m\x7f", "a\x00b", "\u0085x\u009f", "\ufeffBOM", "\u200b\u200c\u200d\u2060", "\ue000\uf8ff private", "\U0010ffff\ufffe\uffff", "\ufffd real replacement",
    "<|endoftext|>", "<|startoftranscript|><|en|><|transcribe|><|notimestamps|>", "<|0.00|> hi <|2.00|>", "<|nospeech|", "<|", "|>", "<pad> </s> [CLS]",
    "foo_bar.baz(qux)[0] += 1; // comment\n\tif (x) { return -1; }", "https://example.org/a?b=c&d=%20#e", "user@example.org", "C:\\Users\\x", "!!!???...---===", "$$$ \u20ac\u00a3\u00a5 \u00a9\u00ae\u2122",
    "antidisestablishmentarianism Donaudampfschifffahrtsgesellschaftskapit\u00e4n", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "abababababababababababababababab",
    " leading", "trailing ", " both ", "a\n\n\nb", "a\n \n b", "   \n   x", "\t \t x", " \u00a0 x", "x   y    z", "   'll",
    string.printable, "The quick brown fox jumps over the lazy dog. " * 4,
    "\U00010400\U00010428 \U0001d400\U0001d401 \U00020000\U00020001 \U0001e900", "\u1e9e\u0130\u0131 \u03c2\u03c3", "\ua66f\u20dd\u1abe", "\u2160\u2188\u3007\u3021", "\u0f33\u19da\u17f0",
]
LONG = {"spaces_10000": " " * 10000, "spaces_10000_x": " " * 10000 + "x", "newlines_5000": "\n" * 5000, "a_3000": "a" * 3000, "emoji_500": "\U0001f468\u200d\U0001f469" * 500,
        "mixed_20000": "".join(chr(0x21 + (i * i * 7 + i) % 0x24f) + (" " if i % 7 == 0 else "") for i in range(20000))}
WORDS = [
    ("en", " And so, my fellow Americans, ask not what your country can do for you."), ("en", " It's 3:45 p.m. -- isn't it? \"Yes\", (she) said... don't"),
    ("en", " caf\u00e9 na\u00efve \U0001f468\u200d\U0001f469 done"), ("en", "Hello"), ("en", ""), ("fr", " L'\u00e9t\u00e9 d'apr\u00e8s, o\u00f9 va-t-il ?"), ("zh", "\u4f60\u597d\uff0c\u4e16\u754c\uff01\u6211\u5f88\u597d\u3002"),
    ("ja", "\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8\u3067\u3059\u3002\u9f98\u9f49"), ("th", "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22"), ("ko", " \ud55c\uad6d\uc5b4 \ud14d\uc2a4\ud2b8\uc785\ub2c8\ub2e4."), ("yue", "\u4f62\u54cb\u5497\u5187\uff1f\U00020bb7"),
    ("ar", " \u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645\u060c"), ("en", " +,- #$% 'quoted' [x]"), ("en", " line\nbreak\ttab"), ("en", " \ufffd broken"), ("my", "\u1019\u103c\u1014\u103a\u1019\u102c"), ("lo", "\u0ea5\u0eb2\u0ea7"),
]


def fnv(ids):
    """64-bit FNV-1a over the ids as little-endian 32-bit numbers: long results are compared by count and hash."""
    h = 0xCBF29CE484222325
    for i in ids:
        for b in int(i).to_bytes(4, "little"):
            h = ((h ^ b) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"


def tokenizer_facts(t):
    return {
        "n_vocab": t.encoding.n_vocab, "eot": t.eot, "sot": t.sot, "transcribe": t.transcribe, "translate": t.translate, "sot_lm": t.sot_lm, "sot_prev": t.sot_prev,
        "no_speech": t.no_speech, "no_timestamps": t.no_timestamps, "timestamp_begin": t.timestamp_begin, "non_speech_tokens": list(t.non_speech_tokens),
        "languages": {c: t.to_language_token(c) for c in t.all_language_codes} if t.encoding.n_vocab > 51864 else {},
    }


def main():
    out = {"made_with": {p: version(p) for p in ("tiktoken", "openai-whisper", "tokenizers")}, "texts": [t.encode().hex() for t in TEXTS], "models": {}}
    for name, multilingual, languages in (("english", False, 99), ("multilingual", True, 99), ("large-v3", True, 100)):
        t = wt.get_tokenizer(multilingual, num_languages=languages, language="en" if multilingual else None, task="transcribe" if multilingual else None)
        model = tokenizer_facts(t)
        model["sot_sequence"] = list(t.sot_sequence)
        if name != "large-v3":  # the same vocabulary as multilingual
            model["ids"] = [t.encoding.encode_ordinary(text) for text in TEXTS]
            model["long"] = {key: {"text": fnv(text.encode()), "count": len(t.encoding.encode_ordinary(text)), "hash": fnv(t.encoding.encode_ordinary(text))} for key, text in LONG.items()}
            model["single_characters"] = character_hash(t.encoding)
        out["models"][name] = model
    words = []
    for language, text in WORDS:
        t = wt.get_tokenizer(True, num_languages=100, language=language, task="transcribe")
        ids = t.encoding.encode_ordinary(text)
        w, tokens = t.split_to_word_tokens(ids)
        words.append({"language": language, "ids": ids, "words": [x.encode().hex() for x in w], "word_ids": tokens})
    out["words"] = words
    out["hugging_face"] = hugging_face()
    json.dump(out, open(sys.argv[1], "w"), separators=(",", ":"))
    print(os.path.getsize(sys.argv[1]), "bytes")


def character_hash(encoding):
    """Every code point between an 'a' and a '1': where it is cut tells its class. One hash per block of 4096 code points."""
    blocks = {}
    for block in range(0, 0x110000, 0x1000):
        if 0xD000 < block < 0xE000:
            continue
        points = [c for c in range(block, block + 0x1000) if not 0xD800 <= c < 0xE000]
        h = fnv([i for c in points for i in encoding.encode_ordinary("a" + chr(c) + "1" + chr(c) + "a")])
        blocks[f"{block:x}"] = h
    return blocks


def hugging_face():
    """A small byte-level vocabulary trained here, in the form our own models ship it; its ids over the same texts."""
    with tempfile.TemporaryDirectory() as folder:
        made = {}
        for key, ignore_merges in (("plain", False), ("ignore_merges", True)):
            t = tokenizers.Tokenizer(tokenizers.models.BPE(ignore_merges=ignore_merges))
            t.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
            t.decoder = tokenizers.decoders.ByteLevel()
            t.train_from_iterator(TEXTS, tokenizers.trainers.BpeTrainer(vocab_size=420, initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
            t.add_special_tokens(["<|endoftext|>", "<|startoftranscript|>", "<|notimestamps|>", "<|nospeech|>"])
            path = os.path.join(folder, "t.json")
            t.save(path)
            plain = [x for x in TEXTS if "<|" not in x]  # special tokens in a text are text for us, not for this library
            made[key] = {"tokenizer": json.load(open(path)), "texts": [x.encode().hex() for x in plain], "ids": [t.encode(x, add_special_tokens=False).ids for x in plain]}
        return made


if __name__ == "__main__":
    main()
