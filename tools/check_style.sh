#!/usr/bin/env bash
# Checks that every source file is laid out as .clang-format says, every include is an arrow of ARCHITECTURE.md, and docs/papers.md names what is there.
#   tools/check_style.sh         says what differs and ends with 1 where something does
#   tools/check_style.sh --fix   lays the files out
# Tables that a script generated are left as it wrote them.
set -euo pipefail
cd "$(dirname "$0")/.."

files() { git ls-files -- 'core/*.h' 'core/*.cpp' 'lab/*.h' 'lab/*.cpp' 'ui/*.h' 'ui/*.cpp' 'app/*.h' 'app/*.cpp' 'bench/*.h' 'bench/*.cpp' 'tests/*.h' 'tests/*.cpp' | grep -v -e '_table\.cpp$' -e '^tests/parity/'; }

if [ "${1:-}" = --fix ]; then
  files | xargs -P "$(nproc)" -n 40 clang-format-16 -i
else
  files | xargs -P "$(nproc)" -n 40 clang-format-16 --dry-run -Werror
  tools/check_includes.py
  tools/check_papers.py
fi
