#!/usr/bin/env bash
# Collects the header-only dependencies into a folder, for building the core and braid-cli on a machine that has only a compiler,
# CMake and libtorch 2.x (a bare GPU machine):
#   installer/carry.sh carry                      here, where the packages are
#   cmake -B build/bare -DBRAID_CARRY=$PWD/carry -DBRAID_WINDOW=OFF -DBRAID_SOUND_DEVICES=OFF -DBRAID_MEDIA=OFF -DBRAID_NETWORK=OFF -DBRAID_TESTS=OFF  there
set -euo pipefail
cd "$(dirname "$0")/.."
. installer/packages.sh
destination=${1:-carry}
braid_install nlohmann-json3-dev libspdlog-dev libfmt-dev libcli11-dev
mkdir -p "$destination/include"
for folder in nlohmann spdlog fmt CLI; do
  rm -rf "$destination/include/$folder"
  cp -r "/usr/include/$folder" "$destination/include/"
done
echo "braid: carried headers are in $destination ($(du -sh "$destination" | cut -f1))"
