#!/usr/bin/env bash
# Trains on a bare machine from the pieces pack.sh made, in commands that end by themselves; README.md beside pack.sh shows them in order.
#
#   train.sh take WORK PIECE...          keeps pieces (pieces.sha256 lies beside them); when all are there, unpacks
#   train.sh build WORK                  braid-cli against the PyTorch that is there (or what CMAKE_PREFIX_PATH names)
#   train.sh train WORK MINUTES [OUT]    trains on, ends and saves before MINUTES of this command are over; then as `weights`
#   train.sh weights WORK OUT            the newest model in files of at most 16 MiB (or WEIGHTS_MIB), with the log so far
#   train.sh join OUT FOLDER             at home again: FOLDER/model of those files
set -euo pipefail

fail() { echo "train.sh: $*" >&2; exit 1; }
command=${1:-}
[ $# -ge 2 ] || { sed -n '4,8s/^# *//p' "$0"; exit 2; }

take() {
  local work=$1 piece name
  shift
  mkdir -p "$work/pieces"
  for piece in "$@"; do
    name=$(basename "$piece")
    cp "$(dirname "$piece")/pieces.sha256" "$work/pieces/"
    cp "$piece" "$work/pieces/"
    (cd "$work/pieces" && grep -F "  $name" pieces.sha256 | sha256sum --quiet -c -) || fail "$name arrived broken, or belongs to other pieces"
  done
  for name in $(cut -c 67- "$work/pieces/pieces.sha256"); do
    [ -e "$work/pieces/$name" ] || { echo "still missing: $name"; return 0; }
  done
  (cd "$work/pieces" && sha256sum --quiet -c pieces.sha256) || fail "pieces of different packings lie in $work/pieces; empty it"
  cat "$work"/pieces/braid.* | tar -xf - -C "$work"
  rm -f "$work"/pieces/braid.*
  find "$work/data/sounds" -name '*.opus' -print0 | xargs -0 -r -n 100 -P "$(nproc)" "$work/tools/opus_to_wav" || fail "some sounds cannot be decoded"
  echo "all pieces are there: $(find "$work/data/sounds" -name '*.wav' | wc -l) sounds, $(du -sh "$work" | cut -f1)"
}

build() {
  local work=$1
  if [ -z "${CMAKE_PREFIX_PATH:-}" ]; then
    CMAKE_PREFIX_PATH=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)' 2>/dev/null || true)
    export CMAKE_PREFIX_PATH
  fi
  cd "$work/source"
  cmake --preset bare -DBRAID_BENCHMARKS=OFF >"$work/configure.log" 2>&1 || { tail -n 20 "$work/configure.log" >&2; fail "cmake refused; the whole log is $work/configure.log"; }
  cmake --build --preset bare --target braid-cli -j "$(nproc)" >"$work/build.log" 2>&1 || { grep -m 5 -A 5 'error:' "$work/build.log" >&2; fail "the build failed; the whole log is $work/build.log"; }
  echo "built: $(ls "$work/source/build/bare/app/braid-cli")"
}

train() {
  local work=$1 minutes=$2 resume=() seconds
  [ -e "$work/run/finished" ] && { echo "the schedule is over; nothing is left to train"; return 0; }
  [ -e "$work/run/checkpoint/state.json" ] && resume=(--resume)
  # Half a minute for the last step, the checkpoint and the weights.
  seconds=$(awk -v m="$minutes" 'BEGIN { s = m * 60; print int(s > 120 ? s - 30 : s * 0.75) }')
  mkdir -p "$work/run"
  # The first interrupt lets the trainer finish its step and save. On the screen every tenth step is enough.
  set +e
  timeout --foreground --preserve-status -s INT -k 25 "$seconds" \
    "$work/source/build/bare/app/braid-cli" train "$work/data/recipe.json" --out "$work/run" "${resume[@]}" 2>&1 | tee -a "$work/train.log" | grep -v '^step [0-9]*[1-9] '
  local status=${PIPESTATUS[0]}
  set -e
  [ "$status" -eq 0 ] || fail "the trainer ended with $status; the whole log is $work/train.log"
  if tail -n 1 "$work/train.log" | grep -q '^Done:'; then touch "$work/run/finished"; fi
}

weights() {
  local work=$1 out=$2 model=model
  [ -d "$work/run/$model" ] || model=last
  [ -d "$work/run/$model" ] || fail "there is no model in $work/run yet"
  mkdir -p "$out"
  rm -f "$out"/weights.*
  cp "$work/data/recipe.json" "$work/train.log" "$work/run/$model/"
  tar -C "$work/run" --transform "s/^$model/model/" -cf - "$model" | split -b "${WEIGHTS_MIB:-16}M" -d -a 3 - "$out/weights."
  (cd "$out" && sha256sum weights.[0-9]* >weights.sha256)
  ls -l "$out"
}

# After a command that came no further than preparing there is no model yet.
newest() { if [ -d "$1/run/model" ] || [ -d "$1/run/last" ]; then weights "$1" "$2"; else echo "no model yet: call train again"; fi; }

join() {
  local out=$1 folder=$2
  (cd "$out" && sha256sum --quiet -c weights.sha256) || fail "weights are missing or broken in $out"
  mkdir -p "$folder"
  cat "$out"/weights.[0-9]* | tar -xf - -C "$folder"
  ls -l "$folder/model"
}

case $command in
  take) mkdir -p "$2"; work=$(realpath "$2"); shift 2; take "$work" "$@" ;;
  build) build "$(realpath "$2")" ;;
  train) train "$(realpath "$2")" "$3"; if [ -n "${4:-}" ]; then newest "$(realpath "$2")" "$4"; fi ;;
  weights) weights "$(realpath "$2")" "$3" ;;
  join) join "$2" "$3" ;;
  *) fail "\"$command\" is none of take, build, train, weights, join" ;;
esac
