#!/usr/bin/env python3
"""Numbers of openai/whisper on small random weights, for tests/core/models/tst_whisper_parity.cpp.

Weights and sound come from an integer hash that tests/support/hashed_numbers.h repeats, so that nothing large is committed.
Needs: torch, numpy, openai-whisper (their versions are written into the file). Usage: make_whisper_parity.py OUT.json
"""
import json
import math
import sys

import numpy as np
import torch
import whisper
from whisper.audio import log_mel_spectrogram, pad_or_trim
from whisper.decoding import DecodingOptions
from whisper.model import ModelDimensions, Whisper
from whisper.timing import find_alignment, merge_punctuations
from whisper.tokenizer import get_tokenizer

from hashed_numbers import hashed, hashed_whisper


def fill(model: Whisper, tag: str) -> None:
    """Every tensor by its name; scales keep activations lively and let other tokens than the last one win."""
    tokenizer_special = model.dims.n_vocab > 50000
    for name, tensor in model.state_dict().items():
        value = torch.from_numpy(hashed_whisper(tag + name, *tensor.shape))
        if name.endswith("token_embedding.weight") and tokenizer_special:
            value[50257] *= np.float32(1.75)  # end of text comes up now and then
        tensor.copy_(value)


def sound(samples: int) -> np.ndarray:
    """Noise whose loudness changes every 5000 samples."""
    loudness = np.abs(hashed("loudness", samples // 5000 + 1))
    return hashed("sound", samples) * np.repeat(loudness, 5000)[:samples] * np.float32(0.5)


def numbers(x, digits=6):
    return [round(float(v), digits) for v in np.asarray(x).reshape(-1)]


def build(tag, dims):
    model = Whisper(ModelDimensions(**dims)).eval()
    with torch.no_grad():
        fill(model, tag)
    return model


def small(out):
    """Every dimension different; encoder and decoder numbers."""
    dims = dict(n_mels=80, n_audio_ctx=50, n_audio_state=24, n_audio_head=3, n_audio_layer=2, n_vocab=97, n_text_ctx=33, n_text_state=24, n_text_head=4, n_text_layer=5)
    model = build("small/", dims)
    mel = torch.from_numpy(hashed("mel", 80 * 100)).reshape(1, 80, 100)
    tokens = [5, 96, 17, 0, 42, 42, 63]
    encoded = model.encoder(mel)
    logits = model.decoder(torch.tensor([tokens]), encoded)
    out["small"] = dict(dims=dims, tokens=tokens, encoded=numbers(encoded), logits=numbers(logits))
    wide = dict(dims, n_mels=128, n_audio_ctx=20, n_audio_head=6, n_text_head=2, n_text_layer=2, n_audio_layer=3, n_vocab=61)
    model = build("wide/", wide)
    mel = torch.from_numpy(hashed("mel128", 128 * 40)).reshape(1, 128, 40)
    encoded = model.encoder(mel)
    logits = model.decoder(torch.tensor([tokens[:1] + [60, 3]]), encoded)
    out["wide"] = dict(dims=wide, tokens=tokens[:1] + [60, 3], encoded=numbers(encoded[0, ::3]), logits=numbers(logits))


def result_of(r):
    return dict(tokens=r.tokens, text=r.text, avg_logprob=round(r.avg_logprob, 5), no_speech_prob=float(f"{r.no_speech_prob:.5g}"), compression_ratio=round(r.compression_ratio, 5))


def speaking(out):
    """A multilingual model over the real vocabulary: decoding, language, word times, long sound."""
    dims = dict(n_mels=80, n_audio_ctx=1500, n_audio_state=32, n_audio_head=2, n_audio_layer=1, n_vocab=51865, n_text_ctx=448, n_text_state=32, n_text_head=4, n_text_layer=3)
    model = build("speaking/", dims)
    audio = sound(70 * 16000)
    tokenizer = get_tokenizer(True, num_languages=model.num_languages, language="en", task="transcribe")
    mel = log_mel_spectrogram(pad_or_trim(audio[: 7 * 16000]), 80)
    previous = [11, 23000, 5, 40000, 31337]
    cases = [
        dict(name="greedy", without_timestamps=True),
        dict(name="greedy, timestamps"),
        dict(name="greedy, German to English, prompt", language="de", task="translate", prompt=previous),
        dict(name="beam 2", beam_size=2, without_timestamps=True),
        dict(name="beam 3, timestamps", beam_size=3),
        dict(name="beam 5", beam_size=5, without_timestamps=True),
        dict(name="beam 5, patience 2", beam_size=5, patience=2.0, without_timestamps=True),
        dict(name="beam 4, length penalty, prompt", beam_size=4, length_penalty=0.6, prompt=previous),
    ]
    decoded = []
    for case in cases:
        options = {k: v for k, v in case.items() if k != "name"}
        options.setdefault("language", "en")
        r = model.decode(mel, DecodingOptions(fp16=False, sample_len=48, **options))
        decoded.append(dict(case=dict(case, language=options["language"]), **result_of(r)))
    _, languages = model.detect_language(mel)
    best = sorted(languages.items(), key=lambda kv: -kv[1])[:5]
    text = tokenizer.encode(" Ask not what your country can do for you, (ask) what you can do for your \"country\". Grüße, 世界!")
    frames = 700
    timings = find_alignment(model, tokenizer, text, mel, frames)
    merged = find_alignment(model, tokenizer, text, mel, frames)
    merge_punctuations(merged, "\"'“¿([{-", "\"'.。,，!！?？:：”)]}、")
    words = [dict(word=t.word, start=round(float(t.start), 4), end=round(float(t.end), 4), probability=float(f"{t.probability:.5g}")) for t in timings]
    out["speaking"] = dict(
        dims=dims, decoded=decoded, languages=best, text_tokens=text, frames=frames, words=words, merged=[[t.word, t.tokens] for t in merged]
    )
    long = []
    for options in (dict(word_timestamps=True), dict(word_timestamps=False), dict(word_timestamps=True, beam_size=2, condition_on_previous_text=False)):
        # One temperature, no thresholds but the published ones that do not start anew.
        r = whisper.transcribe(model, audio, language="en", temperature=0.0, fp16=False, verbose=None, logprob_threshold=None, compression_ratio_threshold=None,
                               no_speech_threshold=None, sample_len=60, **options)
        segments = [
            dict(start=round(s["start"], 3), end=round(s["end"], 3), seek=s["seek"], tokens=s["tokens"],
                 words=[[w["word"], round(float(w["start"]), 2), round(float(w["end"]), 2)] for w in s.get("words", [])])
            for s in r["segments"]
        ]
        long.append(dict(options=options, sample_len=60, segments=segments))
    out["long"] = long


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    whisper.model.MultiHeadAttention.use_sdpa = False
    out = dict(made_by="tests/parity/make_whisper_parity.py", versions=dict(torch=torch.__version__, numpy=np.__version__, openai_whisper=whisper.__version__))
    with torch.no_grad():
        small(out)
        speaking(out)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(out, file, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
