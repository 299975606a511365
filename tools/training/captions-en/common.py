"""Shared pieces of the captions-en training: paths, text normalisation, log-mel, reading of sound."""
import re
import subprocess

import numpy as np
import torch

SHARED = "/work/shared/data"
SCRATCH = "/work/train"
RATE = 16000

# ---------------------------------------------------------------- text
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


# ---------------------------------------------------------------- sound
_filters = None
_window = torch.hann_window(400)


def raw_log_mel(samples):
    """log10 of the 80-band Whisper mel power, before the clamp to max - 8: float32 [frames, 80]."""
    global _filters
    if _filters is None:
        _filters = torch.from_numpy(np.load(f"{SHARED}/tokenizers/whisper/mel_filters.npz")["mel_80"])
    spectrum = torch.stft(torch.as_tensor(samples, dtype=torch.float32), 400, 160, window=_window, center=True,
                          pad_mode="reflect", return_complex=True)
    power = spectrum[:, :-1].abs().square()
    return (_filters @ power).clamp_min(1e-10).log10().T.contiguous()


def whisper_scale(raw):
    """Whisper's scaling of a raw log-mel: the maximum is over this sound alone."""
    return (torch.maximum(raw, raw.max() - 8.0) + 4.0) / 4.0


def encoder_frames(n):
    """40 ms encoder frames of n mel frames: two convolutions of stride 2, kernel 3, padding 1."""
    return ((n + 1) // 2 + 1) // 2


def read_sound(path):
    """16 kHz mono float32 of any sound file."""
    import soundfile
    try:
        x, rate = soundfile.read(path, dtype="float32", always_2d=True)
        x = x.mean(1)
    except Exception:
        rate = 0
    if 0 < rate != RATE:  # exact band-limited resampling of the whole sound
        n = round(len(x) * RATE / rate)
        spectrum = np.fft.rfft(x)[:n // 2 + 1]
        spectrum = np.pad(spectrum, (0, n // 2 + 1 - len(spectrum)))
        x = (np.fft.irfft(spectrum, n) * (n / len(x))).astype(np.float32)
    elif rate != RATE:
        out = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-ac", "1", "-ar", str(RATE), "-"],
                             capture_output=True, check=True).stdout
        x = np.frombuffer(out, np.float32)
    return x


def levenshtein(a, b):
    """Word edit distance of two lists."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]
