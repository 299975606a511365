#!/usr/bin/env python3
"""Captions an archive with Ray:

    RAY_ADDRESS=auto python3 docs/jobs/archive-ray.py LIST FOLDER [SHARDS]

Run it again to go on after anything that ended it. All nodes see LIST, FOLDER and the recordings under the same paths.
"""
import os
import pathlib
import subprocess
import sys

import ray

BROKEN_RECORDINGS = 3  # trying again does not mend them; the report names them


class Unfinished(Exception):
    pass


# Ray starts a task again whose node went away; one whose worker was killed or asked to end says so by Unfinished.
@ray.remote(num_cpus=2, max_retries=5, retry_exceptions=[Unfinished])
def caption(shard, shards, listed, out):
    program = os.environ.get("BRAID_CLI", "braid-cli")
    command = [program, "caption", "--quiet", "--list", listed, "--shard", f"{shard}/{shards}", "--resume", "--threads", "2", "--out", out]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode == 2:
        raise ValueError(done.stderr)
    if done.returncode not in (0, BROKEN_RECORDINGS):
        raise Unfinished(f"shard {shard} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.returncode


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    listed, out = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:3])
    shards = int(sys.argv[3]) if len(sys.argv) == 4 else 16
    ray.init()
    codes = ray.get([caption.remote(shard, shards, listed, out) for shard in range(1, shards + 1)])
    sys.exit(max(codes))


main()
