#!/usr/bin/env bash
# Packs the training of a caption model for a bare machine with a GPU: Braid's source, the carried headers, and what a recipe needs, in
# pieces. README.md beside this says how to use them.
#
#   pack.sh RECIPE OUT [--minutes 20] [--device cuda] [--loaders 12] [--piece-mib 64]
#
# OUT/pieces then holds braid.000, braid.001, ... and pieces.sha256; OUT/staging is what they are made of, kept for the next time.
set -euo pipefail
root=$(realpath "$(dirname "$0")/../../..")
here=$root/tools/training/gpu
recipe=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
shift 2
minutes=20 device=cuda loaders=12 piece_mib=64
while [ $# -gt 0 ]; do
  case $1 in
    --minutes) minutes=$2 ;;
    --device) device=$2 ;;
    --loaders) loaders=$2 ;;
    --piece-mib) piece_mib=$2 ;;
    *) echo "pack.sh: $1 is none of --minutes, --device, --loaders, --piece-mib" >&2; exit 2 ;;
  esac
  shift 2
done

. "$root/installer/packages.sh"
braid_install libopus-dev libogg-dev ffmpeg python3

staging=$out/staging
rm -rf "$staging/source"
mkdir -p "$staging/source" "$staging/tools"
(cd "$root" && git ls-files -co --exclude-standard CMakeLists.txt CMakePresets.json LICENSE README.md cmake core lab app | tar -cf - -T -) | tar -xf - -C "$staging/source"
"$root/installer/carry.sh" "$staging/source/carry"
cc -O2 -static -o "$staging/tools/opus_to_wav" "$here/opus_to_wav.c" -lopus -logg -lm
python3 "$here/pack.py" "$recipe" "$staging/data" --minutes "$minutes" --device "$device" --loaders "$loaders"

rm -rf "$out/pieces"
mkdir -p "$out/pieces"
tar -C "$staging" -cf - source tools data | split -b "${piece_mib}M" -d -a 3 - "$out/pieces/braid."
(cd "$out/pieces" && sha256sum braid.* >pieces.sha256)
cp "$here/train.sh" "$out/pieces/"
ls -l "$out/pieces"
