#!/usr/bin/env python3
"""Writes tests/parity/language_tokenizers.json: small tokenizers of each family's make, and what Hugging Face's tokenizers does with them.

Usage: make_language_tokenizers.py OUTPUT.json
Needs the Python packages tokenizers (0.23.3) and unicodedata2 (16.0.0). Each entry is a whole tokenizer.json, trained here on the texts below, with the ids of a battery of
hostile texts and what those ids decode to. Texts are stored as hex of their UTF-8.
"""
import json
import os
import sys

import unicodedata2
from importlib.metadata import version

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

ZWJ = "\u200d"
TEXTS = [
    "", " ", "  ", "a", " a", "  a", "\n", " \n", "\n a", "\t\ta", "a ", "a  ", "a \n b", "\r\n\r\nx", "\u00a0\u00a0x", "\u3000x\u3000", "x\u1680 y", "a\n\n\nb", "   \n   x", " \u00a0 x", "x   y    z",
    "Hello, world!", "I'm you're he'll we've they'd it's can't", "I'M YOU'RE HE'LL WE'VE THEY'D IT'S CAN'T", "'s't're've'm'll'd 'S'T", "'\u017f a'\u017fb \u212a", "rock 'n' roll o'clock", "''s",
    "It\u2019s \u2018quoted\u2019 \u201ctext\u201d\u2026 \u2013 \u2014 \u00ab\u00bb", "1234567890", "1,234.56 3/4 10% $5", " 12 345", "\u0663\u0664\u0665 \u096a\u096b \u4e09\u5341 \u2167 \u00bd \u00b2 \u2460", "x2y3z",
    "\u4f60\u597d\uff0c\u4e16\u754c\uff01", "\u65e5\u672c\u8a9e\u306eTEXT\u3067\u3059\u3002ABC\u65e5\u672cABc", "\ud55c\uad6d\uc5b4", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22",
    "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645\u060c", "\u0928\u092e\u0938\u094d\u0924\u0947", "\u041f\u0440\u0438\u0432\u0435\u0442, \u041c\u0418\u0420! \u043c\u0438\u0440\u044bX", "\u0393\u03b5\u03b9\u03ac \u03a3\u039f\u03a5",
    "\U0001f600", "\U0001f468" + ZWJ + "\U0001f469" + ZWJ + "\U0001f467", "\U0001f1e9\U0001f1ea", "\u2764\ufe0f", "e\u0301 n\u0303 a\u030a\u0323 \u0344", "Z\u0351\u036b\u0343 \u0301\u0301x", "\u0301A\u0301bC", "\u0130\u0131 \u1e9e \u01c5\u01c6 \u212b \u2126 \ufb01", "\u0958\u09dc\u2adc \u1e9b\u0323",
    "CamelCaseWords HTTPServer iPhone XMLHttpRequest's ABC'S aB'Ll", "foo/bar//\n/x", "!!!???...---===", "// comment\r\n\r\n", "foo_bar.baz(qux)[0] += 1;", "\x00", "\x01\x02\x1b[31m\x7f", "\u200b\u200c\u2060", "\ufeffBOM", "\ue000\uf8ff", "\U0010ffff", "\ufffd",
    "<s>", "</s>x", "a<s>b", "a <s> b", "<|end|>", "<|end|> \n x", "x <|end|>  <|end|>y", "<|user|>\nHi<|end|>\n<|assistant|>\n", "  <mask> x", "a  <mask>b<mask>", "word wordy aword word, \u00e9word word_ 1word", "<tool> <tool>\u00e9", "TOOL <TOOL>", "<0x41> <0xZZ>", "\u2581\u2581a \u2581", "<|im_start|>user\nA<|im_end|>",
    "the the The THE theory", "antidisestablishmentarianism", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa", "abababab", "\u00e9\u00e8\u00ea \u00fc\u00f6\u00e4\u00df", "  the   end  ", "\u1680\u2003\u2028the\u2029", "Bonjour, le monde. C'est l'\u00e9t\u00e9 !",
]
CORPUS = TEXTS + ["The quick brown fox jumps over the lazy dog.", "the end of the world and the beginning of another one", "Le chat dort sur le tapis. Das ist ein Haus."] * 6

LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
QWEN35 = QWEN2.replace(r"?\p{L}+", r"?[\p{L}\p{M}]+").replace(r"[^\s\p{L}\p{N}]+[\r\n]*", r"[^\s\p{L}\p{M}\p{N}]+[\r\n]*")
WORD = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]", r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
O200K = (r"[^\r\n\p{L}\p{N}]?" + WORD[0] + "*" + WORD[1] + "+" + WORD[2] + r"|[^\r\n\p{L}\p{N}]?" + WORD[0] + "+" + WORD[1] + "*" + WORD[2]
         + r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
ALPHABET = pre_tokenizers.ByteLevel.alphabet()


def byte_level(pattern, size, normalizer=None, **options):
    t = Tokenizer(models.BPE(**options))
    if normalizer:
        t.normalizer = normalizer
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    t.decoder = decoders.ByteLevel()
    t.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=size, initial_alphabet=ALPHABET, show_progress=False))
    return t


def llama3():
    t = byte_level(LLAMA3, 400, ignore_merges=True)
    t.add_special_tokens(["<s>", "<|end|>", "<|user|>", "<|assistant|>"])
    t.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", t.token_to_id("<s>"))])])
    return t


def qwen2():
    t = byte_level(QWEN2, 400, normalizers.NFC())
    t.add_special_tokens(["<|im_start|>", "<|im_end|>"])
    t.add_tokens([AddedToken("<tool>", special=False, normalized=False)])
    return t


def o200k():
    t = byte_level(O200K, 400)
    t.add_special_tokens([AddedToken("<|end|>", rstrip=True, normalized=False, special=True), AddedToken("<mask>", lstrip=True, normalized=False, special=True), AddedToken("  <", normalized=False)])
    t.add_tokens([AddedToken("word", single_word=True, normalized=False)])
    return t


def characters(size, normalizer, pre_tokenizer, decoder, byte_tokens=True, **options):
    """BPE over characters; the byte tokens come first, as SentencePiece has them."""
    t = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=byte_tokens, **options))
    t.normalizer = normalizer
    if pre_tokenizer:
        t.pre_tokenizer = pre_tokenizer
    t.decoder = decoder
    special = ["<unk>", "<s>", "</s>"] + (["<0x%02X>" % b for b in range(256)] if byte_tokens else [])
    plain = [x for x in CORPUS if x.isascii() or "\u00e9" in x]
    t.train_from_iterator(plain, trainers.BpeTrainer(vocab_size=size, special_tokens=special, show_progress=False, limit_alphabet=70))
    description = json.loads(t.to_str())
    description["added_tokens"] = [x for x in description["added_tokens"] if not x["content"].startswith("<0x")]
    # Training in pieces leaves no merge across them; with none at all a whole line would be one token.
    return Tokenizer.from_str(json.dumps(description))


def pieces_decoder(strip):
    steps = [decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()]
    return decoders.Sequence(steps + ([decoders.Strip(" ", 1, 0)] if strip else []))


def llama2():
    t = characters(520, normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]), None, pieces_decoder(True), fuse_unk=True)
    t.add_special_tokens([AddedToken("<|end|>", rstrip=True, normalized=False, special=True), AddedToken("<|user|>", rstrip=True, normalized=False, special=True)])
    t.add_tokens([AddedToken("<tool>", normalized=True)])
    t.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)])
    return t


def llama2_metaspace():
    return characters(500, normalizers.Sequence([]), pre_tokenizers.Metaspace("\u2581", "first", False), pieces_decoder(True), fuse_unk=True)


def gemma():
    t = characters(500, normalizers.Replace(" ", "\u2581"), pre_tokenizers.Split(" ", "merged_with_previous"), pieces_decoder(False), fuse_unk=True)
    t.add_tokens([AddedToken("\u2581\u2581", normalized=False), AddedToken("\n\n", normalized=False), AddedToken("\n", normalized=False), AddedToken("\u2581\u2581\u2581", normalized=False)])
    return t


def digits():
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=True, use_regex=True)])
    t.decoder = decoders.ByteLevel()
    t.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=360, initial_alphabet=ALPHABET, show_progress=False))
    t.add_special_tokens([AddedToken("<s>", normalized=True, special=True), AddedToken("</s>", lstrip=True, rstrip=True, normalized=False, special=True)])
    return t


def odd():
    """What else there is, in one: unknown characters, lower case, decomposed, stripped, marked and split at spaces, punctuation apart."""
    t = characters(240, normalizers.Sequence([normalizers.Strip(), normalizers.Lowercase(), normalizers.NFD()]),
                   pre_tokenizers.Sequence([pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.Digits(individual_digits=False), pre_tokenizers.Metaspace("\u2581", "always", True)]),
                   decoders.Metaspace("\u2581", "always", True), byte_tokens=False)
    t.add_tokens([AddedToken("<TOOL>", normalized=True), AddedToken("word", single_word=True, normalized=True, lstrip=True)])
    return t


def odd_splits():
    t = Tokenizer(models.BPE(unk_token="?", fuse_unk=True))
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split("-", "merged_with_next"), pre_tokenizers.Split("e", "contiguous"), pre_tokenizers.Split(".", "removed"), pre_tokenizers.Split("o", "isolated", invert=True),
                                               pre_tokenizers.Punctuation("merged_with_previous"), pre_tokenizers.Metaspace("_", "never", True)])
    t.decoder = decoders.Sequence([decoders.Replace("_", " "), decoders.Fuse()])
    t.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=120, special_tokens=["?"], limit_alphabet=60, show_progress=False))
    return t


def qwen35():
    return byte_level(QWEN35, 300)


def fnv(data):
    h = 0xCBF29CE484222325
    for b in data:
        h = ((h ^ b) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"


def normalisation_hashes():
    """Every code point that Unicode 16 has, between marks that must be put in order: one hash per block of 4096. The library's tables are of
    Unicode 9, so it does not know the marks that came later; those are listed and left out, and unicodedata2 says that nothing else differs."""
    kinds = {"composed": normalizers.NFC(), "decomposed": normalizers.NFD(), "lower": normalizers.Lowercase()}
    out = {name: {} for name in kinds}
    known = [("NFC", kinds["composed"]), ("NFD", kinds["decomposed"])]
    between = lambda c: chr(c) + "\u0301\u0323" + chr(c)  # noqa: E731
    out["newer"] = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000 and any(unicodedata2.normalize(form, between(c)) != n.normalize_str(between(c)) for form, n in known)]
    for block in range(0, 0x110000, 0x1000):
        points = [c for c in range(block, block + 0x1000) if not 0xD800 <= c < 0xE000 and unicodedata2.category(chr(c)) != "Cn" and c not in out["newer"]]
        for name, normalizer in kinds.items():
            text = "".join(normalizer.normalize_str(chr(c) + "\u0301\u0323" + chr(c) + "\u11a8A") + "\n" for c in points)
            if points:
                out[name]["%x" % block] = fnv(text.encode())
    return out


def main():
    made = {}
    for family in (llama3, qwen2, qwen35, o200k, llama2, llama2_metaspace, gemma, digits, odd, odd_splits):
        t = family()
        entries = []
        for text in TEXTS:
            ids = t.encode(text, add_special_tokens=False).ids
            around = t.encode(text, add_special_tokens=True).ids
            t.encode_special_tokens = True
            plain = t.encode(text, add_special_tokens=False).ids
            t.encode_special_tokens = False
            entry = {"ids": ids, "text": t.decode(ids, skip_special_tokens=True).encode().hex()}
            if around != ids:
                entry["around"] = around
            if plain != ids:
                entry["plain"] = plain
            shown = t.decode(ids, skip_special_tokens=False)
            if shown != t.decode(ids, skip_special_tokens=True):
                entry["shown"] = shown.encode().hex()
            entries.append(entry)
        # Ids in an order no text gives: broken characters, bytes alone, special tokens between.
        size = t.get_vocab_size()
        scrambled = [[(i * 7919 + j * 104729 + i * i * 31) % size for j in range(12)] for i in range(40)]
        made[family.__name__] = {"tokenizer": json.loads(t.to_str()), "texts": entries, "scrambled": [[ids, t.decode(ids, skip_special_tokens=False).encode().hex()] for ids in scrambled]}
    out = {"made_with": {"tokenizers": version("tokenizers")}, "normalisation": normalisation_hashes(), "texts": [t.encode().hex() for t in TEXTS], "families": made}
    json.dump(out, open(sys.argv[1], "w"), separators=(",", ":"))
    print(os.path.getsize(sys.argv[1]), "bytes")


if __name__ == "__main__":
    main()
