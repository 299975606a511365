"""Writes mel_parity.json: log-mel numbers of a reference for tests/core/features/tst_log_mel.cpp.

Filters: the entries that are not zero of the file openai-whisper comes with. Whole sounds: openai-whisper's own log_mel_spectrogram,
run in double precision, because in single precision its quiet bands beside a loud tone are off by up to 6e-5; how far each published
single-precision result lies from the double one stands in "single_precision_is_off_by". Streaming: a slow and obvious implementation in double precision of what shared/reference/streaming-asr.md 1.3 says, frame by frame with an explicit DFT.
Run with a Python that has openai-whisper: make_mel_parity.py OUT.json
"""
import hashlib
import json
import os
import sys
from unittest import mock

import numpy
import torch
import whisper
import whisper.audio

RATE = 16000


def noise(count, seed, divisor):
    """24-bit values of a 64-bit linear congruential generator, the same in any language."""
    state, values = seed, []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        values.append((state >> 40) - 2**23)
    return numpy.array(values, dtype=numpy.float64) / 2**23 / divisor


def sweep(count):
    """A rising tone with a swelling loudness, in steps of 1/32768, so that the last bit of a sine does not matter."""
    time = numpy.arange(count) / RATE
    phase = 2 * numpy.pi * (80 * time + 0.5 * 14000 * time * time)
    return numpy.round(numpy.sin(phase) * 20000 * (0.2 + 0.8 * numpy.abs(numpy.sin(9 * time)))) / 32768


def signals():
    quiet = noise(5000, 7, 512)
    sounds = {
        "noise": noise(4000, 1, 4),
        "sweep": sweep(5000) + quiet,
        "silence": numpy.zeros(800),
        "tone_then_silence": numpy.concatenate([sweep(3000), numpy.zeros(2500)]),
        "n201": noise(201, 3, 2),
        "n399": noise(399, 4, 2),
        "n400": noise(400, 5, 2),
        "n401": noise(401, 6, 2),
        "n1": noise(1, 8, 2),
        "n160": noise(160, 9, 2),
    }
    return {name: sound.astype(numpy.float32).astype(numpy.float64) for name, sound in sounds.items()}


def whole(sound, bands, padding):
    if len(sound) + padding <= 200:  # torch refuses to reflect more than there is: reflect back and forth first, as numpy does
        extended = numpy.pad(sound, (200, 200), mode="reflect")
        count = len(sound) // 160
        return double_log_mel([extended[i * 160 : i * 160 + 400] for i in range(count)], bands), None
    single = whisper.log_mel_spectrogram(torch.tensor(sound, dtype=torch.float32), bands, padding=padding).T.numpy()
    filters = whisper.audio.mel_filters("cpu", bands).double()
    with mock.patch.object(whisper.audio, "mel_filters", lambda device, n_mels: filters):
        with mock.patch.object(torch, "hann_window", lambda n: torch.signal.windows.hann(n, sym=False, dtype=torch.float64)):
            double = whisper.log_mel_spectrogram(torch.tensor(sound, dtype=torch.float64), bands, padding=padding).T.numpy()
    assert double.dtype == numpy.float64
    return double, float(numpy.abs(double - single).max())


def frame_power(frame, bands):
    window = 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(400) / 400)
    angles = -2j * numpy.pi * numpy.outer(numpy.arange(201), numpy.arange(400)) / 400
    power = numpy.abs(numpy.exp(angles) @ (window * frame)) ** 2
    filters = whisper.audio.mel_filters("cpu", bands).numpy().astype(numpy.float64)
    return numpy.log10(numpy.maximum(filters @ power, 1e-10))


def double_log_mel(frames, bands):
    if not frames:
        return numpy.zeros((0, bands))
    log_power = numpy.array([frame_power(frame, bands) for frame in frames])
    return (numpy.maximum(log_power, log_power.max() - 8) + 4) / 4


def streaming(sound, bands, granularity):
    """All chunks, the last one zero-padded: the facts of 1.3, one after the other."""
    chunk = granularity * 320
    count = -(-len(sound) // chunk)
    padded = numpy.concatenate([sound, numpy.zeros(count * chunk + 360 - len(sound))])
    running_maximum, out = -numpy.inf, []
    for k in range(count):
        if k == 0:
            piece = padded[: chunk + 360]
            piece = numpy.concatenate([piece[1:202][::-1], piece])
        else:
            before = padded[chunk * k + 360 - 240 : chunk * k + 360]
            piece = numpy.concatenate([before, padded[chunk * k + 360 : chunk * (k + 1) + 360]])
        starts = range(0, len(piece) - 400 + 1, 160)
        assert len(starts) == 2 * granularity + (2 if k == 0 else 0)
        log_power = numpy.array([frame_power(piece[s : s + 400], bands) for s in starts])
        running_maximum = max(running_maximum, log_power.max())
        out.append((numpy.maximum(log_power, running_maximum - 8) + 4) / 4)
    return numpy.concatenate(out)


def main(path):
    sounds = signals()
    cases = []

    def add(kind, name, bands, values, **more):
        rounded = [[float(f"{value:.6f}") for value in row] for row in values]
        cases.append({"kind": kind, "signal": name, "bands": bands, "frames": len(rounded), **more, "values": rounded})

    for name, bands in [("noise", 80), ("sweep", 80), ("sweep", 128), ("silence", 80), ("tone_then_silence", 80), ("n201", 80), ("n399", 80), ("n400", 80), ("n401", 128), ("n1", 80), ("n160", 80)]:
        values, off_by = whole(sounds[name], bands, 0)
        add("whole", name, bands, values, padding=0, single_precision_is_off_by=off_by)
    # Padding: the frames around the end of the sound; the rest is the floor, and its value stands in "rest".
    for name, bands in [("noise", 80), ("n1", 80)]:
        values, off_by = whole(sounds[name], bands, 480000)
        kept = len(sounds[name]) // 160 + 4
        assert numpy.ptp(values[kept:]) == 0
        add("whole", name, bands, values[:kept], padding=480000, all_frames=len(values), rest=float(values[-1][0]), single_precision_is_off_by=off_by)
    for name, bands, granularity in [("sweep", 80, 2), ("tone_then_silence", 80, 5), ("noise", 128, 15), ("n401", 80, 2), ("n1", 80, 2)]:
        add("streaming", name, bands, streaming(sounds[name], bands, granularity), granularity=granularity)

    filters = {}
    for bands in (80, 128):
        dense = whisper.audio.mel_filters("cpu", bands).numpy()
        filters[bands] = [[int(band), int(frequency), float(f"{dense[band, frequency]:.9g}")] for band, frequency in zip(*dense.nonzero())]
    filter_file = os.path.join(os.path.dirname(whisper.__file__), "assets", "mel_filters.npz")
    sha256 = hashlib.sha256(open(filter_file, "rb").read()).hexdigest()

    versions = {"python": sys.version.split()[0], "torch": torch.__version__, "openai-whisper": whisper.__version__, "numpy": numpy.__version__}
    signals_told = {
        "noise": "4000 samples of noise(seed 1) / 4",
        "sweep": "5000 samples of the sweep + noise(seed 7) / 512",
        "silence": "800 zeros",
        "tone_then_silence": "3000 samples of the sweep, 2500 zeros",
        "nN": "N samples of noise / 2, seeds 3, 4, 5, 6 for 201, 399, 400, 401, 8 for 1, 9 for 160",
    }
    with open(path, "w") as out:
        out.write('{"made_by": "tests/parity/make_mel_parity.py", "versions": %s,\n"signals": %s,\n' % (json.dumps(versions), json.dumps(signals_told)))
        out.write('"filter_file_sha256": "%s", "filters": %s,\n"cases": [\n' % (sha256, json.dumps(filters, separators=(",", ":"))))
        out.write(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
        out.write("\n]}\n")


main(sys.argv[1])
