#!/usr/bin/env bash
# Brings resources/translations/*.ts to what the sources say: new texts come in unfinished, texts that are gone leave. Translate what is unfinished (Qt
# Linguist, or any editor), then run it again. English has its plurals alone.
# With a folder as argument it updates copies there instead (for the test).
set -euo pipefail
cd "$(dirname "$0")/.."
lupdate=${LUPDATE:-/usr/lib/qt6/bin/lupdate}
folder=${1:-resources/translations}
mkdir -p "$folder"
# The sources stand inside namespaces: with the project as include path lupdate finds the classes' full names, which are the contexts at run time.
common=(-silent -extensions "cpp,h" -I . -no-obsolete -locations none -source-language en)
"$lupdate" ui app/window "${common[@]}" -ts "$folder/braid_de.ts" "$folder/braid_fr.ts" 2>&1 | grep -v 'Qualifying with unknown' || true
"$lupdate" ui app/window "${common[@]}" -pluralonly -ts "$folder/braid_en.ts" 2>&1 | grep -v 'Qualifying with unknown' || true
