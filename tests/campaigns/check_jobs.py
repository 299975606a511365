#!/usr/bin/env python3
"""The job files of docs/archives.md: each gives every shard to a worker once, with options that braid-cli has.

usage: check_jobs.py BRAID_CLI
Slurm and Ray are not started: a job of Slurm is a script with variables, and where Ray is not installed, a module with its name runs tasks at once.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

JOBS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "jobs"
FAKE = """#!/usr/bin/env bash
printf '%s\\n' "$*" >> "$CALLS"
exit "${CODE:-0}"
"""
FAKE_RAY = """
def init(): pass
def get(results): return list(results)
def remote(**options):
    def wrapped(function):
        function.remote = function
        return function
    return wrapped
"""


def calls_of(folder, command, code=0, **more):
    calls = folder / "calls"
    calls.unlink(missing_ok=True)
    environment = dict(os.environ, BRAID_CLI=str(folder / "fake"), CALLS=str(calls), CODE=str(code), **more)
    done = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
    return done, calls.read_text().splitlines() if calls.exists() else []


def check(fine, told):
    if not fine:
        sys.exit(f"check_jobs: {told}")


def check_shards(name, done, calls, count):
    check(done.returncode == 0, f"{name} ended with {done.returncode}: {done.stderr}")
    shards = sorted(int(re.search(rf"--shard (\d+)/{count}\b", call).group(1)) for call in calls)
    check(shards == list(range(1, count + 1)), f"{name} gave out the shards {shards}")
    for call in calls:
        check(call.startswith("caption ") and " --resume " in call and "a list" in call and "the transcripts" in call, f"{name}: {call}")


def main():
    cli = sys.argv[1]
    help_text = subprocess.run([cli, "caption", "--help"], capture_output=True, text=True).stdout
    for job in sorted(JOBS.iterdir()):
        text = job.read_text()
        if job.suffix == ".py":
            compile(text, str(job), "exec")
        else:
            subprocess.run(["bash", "-n", str(job)], check=True)
        command = " ".join(line for line in text.splitlines() if not line.startswith("#") and "parallel --will-cite" not in line)
        for option in re.findall(r"(?<![\w-])--[a-z-]+", command):
            check(option in help_text, f"{job.name}: braid-cli caption has no {option}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "fake").write_text(FAKE)
        (folder / "fake").chmod(0o755)
        (folder / "ray.py").write_text(FAKE_RAY)
        told = [folder / "a list", folder / "the transcripts"]

        if shutil.which("parallel"):
            check_shards("parallel", *calls_of(folder, [JOBS / "archive-parallel.sh", *told, 5, 2, "--", "--language", "en"]), 5)
            done, calls = calls_of(folder, [JOBS / "archive-parallel.sh", *told, 1, 1], code=75)
            check(done.returncode != 0 and len(calls) == 3, f"an unfinished shard was tried {len(calls)} times")
            done, calls = calls_of(folder, [JOBS / "archive-parallel.sh", *told, 1, 1], code=3)
            check(done.returncode != 0 and len(calls) == 1, f"broken recordings were tried {len(calls)} times")
        else:
            print("GNU parallel is not installed: its job was only read")

        calls = []
        for task in range(1, 17):
            done, of_task = calls_of(folder, ["bash", JOBS / "archive-slurm.sh", *told], SLURM_ARRAY_TASK_ID=str(task))
            calls += of_task
        check_shards("slurm", done, calls, 16)
        check("#SBATCH --array=1-16\n" in (JOBS / "archive-slurm.sh").read_text(), "the array of Slurm and its shards differ")

        check_shards("ray", *calls_of(folder, [sys.executable, JOBS / "archive-ray.py", *told, 7], PYTHONPATH=str(folder)), 7)
        done, calls = calls_of(folder, [sys.executable, JOBS / "archive-ray.py", *told, 1], code=75, PYTHONPATH=str(folder))
        check(done.returncode != 0 and "Unfinished" in done.stderr, "ray: a shard that is not finished went unnoticed")


main()
