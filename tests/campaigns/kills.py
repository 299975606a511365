#!/usr/bin/env python3
"""Captions, translations and conversations, killed at random moments and recovered: every event that was told is found again.

The recovery is killed, too, now and then, and done again. Of captions, the sound that was heard lies beside the words, and can be captioned on its own.
"""
import json
import time

from campaign import RATE_HZ, SAMPLE, SOURCE, Campaign, kill

SAMPLES = SOURCE / "resources" / "samples"
# How far behind what is told the sound of a journal may be (docs/formats.md, "Journal").
SOUND_BEHIND_S = 1.5
WAV_HEADER_BYTES = 44


def lines_of(path):
    """The whole lines: the last one may be torn by the kill."""
    text = path.read_bytes()
    return [json.loads(line) for line in text[:text.rfind(b"\n") + 1].splitlines()]


def caption_items(lines):
    return [item for line in lines if line["event"] == "commit" for item in line["items"]]


class Captions:
    name = "captions"
    model = "captions-en"

    def command(self, campaign):
        pace = ["--realtime"] if campaign.chance.random() < 0.5 else []
        return ["caption", SAMPLE, "--quiet", "--format", "json", *pace]

    def told(self, lines):
        return caption_items(lines)

    def recovered(self, text):
        return json.loads(text)["items"]

    def check_more(self, campaign, journal, told):
        sound = journal / "sound.wav"
        words = [item for item in told if item["type"] == "word"]
        if not words:
            return
        if not campaign.expect(sound.exists(), "sound", f"{journal} has none"):
            return
        heard_s = (sound.stat().st_size - WAV_HEADER_BYTES) / 2 / RATE_HZ  # its header says nothing before a clean end
        campaign.expect(heard_s > words[-1]["end_s"] - SOUND_BEHIND_S, "sound", f"{journal} ends at {heard_s} s, words at {words[-1]['end_s']} s")
        if campaign.chance.random() < 0.2:
            again = campaign.run("caption", sound, "--quiet", "--format", "json")
            campaign.tried["recovered sounds captioned"] += 1
            ended = [line for line in map(json.loads, again.stdout.splitlines()) if line["event"] == "done"]
            campaign.expect(again.returncode == 0 and len(ended) == 1, "sound", f"{sound} cannot be captioned: {again.stderr}")


class Translation:
    name = "translations"
    model = "translate-en-fr"

    def command(self, campaign):
        return ["translate", SAMPLES / "translation-sample.txt", "--quiet", "--format", "json"]

    def told(self, lines):
        return lines[1:]  # behind "start"

    def recovered(self, text):
        return [json.loads(line) for line in text.splitlines()]

    def check_more(self, campaign, journal, told):
        pass


class Conversation:
    name = "conversations"
    model = "streams-en"

    def command(self, campaign):
        return ["chat", "--script", SAMPLES / "chat-sample.txt", "--format", "json", "--rows-per-second", campaign.chance.choice([0, 20])]

    def told(self, lines):
        return lines[1:]  # behind "started"

    def recovered(self, text):
        return json.loads(text)["events"]

    def check_more(self, campaign, journal, told):
        pass


def recover(campaign, kind, journal):
    if campaign.chance.random() < 0.3:
        process = campaign.start("recover", journal, "--format", "json", stdout=-3, stderr=-3)
        time.sleep(campaign.chance.uniform(0, 0.1))
        kill(process)
        campaign.tried["recoveries killed"] += 1
    return campaign.run("recover", journal, "--format", "json")


def trial(campaign, kind, number, longest_s):
    parent = campaign.folder / f"{number}-{kind.name}"
    out = campaign.folder / f"{number}.out"
    with open(out, "wb") as file:
        process = campaign.start(*kind.command(campaign), "--journal", parent, stdout=file, stderr=-3)
        time.sleep(campaign.chance.uniform(0, longest_s))
        was_running = process.poll() is None
        kill(process)
    if not was_running:
        return
    campaign.tried[f"{kind.name} killed"] += 1
    told = kind.told(lines_of(out))
    journals = list(parent.iterdir()) if parent.exists() else []
    if not journals or not (journals[0] / "run.jsonl").exists():
        campaign.expect(not told, "journals", f"{out} tells of {len(told)} events, and there is no journal")
        return
    answer = recover(campaign, kind, journals[0])
    if b"cannot be recovered" in answer.stderr or answer.returncode != 0:
        campaign.expect(not told, "journals", f"{journals[0]}: {answer.stderr.decode()}")
        return
    found = kind.recovered(answer.stdout)
    campaign.tried["told events looked for"] += len(told)
    campaign.expect(found[:len(told)] == told, "events", f"{len(told)} were told in {out}, {len(found)} are in {journals[0]}")
    campaign.expect(b"No interrupted session" in campaign.run("recover", "--list", "--journal", parent).stdout, "ends", f"{parent} is not settled")
    kind.check_more(campaign, journals[0], told)


def main():
    campaign = Campaign(__doc__.splitlines()[0], 12)
    kinds = [Captions(), Translation(), Conversation()]
    campaign.need_models(*[kind.model for kind in kinds])
    longest_s = {}
    for kind in kinds:
        began = time.monotonic()
        answer = campaign.run(*kind.command(campaign))
        campaign.expect(answer.returncode == 0, "undisturbed runs", answer.stderr.decode())
        longest_s[kind.name] = time.monotonic() - began
    campaign.began = time.monotonic()
    number = 0
    while campaign.goes_on():
        kind = kinds[number % len(kinds)]
        trial(campaign, kind, number, longest_s[kind.name])
        number += 1
    campaign.end()


main()
