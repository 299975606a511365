"""The recordings that are trained with, and how they are disturbed. `draw` is random.Random everywhere.

Reads items.json and audio.i16 (prepare.py), synth.json and synth.i16 (synthetic.py) or rare.json and rare.i16 (rare_words.py), and the noises
below BRAID_DATA. Every fifth single noise, and the last fifth of every long one, are kept out, as tools/training/corpora.sh has it.
"""
import dataclasses
import functools
import json

import numpy as np
import scipy.signal
import soundfile
import torch

from places import DATA, WORK
from whisper import SAMPLE_RATE


@dataclasses.dataclass(frozen=True)
class Disturbance:
    """Shares are of utterances; what stands from the tempo on is train.py's alone."""
    recorded_noise_share: float
    white_noise_share: float
    noise_below_db: tuple
    gain_share: float
    gain_db: tuple
    tilt_share: float
    room_share: float
    tempo_share: float
    tempo: tuple
    mask_share: float
    widest_mask_bands: int
    masks_a_second: float  # at most, each 50 to 290 ms
    noise_window_share: float  # of the batches have a window without speech
    splice_share: float  # of the windows are stretches of several utterances


HEAVY = Disturbance(0.35, 0.15, (3, 30), 0.5, (-18, 6), 0.25, 0.0, 0.5, (0.88, 1.13), 0.6, 14, 0.1, 0.35, 0.0)
LIGHT = Disturbance(0.15, 0.07, (8, 35), 0.5, (-15, 5), 0.12, 0.0, 0.4, (0.92, 1.09), 0.3, 14, 0.1, 0.12, 0.0)
VARIED = Disturbance(0.2, 0.08, (6, 35), 0.5, (-18, 6), 0.2, 0.15, 0.75, (0.87, 1.15), 0.9, 18, 0.25, 0.1, 0.3)


def real_items():
    return json.load(open(WORK / "items.json"))


def synthetic_items(name="synth"):
    """Of synth.json, or of another list that has its sound in NAME.i16"""
    return [dict(item, file=f"{name}.i16") for item in json.load(open(WORK / f"{name}.json"))]


@functools.cache
def samples_of(name):
    return np.memmap(WORK / name, dtype=np.int16, mode="r")


def sound_of(item):
    """float32 samples of one item of items.json or a synthetic list"""
    samples = samples_of(item.get("file", "audio.i16"))
    return torch.from_numpy(samples[item["start"]:item["start"] + item["length"]].astype(np.float32) / 32768)


def batched(items, seconds):
    """Ascending by length; as many as fit into that many seconds when all are as long as the longest."""
    batch = []
    for item in sorted(items, key=lambda item: item["length"]):
        if batch and (len(batch) + 1) * item["length"] > seconds * SAMPLE_RATE:
            yield batch
            batch = []
        batch.append(item)
    yield batch


def read_noise(path, kept=1.0):
    sound, rate = soundfile.read(path, dtype="float32")
    if sound.ndim > 1:
        sound = sound.mean(1)
    if rate != SAMPLE_RATE:
        sound = scipy.signal.resample_poly(sound, SAMPLE_RATE, rate).astype(np.float32)
    return torch.from_numpy(np.ascontiguousarray(sound[:int(kept * len(sound))]))


@functools.cache
def noises():
    single = sorted(str(path) for path in (DATA / "noise/sounds").rglob("*.opus"))
    long = sorted(str(path) for path in (DATA / "noise/background").rglob("*.opus"))
    return [read_noise(path) for index, path in enumerate(single) if index % 5 != 0] + [read_noise(path, kept=0.8) for path in long]


def noise_of_length(noise, samples, draw):
    start = draw.randrange(max(1, len(noise) - samples)) if len(noise) > samples else 0
    noise = noise[start:start + samples]
    while len(noise) < samples:
        noise = torch.cat([noise, noise])[:samples]
    return noise


def add_noise(sound, draw, how):
    kind = draw.random()
    if kind < how.recorded_noise_share:
        noise = noise_of_length(draw.choice(noises()), len(sound), draw)
    elif kind < how.recorded_noise_share + how.white_noise_share:
        noise = torch.randn(len(sound))
    else:
        return sound
    speech_level = sound.pow(2).mean().sqrt() + 1e-5
    noise_level = noise.pow(2).mean().sqrt() + 1e-6
    below_db = draw.uniform(*how.noise_below_db)
    return sound + noise * (speech_level / noise_level * 10 ** (-below_db / 20))


@functools.cache
def rooms():
    """Impulse responses; the direct sound, their largest value, comes first."""
    responses = [read_noise(str(path)) for path in sorted((DATA / "noise/rooms").rglob("*.flac"))]
    return [response[response.abs().argmax():] for response in responses]


def in_room(sound, room, share):
    """With that share of the room's sound added; as loud as before"""
    size = len(sound) + len(room)
    heard = sound + share * torch.fft.irfft(torch.fft.rfft(sound, size) * torch.fft.rfft(room, size), size)[:len(sound)]
    return heard * ((sound.pow(2).mean() + 1e-12) / (heard.pow(2).mean() + 1e-12)).sqrt()


def disturb(sound, draw, how):
    """A room, noise, loudness and colour (a tilt of one tap), each sometimes"""
    if draw.random() < how.room_share:
        sound = in_room(sound, draw.choice(rooms()), draw.uniform(0.05, 0.6))
    sound = add_noise(sound, draw, how)
    if draw.random() < how.gain_share:
        sound = sound * 10 ** (draw.uniform(*how.gain_db) / 20)
    if draw.random() < how.tilt_share:
        tilt = draw.uniform(-0.6, 0.6)
        tilted = sound.clone()
        tilted[1:] = sound[1:] + tilt * sound[:-1]
        sound = tilted
    return sound.clamp(-1, 1)
