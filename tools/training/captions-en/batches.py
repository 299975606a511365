"""Windows as tensors: features of the sound, and rows of tokens.

A row is what has been said up to some frame of a window; of a window there are several.
"""
import collections

import torch

from sounds import disturb, sound_of
from whisper import BANDS, FAST, FRAME_MS, MEL_PER_FRAME, SAMPLE_RATE, WIDTH
from whisper import block_ends, block_mask, frames_of_mel, frames_of_sound, log_mel, normalised_mel, whole_features
from windows import assemble, text_at

LONGEST_WINDOW_S = 29
MOST_TOKENS = 440
IGNORED = -100

Row = collections.namedtuple("Row", "window frames text is_plain")


class WholeFeatures:
    """Stage 1: what the published encoder makes of whole utterances, computed once and kept."""

    def __init__(self, encoder, texts):
        self.encoder = encoder
        self.texts = texts
        self.kept = {}

    def of(self, item):
        if item["id"] not in self.kept:
            features = whole_features(self.encoder, sound_of(item))
            self.kept[item["id"]] = features[:frames_of_sound(item["length"])].to(FAST)
        return self.kept[item["id"]]

    def __call__(self, windows, chunk_ms, augment):
        """-> features [windows, frames, 384], rows. Nothing is disturbed here."""
        features = [self.of(window["parts"][0]) for window in windows]
        batch = torch.zeros(len(windows), max(map(len, features)), WIDTH, dtype=FAST)
        rows = []
        for index, (window, one) in enumerate(zip(windows, features)):
            batch[index, :len(one)] = one
            rows.append(Row(index, len(one), self.texts.labels[window["parts"][0]["id"]], self.texts.is_plain(window)))
        return batch, rows


class BlockwiseFeatures:
    """Stage 2: the causal encoder's.

    With augment the sound is disturbed and the mel masked, and of each window `points` rows more stop at ends of blocks.
    """

    def __init__(self, encoder, texts, points, disturbance, draw):
        self.encoder = encoder
        self.texts = texts
        self.points = points
        self.disturbance = disturbance
        self.draw = draw

    def __call__(self, windows, chunk_ms, augment):
        mels = []
        rows = []
        for index, window in enumerate(windows):
            sound, words, ends_known = assemble(window, self.texts, self.draw, self.disturbance if augment else None)
            sound = sound[:LONGEST_WINDOW_S * SAMPLE_RATE]
            if augment:
                sound = disturb(sound, self.draw, self.disturbance)
            mel = normalised_mel(log_mel(sound), chunk_ms)
            mels.append(mel)
            is_plain = self.texts.is_plain(window)
            rows.append(Row(index, frames_of_mel(mel), " ".join(word for word, _ in words), is_plain))
            if augment and ends_known and words and chunk_ms is not None:
                ends = block_ends(frames_of_mel(mel), chunk_ms)[:-1]
                for end in self.draw.sample(ends, min(len(ends), self.points)):
                    rows.append(Row(index, end, text_at(words, end * FRAME_MS / 1000), is_plain))
        frames = [frames_of_mel(mel) for mel in mels]
        batch = torch.zeros(len(windows), BANDS, max(frames) * MEL_PER_FRAME)
        for index, mel in enumerate(mels):
            batch[index, :, :mel.shape[1]] = mel
            if augment and self.draw.random() < self.disturbance.mask_share:
                self.mask(batch[index], mel.shape[1])
        with torch.set_grad_enabled(augment):
            return self.encoder(batch, block_mask(frames, max(frames), chunk_ms)), rows

    def mask(self, mel, length):
        """One or two bands, and often some stretches of 50 to 290 ms"""
        for _ in range(self.draw.choice([1, 2])):
            band = self.draw.randrange(72)
            mel[band:band + self.draw.randrange(1, self.disturbance.widest_mask_bands)] = 0
        if length <= 200:
            return
        for _ in range(round(self.draw.uniform(0, self.disturbance.masks_a_second * length / 100))):
            start = self.draw.randrange(length - 30)
            mel[:, start:start + self.draw.randrange(5, 30)] = 0


def token_row(text, is_plain, vocabulary):
    # Small letters without marks are asked for with a token of their own, which no model in use is given.
    manner = vocabulary.no_speech if is_plain else vocabulary.no_times
    tokens = [vocabulary.start, manner] + vocabulary.encode(" " + text if text else "") + [vocabulary.end]
    return tokens[:MOST_TOKENS]


def decode(decoder, features, rows, vocabulary, dropout=0.0, replaced=0.0):
    """-> the decoder's output [rows, length, 384] and the wanted tokens. `replaced`: the share of random ones among those given."""
    sequences = [token_row(row.text, row.is_plain, vocabulary) for row in rows]
    length = max(map(len, sequences)) - 1
    given = torch.full((len(rows), length), vocabulary.end)
    wanted = torch.full((len(rows), length), IGNORED)
    heard = torch.zeros(len(rows), 1, 1, features.shape[1], dtype=torch.bool)
    for index, (tokens, row) in enumerate(zip(sequences, rows)):
        given[index, :len(tokens) - 1] = torch.tensor(tokens[:-1])
        wanted[index, 1:len(tokens) - 1] = torch.tensor(tokens[2:])
        heard[index, ..., :row.frames] = True
    if replaced > 0:
        is_replaced = (torch.rand(given.shape) < replaced) & (torch.arange(length)[None] >= 2)
        given = torch.where(is_replaced, torch.randint(0, len(vocabulary.tokens), given.shape), given)
    sound_of_row = torch.tensor([row.window for row in rows])
    return decoder(given, features, heard, sound_of_row=sound_of_row, dropout=dropout), wanted
