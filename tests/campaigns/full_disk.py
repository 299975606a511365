#!/usr/bin/env python3
"""Disks that fill up and become read-only under journals, exports and archives.

Each trial has a small disk of its own (a tmpfs in a mount namespace of the campaign's own). A run whose journal finds no room goes on and says so, and what the journal
kept is true; an export that cannot be written ends with a sentence and leaves what stood there; a worker of an archive ends, and goes on when there is room.
"""
import json
import os
import resource
import signal
import subprocess
import sys

from campaign import SAMPLE, SOURCE, Campaign, cut_recordings, need, skip

TEXT = SOURCE / "resources" / "samples" / "translation-sample.txt"
INSIDE = "BRAID_CAMPAIGN_MOUNTS"


def enter_mount_namespace():
    """Starts this program again where it may mount."""
    if INSIDE in os.environ:
        return
    need("unshare", "mount")
    how = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    if subprocess.run([*how, "true"], capture_output=True).returncode != 0:
        skip("this machine allows no mount namespaces")
    os.execvpe(how[0], [*how, sys.executable, *sys.argv], dict(os.environ, **{INSIDE: "1"}))


class Disk:
    def __init__(self, folder, kilobytes):
        self.folder = folder
        folder.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)], capture_output=True).returncode != 0:
            skip("this machine allows no mounts")

    def remount(self, options):
        subprocess.run(["mount", "-o", f"remount,{options}", str(self.folder)], check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)
        self.folder.rmdir()


def sentence(campaign, answer, what):
    """An error of a disk: exit 3 and a sentence, no crash."""
    told = answer.stderr.decode()
    fine = answer.returncode == 3 and "braid-cli: " in told and "should not have happened" not in told
    campaign.expect(fine, what, f"exit {answer.returncode}: {told[-500:]}")


def items_of(text):
    return [item for line in map(json.loads, text.splitlines()) if line["event"] == "commit" for item in line["items"]]


def journal_without_room(campaign, disk, whole):
    campaign.tried["journals on full disks"] += 1
    is_read_only = campaign.chance.random() < 0.2
    if is_read_only:
        disk.remount("ro")
    answer = campaign.run("caption", SAMPLE, "--quiet", "--format", "json", "--journal", disk.folder / "journals")
    campaign.expect(answer.returncode == 0 and items_of(answer.stdout) == whole, "captions", f"they suffered from their journal: {answer.stderr.decode()[-500:]}")
    notices = [line for line in map(json.loads, answer.stdout.splitlines()) if line["event"] == "notice"]
    journals = [] if is_read_only else list((disk.folder / "journals").iterdir()) if (disk.folder / "journals").exists() else []
    kept = []
    if journals:
        back = campaign.run("recover", journals[0], "--keep", "--format", "json")
        kept = json.loads(back.stdout)["items"] if back.returncode == 0 else []
    campaign.expect(kept == whole[:len(kept)], "journals", f"{kept} is not what was told")
    campaign.expect(kept == whole or notices, "notices", "a loss was not told")


def journal_with_a_limit(campaign, whole):
    """No file may grow beyond a size: write() fails while the disk says that it has room."""
    campaign.tried["journals with a limit on files"] += 1
    limit = campaign.chance.choice([0, 100, 1000, 5000, 50000])

    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    folder = campaign.folder / f"limited-{campaign.tried['journals with a limit on files']}"
    answer = campaign.run("caption", SAMPLE, "--quiet", "--format", "json", "--journal", folder, preexec_fn=limited, restore_signals=False)
    campaign.expect(answer.returncode == 0 and items_of(answer.stdout) == whole, "captions", f"limit {limit}: exit {answer.returncode}, {answer.stderr.decode()[-500:]}")
    campaign.expect(b'"event":"notice"' in answer.stdout, "notices", f"limit {limit}: a loss was not told")


def export_without_room(campaign, disk):
    campaign.tried["exports on full disks"] += 1
    filler = os.open(disk.folder / "filler", os.O_CREAT | os.O_WRONLY)
    try:
        while os.write(filler, b"x" * 4096) > 0:
            pass
    except OSError:
        pass  # it is full
    os.close(filler)
    place = disk.folder / "out"
    command = campaign.chance.choice([["caption", SAMPLE, "--quiet"], ["translate", TEXT, "--quiet"]])
    sentence(campaign, campaign.run(*command, "--out", place), "exports")
    disk.remount("ro")
    sentence(campaign, campaign.run(*command, "--out", place, "--overwrite"), "exports")


def archive_without_room(campaign, disk):
    campaign.tried["archives on full disks"] += 1
    source = campaign.folder / f"source-{campaign.tried['archives on full disks']}"
    names = cut_recordings(source, 4, campaign.chance)
    (source / "list").write_text("".join(f"{name}\n" for name in names))
    command = ["caption", "--list", source / "list", "--format", "json", "--quiet", "--resume", "--out", disk.folder / "out"]
    answer = campaign.run(*command, cwd=source)
    if answer.returncode != 0:
        sentence(campaign, answer, "archives")
    disk.remount("size=8m")
    again = campaign.run(*command, cwd=source)
    campaign.expect(again.returncode == 0, "archives", f"it did not go on: {again.stderr.decode()}")
    lines = [json.loads(line) for line in (disk.folder / "out" / "report-1-of-1.jsonl").read_text().splitlines()]
    campaign.expect(sorted(line["recording"] for line in lines) == sorted(map(str, names)), "lines", lines)
    for line in lines:
        text = (disk.folder / "out" / line["transcript"]).read_text()
        campaign.expect(text.endswith("\n") and json.loads(text.splitlines()[-1])["event"] == "done", "transcripts", text)


def main():
    enter_mount_namespace()
    campaign = Campaign(__doc__.splitlines()[0], 10)
    campaign.need_models("captions-en", "translate-en-fr")
    whole = items_of(campaign.run("caption", SAMPLE, "--quiet", "--format", "json").stdout)
    number = 0
    while campaign.goes_on():
        number += 1
        if number % 4 == 0:
            journal_with_a_limit(campaign, whole)
            continue
        with Disk(campaign.folder / f"disk-{number}", campaign.chance.choice([4, 8, 16, 32, 64, 128, 300])) as disk:
            if number % 4 == 1:
                journal_without_room(campaign, disk, whole)
            elif number % 4 == 2:
                export_without_room(campaign, disk)
            else:
                archive_without_room(campaign, disk)
    campaign.end()


main()
