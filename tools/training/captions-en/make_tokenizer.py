"""The byte-level BPE of captions-en: trained on the training transcripts and sentences-cc0 (without held-out texts)."""
import json

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from common import SCRATCH
from prepare import list_real, sentences

MERGES = 480  # on top of the 256 bytes, of which English text uses 28

items = list_real()
held = {i["text"] for i in items if i["split"] == "test"}
real = [i["text"] for i in items if i["split"] == "train" and i["text"] not in held]
texts = real * 2 + sentences()[0]
tok = Tokenizer(models.BPE())
tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
tok.decoder = decoders.ByteLevel()
tok.train_from_iterator([" " + t for t in texts], trainers.BpeTrainer(
    vocab_size=256 + MERGES, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
tok.add_special_tokens([AddedToken(t, special=True, normalized=False) for t in
                        ("<|endoftext|>", "<|startoftranscript|>", "<|notimestamps|>", "<|nospeech|>")])
tok.save(f"{SCRATCH}/tokenizer.json")
used = sorted({t for s in texts for t in tok.encode(" " + s).ids})
json.dump(used, open(f"{SCRATCH}/used_tokens.json", "w"))
print(tok.get_vocab_size(), "tokens,", len(used), "used,", sum(len(tok.encode(" " + t).ids) for t in real) / sum(len(t.split()) for t in real), "tokens a word")
print(tok.encode(" the quick brown fox isn't here").tokens, [tok.token_to_id(t) for t in ("<|endoftext|>", "<|nospeech|>")])
