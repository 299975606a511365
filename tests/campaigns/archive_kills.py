#!/usr/bin/env python3
"""An archive captioned by GNU parallel over shards, its workers and GNU parallel itself killed at random moments and gone on with.

The job is docs/jobs/archive-parallel.sh. Some recordings are broken, and now and then the archive is cut into other shards. In the end every whole recording has its
transcript, which is that of a worker nobody disturbed; every recording has one line in the reports, and no line tells of a transcript that is not there.
"""
import collections
import json
import os
import signal
import subprocess
import time

from campaign import SOURCE, Campaign, cut_recordings, kill, need


def children(pid):
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                for child in map(int, file.read().split()):
                    found += [child] + children(child)
    except OSError:
        pass  # it has ended
    return found


def workers(campaign, pid):
    found = []
    for child in children(pid):
        try:
            if os.readlink(f"/proc/{child}/exe") == campaign.cli:
                found.append(child)
        except OSError:
            pass
    return found


def job(campaign, listed, out, count):
    return [str(SOURCE / "docs" / "jobs" / "archive-parallel.sh"), str(listed), str(out), str(count), str(campaign.asked.jobs)]


def wait_for_orphans(campaign, folder):
    """Workers whose GNU parallel was killed go on by themselves."""
    while any(is_worker_in(campaign, pid, folder) for pid in filter(str.isdigit, os.listdir("/proc"))):
        time.sleep(0.1)


def is_worker_in(campaign, pid, folder):
    try:
        return os.readlink(f"/proc/{pid}/exe") == campaign.cli and os.readlink(f"/proc/{pid}/cwd") == str(folder)
    except OSError:
        return False


def disturbed(campaign, listed, out):
    """Until the time is up, then once more to the end."""
    goes_on = True
    while goes_on:
        goes_on = campaign.goes_on()
        if not goes_on:
            wait_for_orphans(campaign, listed.parent)
        count = campaign.asked.shards + campaign.chance.choice([0, 0, 1])
        campaign.tried["starts of GNU parallel"] += 1
        parallel = subprocess.Popen(job(campaign, listed, out, count), env=campaign.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, cwd=listed.parent, start_new_session=True)
        while parallel.poll() is None:
            time.sleep(campaign.chance.uniform(0.02, 1.5) if goes_on else 0.05)
            if not goes_on or parallel.poll() is not None:
                continue
            if campaign.chance.random() < 0.1:
                kill(parallel)
                campaign.tried["kills of GNU parallel"] += 1
            elif found := workers(campaign, parallel.pid):
                os.kill(campaign.chance.choice(found), campaign.chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
                campaign.tried["kills of workers"] += 1


def check(campaign, names, broken, undisturbed, out):
    lines = collections.Counter()
    for report in out.glob("report-*.jsonl"):
        for text in report.read_text().splitlines():
            line = json.loads(text)
            lines[line["recording"]] += 1
            place = None if line["transcript"] is None else out / line["transcript"]
            campaign.expect(place is None or place.exists(), "transcripts", f"{text} tells of one that is not there")
            campaign.expect((place is None) == (line["recording"] in broken), "lines", text)
    for name in map(str, names):
        campaign.expect(lines[name] == 1, "lines", f"{name} has {lines[name]}")
        there, whole = out / f"{name}.txt", undisturbed / f"{name}.txt"
        if name in broken:
            campaign.expect(not there.exists(), "errors", f"{name} is no sound and has a transcript")
        else:
            campaign.expect(there.exists() and there.read_bytes() == whole.read_bytes(), "transcripts", f"{name} is not what an undisturbed worker wrote")
    left = [path for path in out.rglob(".*.part")]
    campaign.expect(not left, "drafts", f"left behind: {left}")


def main():
    def more(parser):
        parser.add_argument("--recordings", type=int, default=24)
        parser.add_argument("--shards", type=int, default=4)
        parser.add_argument("--jobs", type=int, default=2)

    campaign = Campaign(__doc__.splitlines()[0], 10, more)
    need("parallel")
    campaign.need_models("captions-en")
    campaign.environment["BRAID_CLI"] = campaign.cli
    source = campaign.folder / "source"
    names = cut_recordings(source, campaign.asked.recordings, campaign.chance)
    broken = {str(name) for name in names[5::20]}
    for name in broken:
        (source / name).write_bytes(b"RIFF, but nothing of the kind")
    listed = source / "list"
    listed.write_text("".join(f"{name}\n" for name in names))

    undisturbed = campaign.folder / "undisturbed"
    began = time.monotonic()
    campaign.run("caption", "--quiet", "--list", listed, "--out", undisturbed, cwd=source, timeout=None)
    campaign.tried["recordings"] += len(names)
    print(f"undisturbed: {len(names)} recordings in {time.monotonic() - began:.1f} s", flush=True)
    campaign.began = time.monotonic()
    out = campaign.folder / "out"
    disturbed(campaign, listed, out)
    check(campaign, names, broken, undisturbed, out)
    campaign.end()


main()
