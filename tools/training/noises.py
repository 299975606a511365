#!/usr/bin/env python3
"""Makes sounds that nobody says: barks, miaows, crows, sneezes, coughs, knocks, creaks, beeps, engines, out of sines and noise.

    tools/training/noises.py OUT [--clips 600] [--seed 1]

Writes OUT/KIND-NUMBER.wav (16 kHz, 16 bits, five seconds each) and OUT/../made_noise.jsonl, a manifest of recordings with nothing said.
The recorded clips that may be trained on are few (16 barks), and a model learns them by heart; of these no two are alike.
Needs numpy.
"""
import argparse
import json
import pathlib
import wave

import numpy as np

RATE = 16000
LENGTH = 5 * RATE


def shaped_noise(rng, samples, low_hz, high_hz):
    """White noise with soft edges at two frequencies; mean square 1."""
    spectrum = np.fft.rfft(rng.standard_normal(samples))
    hz = np.fft.rfftfreq(samples, 1 / RATE)
    spectrum *= 1 / (1 + (low_hz / np.maximum(hz, 1)) ** 4) / (1 + (hz / high_hz) ** 4)
    sound = np.fft.irfft(spectrum, samples)
    return sound / (np.sqrt(np.mean(sound**2)) + 1e-9)


def resonances(sound, centres_hz, widths_hz, least):
    """Lets through what is near the centres, and `least` of the rest."""
    spectrum = np.fft.rfft(sound)
    hz = np.fft.rfftfreq(len(sound), 1 / RATE)
    gain = np.full(len(hz), least)
    for centre, width in zip(centres_hz, widths_hz):
        gain += 1 / (1 + ((hz - centre) / width) ** 2)
    return np.fft.irfft(spectrum * gain, len(sound))


def tone(rng, pitch_hz, fall, jitter):
    """Harmonics of a moving pitch up to 7 kHz, the k-th k**-fall as strong; mean square 1."""
    wander = np.convolve(rng.standard_normal(len(pitch_hz)), np.ones(80) / 80, "same") * np.sqrt(80)
    phase = 2 * np.pi * np.cumsum(pitch_hz * (1 + jitter * wander)) / RATE
    sound = np.zeros(len(pitch_hz))
    for k in range(1, int(7000 / pitch_hz.min()) + 1):
        sound += np.where(k * pitch_hz < 7000, k**-fall, 0) * np.sin(k * phase + rng.uniform(0, 2 * np.pi))
    return sound / (np.sqrt(np.mean(sound**2)) + 1e-9)


def swell(samples, attack_s, decay):
    """Rises in `attack_s`, falls as (1 - t)**decay."""
    at = np.arange(samples)
    rise = np.minimum(at / max(attack_s * RATE, 1), 1)
    return rise * (1 - at / samples) ** decay


def glide(samples, from_hz, top_hz, to_hz, top_at):
    at = np.arange(samples) / samples
    return np.exp(np.interp(at, [0, top_at, 1], np.log([from_hz, top_hz, to_hz])))


def log_uniform(rng, low, high):
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def throat(rng):
    return [log_uniform(rng, 400, 1400), log_uniform(rng, 1200, 3500)], [rng.uniform(100, 400), rng.uniform(200, 800)]


def bark(rng):
    voice = {"top": log_uniform(rng, 300, 1200), "fall": rng.uniform(0.4, 1.6), "jitter": rng.uniform(0.002, 0.06),
             "breath": rng.uniform(0.05, 0.9), "throat": throat(rng), "length": rng.uniform(0.08, 0.28)}

    def one():
        samples = int(RATE * voice["length"] * rng.uniform(0.8, 1.25))
        top = voice["top"] * rng.uniform(0.92, 1.08)
        pitch = glide(samples, top * rng.uniform(0.5, 0.9), top, top * rng.uniform(0.35, 0.8), rng.uniform(0.15, 0.5))
        sound = tone(rng, pitch, voice["fall"], voice["jitter"]) + voice["breath"] * shaped_noise(rng, samples, 300, rng.uniform(1500, 5000))
        return resonances(sound, *voice["throat"], 0.15) * swell(samples, rng.uniform(0.005, 0.03), rng.uniform(0.7, 2.5))
    return one, rng.integers(1, 9), (0.12, 1.2)


def miaow(rng):
    top, breath, mouth = log_uniform(rng, 350, 950), rng.uniform(0, 0.3), throat(rng)

    def one():
        samples = int(RATE * rng.uniform(0.25, 1.0))
        pitch = glide(samples, top * rng.uniform(0.6, 0.95), top, top * rng.uniform(0.5, 0.9), rng.uniform(0.2, 0.6))
        sound = tone(rng, pitch, rng.uniform(0.6, 1.5), 0.004) + breath * shaped_noise(rng, samples, 500, 5000)
        return resonances(sound, *mouth, 0.2) * swell(samples, rng.uniform(0.05, 0.2), rng.uniform(0.5, 1.2))
    return one, rng.integers(1, 4), (0.4, 2.0)


def crow(rng):
    top, fall, mouth = log_uniform(rng, 400, 1300), rng.uniform(0.2, 1.0), throat(rng)

    def one():
        samples = int(RATE * rng.uniform(0.15, 0.9))
        pitch = glide(samples, top * rng.uniform(0.6, 1), top, top * rng.uniform(0.4, 0.9), rng.uniform(0.2, 0.8))
        pitch = pitch * (1 + rng.uniform(0, 0.03) * np.sin(2 * np.pi * rng.uniform(5, 30) * np.arange(samples) / RATE))
        return resonances(tone(rng, pitch, fall, rng.uniform(0.002, 0.03)), *mouth, 0.3) * swell(samples, 0.03, rng.uniform(0.3, 1))
    return one, rng.integers(1, 5), (0.05, 0.8)


def sneeze(rng):
    pitch_hz, mouth = log_uniform(rng, 110, 380), throat(rng)

    def one():
        intake = int(RATE * rng.uniform(0.08, 0.3))
        rush = int(RATE * rng.uniform(0.1, 0.4))
        moan = int(RATE * rng.uniform(0.05, 0.4))
        first = resonances(tone(rng, glide(intake, pitch_hz, pitch_hz * 1.2, pitch_hz * 0.9, 0.5), 1.0, 0.01) + 0.5 * shaped_noise(rng, intake, 300, 3000), *mouth, 0.1)
        middle = shaped_noise(rng, rush, rng.uniform(600, 2500), rng.uniform(3000, 6500)) * swell(rush, 0.005, rng.uniform(0.2, 1))
        last = resonances(tone(rng, glide(moan, pitch_hz * 1.3, pitch_hz * 1.1, pitch_hz * 0.7, 0.3), 1.0, 0.02) + rng.uniform(0.1, 1) * shaped_noise(rng, moan, 200, 3000), *mouth, 0.1)
        gap = np.zeros(int(RATE * rng.uniform(0, 0.15)))
        return np.concatenate([rng.uniform(0, 1) * first * swell(intake, 0.03, 0.7), gap, middle, rng.uniform(0, 1) * last * swell(moan, 0.01, 1.5)])
    return one, rng.integers(1, 3), (0.4, 2.0)


def cough(rng):
    pitch_hz, mouth, voiced = log_uniform(rng, 90, 350), throat(rng), rng.uniform(0, 1)

    def one():
        samples = int(RATE * rng.uniform(0.12, 0.35))
        sound = shaped_noise(rng, samples, 150, rng.uniform(1200, 4500))
        sound = sound + voiced * tone(rng, glide(samples, pitch_hz, pitch_hz * 1.1, pitch_hz * 0.7, 0.3), 1.0, 0.06)
        return resonances(sound, *mouth, 0.2) * swell(samples, 0.004, rng.uniform(1, 4))
    return one, rng.integers(1, 6), (0.15, 0.7)


def knock(rng):
    modes = [log_uniform(rng, *((80, 900) if rng.random() < 0.6 else (600, 6000))) for _ in range(rng.integers(2, 7))]
    ring = [log_uniform(rng, 0.008, 0.2) for _ in modes]

    def one():
        at = np.arange(int(RATE * 0.5)) / RATE
        return sum(rng.uniform(0.2, 1) * np.exp(-at / fades) * np.sin(2 * np.pi * hz * at + rng.uniform(0, 6)) for hz, fades in zip(modes, ring)) * np.minimum(at * 2000, 1)
    return one, rng.integers(1, 14), (0.08, 1.0)


def creak(rng):
    low, high, fall = log_uniform(rng, 150, 900), log_uniform(rng, 300, 2500), rng.uniform(0.2, 1.5)

    def one():
        samples = int(RATE * rng.uniform(0.1, 0.9))
        sound = tone(rng, glide(samples, low, high, log_uniform(rng, 150, 2000), rng.uniform(0.2, 0.8)), fall, rng.uniform(0, 0.1))
        return sound * (1 + rng.uniform(0, 1) * np.sign(np.sin(2 * np.pi * rng.uniform(10, 60) * np.arange(samples) / RATE))) * swell(samples, 0.02, rng.uniform(0.2, 1.5))
    return one, rng.integers(1, 5), (0.1, 1.5)


def beep(rng):
    hz, length = log_uniform(rng, 300, 3500), rng.uniform(0.05, 0.5)

    def one():
        samples = int(RATE * length)
        return tone(rng, np.full(samples, hz), rng.uniform(1, 4), 0) * swell(samples, 0.005, rng.uniform(0.05, 1))
    return one, rng.integers(1, 8), (0.1, 1.0)


def engine(rng):
    pitch_hz, mouth = log_uniform(rng, 25, 160), throat(rng)

    def one():
        samples = int(RATE * rng.uniform(0.5, 3.0))
        pitch = glide(samples, pitch_hz, pitch_hz * rng.uniform(1, 2.2), pitch_hz * rng.uniform(0.7, 1.4), rng.uniform(0.2, 0.8))
        sound = tone(rng, pitch, rng.uniform(0.1, 0.8), rng.uniform(0.005, 0.05)) + rng.uniform(0.1, 1) * shaped_noise(rng, samples, 100, 5000)
        return resonances(sound, *mouth, 0.4) * swell(samples, 0.1, rng.uniform(0.1, 0.6))
    return one, rng.integers(1, 3), (0.1, 1.0)


# How often each is made: what a voice gate lets through, most.
KINDS = {bark: 8, miaow: 3, crow: 3, sneeze: 4, cough: 3, knock: 2, creak: 2, beep: 1, engine: 2}


def clip(rng, kind):
    one, times, (shortest_s, longest_s) = kind(rng)
    sound = np.zeros(LENGTH)
    at = int(RATE * rng.uniform(0.05, 1.0))
    rest_s = rng.uniform(shortest_s, longest_s)
    for _ in range(times):
        piece = one() * rng.uniform(0.6, 1)
        end = min(at + len(piece), LENGTH)
        sound[at:end] += piece[: end - at]
        at = end + int(RATE * rest_s * rng.uniform(0.7, 1.3))
        if at >= LENGTH:
            break
    if rng.random() < 0.7:  # a room: what is heard goes on, softer and duller
        fades_s = log_uniform(rng, 0.03, 0.5)
        tail = shaped_noise(rng, int(RATE * 0.6), 60, rng.uniform(1500, 6000)) * np.exp(-np.arange(int(RATE * 0.6)) / RATE / fades_s)
        tail *= rng.uniform(0.1, 0.8) / np.sqrt(np.sum(tail**2))
        sound += np.fft.irfft(np.fft.rfft(sound, 2 * LENGTH) * np.fft.rfft(tail, 2 * LENGTH))[:LENGTH]
    sound *= 10 ** (rng.uniform(-20, -1) / 20) / (np.abs(sound).max() + 1e-9)
    return sound + 10 ** (rng.uniform(-80, -50) / 20) * shaped_noise(rng, LENGTH, 50, rng.uniform(1000, 7000))


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("out", type=pathlib.Path)
    asked.add_argument("--clips", type=int, default=600)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    rng = np.random.default_rng(given.seed)
    given.out.mkdir(parents=True, exist_ok=True)
    kinds = list(KINDS)
    shares = np.array(list(KINDS.values())) / sum(KINDS.values())
    with open(given.out.parent / "made_noise.jsonl", "w") as manifest:
        for number in range(given.clips):
            kind = kinds[rng.choice(len(kinds), p=shares)]
            path = (given.out / f"{kind.__name__}-{number:04d}.wav").resolve()
            with wave.open(str(path), "wb") as file:
                file.setnchannels(1)
                file.setsampwidth(2)
                file.setframerate(RATE)
                file.writeframes(np.round(np.clip(clip(rng, kind), -1, 1) * 32767).astype("<i2").tobytes())
            manifest.write(json.dumps({"sound": str(path), "text": "", "source": f"made/{kind.__name__}"}) + "\n")


if __name__ == "__main__":
    main()
