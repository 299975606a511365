"""What a window of training holds: an utterance, several of one source on end, or noise; its words, and when each has ended.

A window is {"parts": items, "length": samples}, one of noise {"parts": [], "noise": sound, "length": samples}, one of stretches
{"stretches": [(item, begin_s, end_s, words, their ends in seconds)], ...}: what was said between two pauses, of several utterances, so that no sentence
can be learnt by heart. Its text has small letters and no marks.
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
        return "stretches" in window or bool(window["parts"]) and self.style.get(window["parts"][0]["id"]) == "plain"


def single(item):
    return {"parts": [item], "length": item["length"]}


def plain_word(word):
    return re.sub("[^a-z0-9']", "", word.lower().replace("\u2019", "'"))


def pauses(sound, ends_s):
    """[(words before it, when it is the softest)]: 30 ms near a word's end, 25 dB below the utterance"""
    loudness = sound[:len(sound) // 80 * 80].view(-1, 80).pow(2).mean(1)  # of 5 ms each
    loudness = F.avg_pool1d(loudness[None, None], 6, 1, 3)[0, 0]
    found = []
    for index, end_s in enumerate(ends_s[:-1]):
        begin = max(0, int(end_s * 200) - 20)
        near = loudness[begin:begin + 44]
        if len(near) > 4 and near.min() < 0.003 * sound.pow(2).mean():
            found.append((index + 1, (begin + near.argmin().item()) / 200))
    return found


def stretch(item, texts, draw):
    """Of an utterance whose word ends are known -> None or (item, begin_s, end_s, words, their ends)"""
    words, ends_s = texts.words(item)
    words = [plain_word(word) for word in words]
    if ends_s is None or len(words) < 2 or not all(words):
        return None
    places = [(0, 0.0)] + pauses(sound_of(item), ends_s) + [(len(words), item["length"] / SAMPLE_RATE)]
    first = draw.randrange(len(places) - 1)
    last = min(len(places) - 1, first + draw.randint(1, 3))
    (first_word, begin_s), (last_word, end_s) = places[first], places[last]
    if not 0.3 < end_s - begin_s < 7:
        return None
    return item, begin_s, end_s, words[first_word:last_word], [max(0.05, word_end_s - begin_s) for word_end_s in ends_s[first_word:last_word]]


def spliced(items, texts, draw):
    """-> a window of 2 to 6 stretches of other utterances of the same source, or None"""
    drawn = [stretch(item, texts, draw) for item in draw.sample(items, min(len(items), draw.randint(2, 6)))]
    stretches = [one for one in drawn if one is not None]
    if len(stretches) < 2:
        return None
    length_s = sum(end_s - begin_s for _, begin_s, end_s, _, _ in stretches)
    return {"parts": [one[0] for one in stretches], "stretches": stretches, "length": int(length_s * SAMPLE_RATE)}


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


def with_splices(windows, train, texts, share, draw):
    """That share of the windows give way to stretches of real utterances of one source."""
    by_source = {}
    for item in train:
        by_source.setdefault(item["source"], []).append(item)
    sources = list(by_source)
    weights = [len(by_source[source]) for source in sources]
    for window in windows:
        instead = spliced(by_source[draw.choices(sources, weights)[0]], texts, draw) if draw.random() < share else None
        yield instead or window


def batches(train, synthetic, synthetic_count, batch_s, single_share, texts, splice_share, draw):
    """Without end: passes over `train`, each with other synthetic utterances; windows of like length together."""
    while True:
        items = train + draw.sample(synthetic, min(len(synthetic), synthetic_count)) if synthetic else train[:]
        draw.shuffle(items)
        windows = list(with_splices(joined(items, single_share, draw), train, texts, splice_share, draw))
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


def cut_out(sound, begin_s, end_s):
    """Faded in and out over 5 ms"""
    piece = sound[int(begin_s * SAMPLE_RATE):int(end_s * SAMPLE_RATE)].clone()
    fade = torch.linspace(0, 1, 80)
    piece[:80] *= fade
    piece[-80:] *= fade.flip(0)
    return piece


def assemble_stretches(window, draw, how):
    sounds = []
    words = []
    length_s = 0
    tempo = draw.uniform(*how.tempo) if how and draw.random() < how.tempo_share else 1.0
    for item, begin_s, end_s, some_words, ends_s in window["stretches"]:
        words += [(word, length_s + word_end_s / tempo) for word, word_end_s in zip(some_words, ends_s)]
        sounds.append(at_other_tempo(cut_out(sound_of(item), begin_s, end_s), tempo))
        length_s += len(sounds[-1]) / SAMPLE_RATE
    return torch.cat(sounds), words, True


def assemble(window, texts, draw, how=None):
    """-> sound, words [(word, end_s)], whether all ends are known. With a Disturbance some real utterances are played faster or slower."""
    if not window["parts"]:
        return window["noise"], [], True
    if "stretches" in window:
        return assemble_stretches(window, draw, how)
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
