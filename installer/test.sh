#!/usr/bin/env bash
# Installs what is missing, checks the sources' layout, builds and runs all tests: the suites, the sanitizers, and half a minute of fuzzing for each reader.
#   installer/test.sh           everything; each suite runs once, sanitized unless it needs libtorch or a window
#   installer/test.sh --quick   all suites, in the ordinary build alone
# BRAID_FUZZ_SECONDS (30): how long each reader is fuzzed.
set -euo pipefail
cd "$(dirname "$0")/.."
. installer/packages.sh

quick=no
[ "${1:-}" = --quick ] && quick=yes

braid_install "${braid_packages_build[@]}" $(braid_torch_packages) "${braid_packages_run[@]}" "${braid_packages_test[@]}"

stage() { echo; echo "== $1 ($(date +%H:%M:%S))"; }

stage "layout of the sources, includes against ARCHITECTURE.md, and what docs/papers.md names"
tools/check_style.sh

if [ "$quick" = yes ]; then
  stage "all suites"
  braid_build dev
  ctest --preset dev -j2
else
  stage "suites of the models, the window and the programs"
  braid_build dev braid-cli braid braid_upper_tests
  ctest --preset dev -j2 -L upper

  stage "the other suites, under the address and undefined-behaviour sanitizers"
  braid_build asan braid_lower_tests
  ctest --preset asan -j2

  stage "thread sanitizer"
  braid_build tsan braid_thread_tests
  ctest --preset tsan

  stage "fuzzing every reader for ${BRAID_FUZZ_SECONDS:-30} s"
  braid_build fuzz braid_fuzzers
  ctest --preset fuzz -j2
fi
echo
echo "braid: all tests passed"
