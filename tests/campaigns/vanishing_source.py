#!/usr/bin/env python3
"""The sound of a computer whose output disappears and returns, and whose sound server dies and returns, while captions run.

A PulseAudio of the campaign's own has a null sink in which the sample is played over and over. After every return words must come again; nothing that was told is lost;
in the end the captions end in order. `--seconds 3600` makes about 400 returns.
"""
import json
import queue
import signal
import subprocess
import threading
import time

from campaign import Campaign, kill, need, sample_pcm, write_wav

SINK = "braid_room"
LONGEST_WAIT_S = 60


class SoundServer:
    def __init__(self, campaign):
        self.campaign = campaign
        runtime = campaign.folder / "run"
        runtime.mkdir(mode=0o700)
        self.environment = dict(campaign.environment, XDG_RUNTIME_DIR=str(runtime), PULSE_RUNTIME_PATH=str(runtime), PULSE_SERVER=f"unix:{runtime}/native")
        self.wav = campaign.folder / "sample.wav"
        write_wav(self.wav, sample_pcm() * 20)
        self.server = None
        self.music = None
        self.module = None

    def start(self):
        command = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=error", "--load=module-native-protocol-unix"]
        self.server = subprocess.Popen(command, env=self.environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + LONGEST_WAIT_S
        while self.control("info").returncode != 0:
            if self.server.poll() is not None or time.monotonic() > end:
                raise RuntimeError("PulseAudio does not start")
            time.sleep(0.05)
        self.add_sink()

    def control(self, *arguments):
        return subprocess.run(["pactl", *arguments], env=self.environment, capture_output=True, text=True)

    def add_sink(self):
        self.module = self.control("load-module", "module-null-sink", f"sink_name={SINK}", f"sink_properties=device.description={SINK}").stdout.strip()
        self.music = subprocess.Popen(["paplay", f"--device={SINK}", str(self.wav)], env=self.environment, start_new_session=True, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)

    def remove_sink(self):
        self.control("unload-module", self.module)
        kill(self.music)

    def die(self):
        kill(self.server)
        kill(self.music)

    def stop(self):
        for process in (self.music, self.server):
            if process is not None:
                kill(process)


class Captions:
    """braid-cli while it runs: its events as they come."""

    def __init__(self, campaign, server):
        self.campaign = campaign
        command = [campaign.cli, "caption", "--system", f"{SINK}.monitor", "--format", "json", "--quiet", "--journal", str(campaign.folder / "journals")]
        self.process = subprocess.Popen(command, env=server.environment, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.events = queue.Queue()
        self.items = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.events.put(json.loads(line))
        self.events.put(None)

    def wait_for(self, wanted):
        """True when it came. Everything before it is taken."""
        end = time.monotonic() + LONGEST_WAIT_S
        while (left := end - time.monotonic()) > 0:
            try:
                event = self.events.get(timeout=left)
            except queue.Empty:
                return False
            if event is None:
                return False
            if event["event"] == "commit":
                self.items += event["items"]
            if wanted(event):
                return True
        return False

    def forget_what_waits(self):
        while not self.events.empty():
            event = self.events.get()
            if event is not None and event["event"] == "commit":
                self.items += event["items"]


def has_words(event):
    return event["event"] == "commit" and any(item["type"] == "word" for item in event["items"])


def is_done(event):
    return event["event"] == "done"


def disappear_and_return(campaign, server, captions):
    what = campaign.chance.choice(["sinks", "sinks", "servers"])
    campaign.tried[f"{what} that went and came"] += 1
    if what == "sinks":
        server.remove_sink()
    else:
        server.die()
    time.sleep(campaign.chance.uniform(0, 1.5))
    if what == "sinks":
        server.add_sink()
    else:
        server.start()
    captions.forget_what_waits()
    return campaign.expect(captions.wait_for(has_words), what, "no words came after it had returned")


def end_in_order(campaign, captions):
    captions.process.send_signal(signal.SIGINT)
    campaign.expect(captions.wait_for(is_done), "ends", "it did not say that it was done")
    try:
        code = captions.process.wait(timeout=LONGEST_WAIT_S)
        campaign.expect(code == 0, "ends", f"exit {code}: {captions.process.stderr.read()[-1000:]}")
    except subprocess.TimeoutExpired:
        campaign.lose("ends", "it does not end")
        return
    journals = list((campaign.folder / "journals").glob("*"))
    if not campaign.expect(journals, "journals", "there is none"):
        return
    kept = json.loads(campaign.run("recover", journals[0], "--keep", "--format", "json").stdout)["items"]
    campaign.expect(kept == captions.items, "events", f"{len(captions.items)} were told, {len(kept)} are in the journal")
    campaign.tried["told items looked for"] += len(captions.items)


def main():
    campaign = Campaign(__doc__.splitlines()[0], 15)
    need("pulseaudio", "pactl", "paplay")
    campaign.need_models("captions-en")
    server = SoundServer(campaign)
    captions = None
    try:
        server.start()
        captions = Captions(campaign, server)
        goes_on = campaign.expect(captions.wait_for(has_words), "words", "none came at the beginning")
        while goes_on and campaign.goes_on():
            goes_on = disappear_and_return(campaign, server, captions)
        end_in_order(campaign, captions)
    finally:
        server.stop()
        if captions is not None:
            kill(captions.process)
    campaign.end()


main()
