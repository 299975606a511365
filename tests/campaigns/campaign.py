"""What all campaigns share: their command line, a folder of their own, recordings, kills, and the report of what was tried and what was lost.

Each campaign is a program of its own: `python3 tests/campaigns/NAME.py --cli build/dev/app/braid-cli --seconds 3600`. It ends with 0 where nothing was
lost, with 1 where something was, and with 77 (skipped, as CTest has it) where this machine lacks what it needs.
"""
import argparse
import collections
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import wave

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = SOURCE / "resources" / "samples" / "caption-sample.flac"
RATE_HZ = 16000
SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            skip(f"{program} is not installed")


class Campaign:
    """One run: `tried` and `lost` count by name; what was lost is told at once."""

    def __init__(self, description, seconds, more=lambda parser: None):
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--cli", type=pathlib.Path, required=True, help="braid-cli")
        parser.add_argument("--seconds", type=float, default=seconds, help=f"how long it goes on trying ({seconds})")
        parser.add_argument("--seed", type=int, default=None, help="of chance; told at the beginning")
        more(parser)
        self.asked = parser.parse_args()
        self.cli = str(self.asked.cli.resolve())
        self.seed = self.asked.seed if self.asked.seed is not None else random.randrange(1 << 32)
        self.chance = random.Random(self.seed)
        self.tried = collections.Counter()
        self.lost = collections.Counter()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="braid-campaign-"))
        self.home = self.folder / "home"
        self.home.mkdir()
        self.environment = dict(os.environ, XDG_DATA_HOME=str(self.home), XDG_CONFIG_HOME=str(self.home), HOME=str(self.home))
        self.began = time.monotonic()
        print(f"{pathlib.Path(sys.argv[0]).name}: {self.asked.seconds:g} s, seed {self.seed}", flush=True)

    def goes_on(self):
        return time.monotonic() - self.began < self.asked.seconds

    def lose(self, what, told):
        self.lost[what] += 1
        print(f"LOST {what}: {told}", flush=True)

    def expect(self, fine, what, told):
        if not fine:
            self.lose(what, told)
        return fine

    def run(self, *arguments, **more):
        """braid-cli to its end."""
        more.setdefault("timeout", 300)
        return subprocess.run([self.cli, *map(str, arguments)], env=self.environment, stdin=more.pop("stdin", subprocess.DEVNULL), capture_output=True, **more)

    def start(self, *arguments, **more):
        """braid-cli in a group of its own, so that it is killed with all it has started."""
        return subprocess.Popen([self.cli, *map(str, arguments)], env=self.environment, start_new_session=True, **more)

    def need_models(self, *names):
        for name in names:
            if not (SOURCE / "resources" / "models" / name / "config.json").exists():
                skip(f"the model {name} is not in resources/models")

    def end(self):
        print(f"tried in {time.monotonic() - self.began:.0f} s: " + (", ".join(f"{count} {what}" for what, count in self.tried.items()) or "nothing"))
        print("lost: " + (", ".join(f"{count} {what}" for what, count in self.lost.items()) or "nothing"))
        if self.lost:
            print(f"what is left lies in {self.folder}; the same chance again: --seed {self.seed}")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
        sys.exit(1 if self.lost or not self.tried else 0)


def kill(process):
    """At once, with all it has started. Waits for its end."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def sample_pcm():
    """The sample of the box: signed 16 bit, 16 kHz, mono."""
    need("ffmpeg")
    return subprocess.run(["ffmpeg", "-loglevel", "error", "-i", SAMPLE, "-f", "s16le", "-ar", str(RATE_HZ), "-ac", "1", "-"], capture_output=True, check=True).stdout


def write_wav(path, pcm):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(pcm)


def cut_recordings(folder, count, chance):
    """`count` pieces of the sample, of a tenth of a second to a second each, in three folders. Their paths below `folder`."""
    pcm = sample_pcm()
    names = []
    for number in range(count):
        name = pathlib.Path(f"tape {number % 3}") / f"{number:04}.wav"
        (folder / name.parent).mkdir(parents=True, exist_ok=True)
        length = 2 * chance.randrange(RATE_HZ // 10, RATE_HZ)
        begin = 2 * chance.randrange((len(pcm) - length) // 2)
        write_wav(folder / name, pcm[begin:begin + length])
        names.append(name)
    return names
