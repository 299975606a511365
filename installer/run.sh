#!/usr/bin/env bash
# Installs what is missing, builds Braid and starts its main job: live captions of the bundled sample.
# With a display: the window. Without one: captions, translations and parallel streams in the terminal, as they appear live, and a picture of the window.
# Arguments are handed on to the program, e.g.  installer/run.sh talk.mp4
set -euo pipefail
cd "$(dirname "$0")/.."
. installer/packages.sh

braid_install "${braid_packages_build[@]}" $(braid_torch_packages) "${braid_packages_run[@]}"
braid_build release braid braid-cli

sample=resources/samples/caption-sample.flac
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  if [ $# -gt 0 ]; then
    exec build/release/app/braid "$@"
  fi
  exec build/release/app/braid --sample
fi

echo "braid: there is no display, so the captions come here, as they would appear live."
if [ $# -gt 0 ]; then
  build/release/app/braid-cli caption --realtime "$@"
  exit
fi
build/release/app/braid-cli caption --realtime "$sample"
echo "braid: an English letter in French, written while it is read, five words behind:"
build/release/app/braid-cli translate resources/samples/translation-sample.txt
echo "braid: and what was said in the sample, translated as its captions settle:"
build/release/app/braid-cli translate --from-captions "$sample"
echo "braid: and a question to parallel streams, worked out while it is asked, and changed before its end:"
build/release/app/braid-cli chat --script resources/samples/chat-sample.txt
picture=build/braid-window.png
# Qt complains where a session has no such folder.
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
  XDG_RUNTIME_DIR=$(mktemp -d)
  export XDG_RUNTIME_DIR
  trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
fi
QT_QPA_PLATFORM=offscreen build/release/app/braid --sample --screenshot "$picture"
echo "braid: a picture of the window with this sample is in $picture"
