"""What a window of training holds: an utterance, several of one source on end, or noise; its words, and when each has ended.

A window is {"parts": items, "length": samples}, one of noise {"parts": [], "noise": sound, "length": samples}.
"""
import re

import torch
import torch.nn.functional as F

from sounds import batched, noises, sound_of
from whisper import SAMPLE_RATE

LONGEST_PAUSE_S = 0.6
MARK_AFTER_PAUSE_S = 0.4  # while somebody speaks on, the newest word's mark is not yet known


class Texts:
    """Of an item: labels, its text; style, "plain" if in small letters without marks; times, its words' ends in seconds, if known"""

    def __init__(self, labels, style, times):
        self.labels = labels
        self.style = style
        self.times = times

    def add_synthetic(self, items):
        for item in items:
            self.labels[item["id"]] = item["text"]
            self.times.setdefault(item["id"], item.get("ends"))

    def words(self, item):
        """-> words, their ends or None"""
        words = self.labels[item["id"]].split()
        ends = self.times.get(item["id"])
        return words, ends if ends is not None and len(ends) == len(words) else None

    def is_plain(self, window):
        return bool(window["parts"]) and self.style.get(window["parts"][0]["id"]) == "plain"


def single(item):
    return {"parts": [item], "length": item["length"]}


def joined(items, single_share, draw):
    """That share of the windows are one utterance, the others several of one source on end, up to 8 to 26 seconds."""
    by_source = {}
    for item in items:
        by_source.setdefault(item["source"], []).append(item)
    windows = []
    for same_source in by_source.values():
        index = 0
        while index < len(same_source):
            window = single(same_source[index])
            index += 1
            if draw.random() >= single_share:
                most = draw.uniform(8, 26) * SAMPLE_RATE
                while index < len(same_source) and window["length"] + same_source[index]["length"] < most:
                    window["parts"].append(same_source[index])
                    window["length"] += same_source[index]["length"]
                    index += 1
            windows.append(window)
    return windows


def batches(train, synthetic, synthetic_count, batch_s, single_share, draw):
    """Without end: passes over `train`, each with other synthetic utterances; windows of like length together."""
    while True:
        items = train + draw.sample(synthetic, min(len(synthetic), synthetic_count)) if synthetic else train[:]
        draw.shuffle(items)
        windows = joined(items, single_share, draw)
        draw.shuffle(windows)
        for begin in range(0, len(windows), 240):
            some = list(batched(windows[begin:begin + 240], batch_s))
            draw.shuffle(some)
            yield from some


def noise_window(draw, longest):
    """2 to 14 seconds, but at most `longest` samples, of a recorded noise (70 %) or white noise, up to 25 dB softer"""
    samples = min(draw.randint(2, 14) * SAMPLE_RATE, longest)
    is_recorded = draw.random() < 0.7
    recorded = draw.choice(noises())
    recorded = recorded[draw.randrange(max(1, len(recorded) - samples)):]
    if is_recorded:
        noise = recorded.repeat(1 + samples // len(recorded))[:samples]
    else:
        noise = torch.randn(samples) * 10 ** draw.uniform(-4.5, -1.5)
    return {"parts": [], "noise": noise * 10 ** (draw.uniform(-25, 0) / 20), "length": samples}


def at_other_tempo(sound, tempo):
    return F.interpolate(sound[None, None], size=int(len(sound) / tempo), mode="linear", align_corners=False)[0, 0]


def assemble(window, texts, draw, how=None):
    """-> sound, words [(word, end_s)], whether all ends are known. With a Disturbance some real utterances are played faster or slower."""
    if not window["parts"]:
        return window["noise"], [], True
    sounds = []
    words = []
    length_s = 0
    ends_known = True
    for index, item in enumerate(window["parts"]):
        if index > 0:
            pause = torch.zeros(int(draw.uniform(0, LONGEST_PAUSE_S) * SAMPLE_RATE))
            sounds.append(pause + torch.randn_like(pause) * 1e-4)
            length_s += len(pause) / SAMPLE_RATE
        sound = sound_of(item)
        tempo = 1.0
        if how and draw.random() < how.tempo_share and not item.get("synth"):
            tempo = draw.uniform(*how.tempo)
            sound = at_other_tempo(sound, tempo)
        item_words, ends_s = texts.words(item)
        if ends_s is None:
            ends_known = False
            ends_s = [0] * len(item_words)
        words += [(word, length_s + end_s / tempo) for word, end_s in zip(item_words, ends_s)]
        sounds.append(sound)
        length_s += len(sound) / SAMPLE_RATE
    return torch.cat(sounds), words, ends_known


def text_at(words, time_s):
    """The words that have ended by then; the newest one's mark only where a pause followed"""
    ended = [(word, end_s) for word, end_s in words if end_s <= time_s]
    if not ended:
        return ""
    newest, end_s = ended[-1]
    if time_s - end_s <= MARK_AFTER_PAUSE_S:
        newest = re.sub("[.,?!;:]+$", "", newest)
    return " ".join([word for word, _ in ended[:-1]] + [newest])
