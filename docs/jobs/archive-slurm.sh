#!/usr/bin/env bash
# Captions an archive as an array of Slurm jobs:
#   sbatch docs/jobs/archive-slurm.sh LIST FOLDER
# Submit the same again to go on after a time limit or a node that failed: shards that are done end within seconds.
#SBATCH --job-name=captions
#SBATCH --array=1-16
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=12:00:00
#SBATCH --requeue
# A minute before the time is up the worker is asked to end; it leaves nothing half.
#SBATCH --signal=B:TERM@60
set -euo pipefail

shards=16 # as many as the array has; not SLURM_ARRAY_TASK_COUNT, which is smaller where a part of the array is submitted again
list=${1:?a text with the path of a recording on each line}
out=${2:?a folder for the transcripts that all nodes see}

# In the place of this shell, so that signals reach it.
exec "${BRAID_CLI:-braid-cli}" caption --quiet --list "$list" --shard "${SLURM_ARRAY_TASK_ID:?this is a job for sbatch}/$shards" --resume \
  --threads "${SLURM_CPUS_PER_TASK:-2}" --out "$out"
