#!/usr/bin/env bash
# Captions an archive with GNU parallel, on this machine or, with --sshlogin, on others that see the same folders.
#   docs/jobs/archive-parallel.sh LIST FOLDER [SHARDS [JOBS]] [-- OPTIONS OF braid-cli caption]
# Say the same again to go on after anything that ended it.
set -euo pipefail

list=${1:?a text with the path of a recording on each line}
out=${2:?a folder for the transcripts}
shift 2
shards=16
jobs=2
if [ $# -gt 0 ] && [ "$1" != -- ]; then shards=$1; shift; fi
if [ $# -gt 0 ] && [ "$1" != -- ]; then jobs=$1; shift; fi
if [ $# -gt 0 ]; then shift; fi

# A shard whose worker was killed is tried twice more; 3 says that some recordings are broken, and trying again does not mend them.
one() {
  local shard=$1 list=$2 out=$3 attempt code
  shift 3
  for attempt in 1 2 3; do
    code=0
    "${BRAID_CLI:-braid-cli}" caption --quiet --list "$list" --shard "$shard" --resume --out "$out" "$@" || code=$?
    if [ "$code" -eq 0 ] || [ "$code" -eq 2 ] || [ "$code" -eq 3 ]; then break; fi
    echo "shard $shard ended with $code in attempt $attempt" >&2
  done
  return "$code"
}
export -f one
PARALLEL_SHELL=$(command -v bash)
export PARALLEL_SHELL

# --will-cite: without the question about citing, which waits for an answer.
seq "$shards" | parallel --will-cite --env one --quote --jobs "$jobs" one "{}/$shards" "$list" "$out" "$@"
