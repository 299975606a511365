#!/usr/bin/env python3
"""Checks every #include between the project's folders against the arrows in ARCHITECTURE.md.

usage: tools/check_includes.py [FOLDER OF THE CHECKOUT]

The arrows stand between ```arrows and ```: `folder: folders it may include`, lowest first; a folder may always include itself, and only
folders of lines above its own. Libtorch's headers may stand in the folders of the line `libtorch:`, Qt's in those of `Qt:`.
Prints a line for each include that is not allowed and ends with 1 where there is one.
"""
import pathlib
import re
import sys

TORCH = re.compile(r"#include <(torch|ATen|c10|caffe2)/")
QT = re.compile(r"#include <Q[A-Z]")
OWN = re.compile(r'#include "((?:core|lab|ui|app)/[^"]+)"')


def arrows(page):
    block = re.search(r"^```arrows\n(.*?)^```", page, re.S | re.M)
    if block is None:
        sys.exit("ARCHITECTURE.md has no block of arrows")
    allowed = {}
    libraries = {}
    for line in block.group(1).splitlines():
        folder, _, known = line.partition(":")
        known = known.split()
        if folder in ("libtorch", "Qt"):
            libraries[folder] = set(known)
            continue
        unknown = [other for other in known if other not in allowed]
        if unknown:
            sys.exit(f"ARCHITECTURE.md: {folder} may include {', '.join(unknown)}, which do not stand above it")
        allowed[folder] = set(known)
    return allowed, libraries


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    allowed, libraries = arrows((root / "ARCHITECTURE.md").read_text(encoding="utf-8"))

    def room_of(path):  # the longest folder of the list that holds it
        return max((folder for folder in allowed if path.startswith(folder + "/")), key=len, default=None)

    wrong = 0
    for top in ("core", "lab", "ui", "app"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            path = file.relative_to(root).as_posix()
            own = room_of(path)
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                sentence = None
                include = OWN.match(line)
                if own is None:
                    sentence = "its folder has no line in ARCHITECTURE.md"
                elif include and room_of(include.group(1)) not in allowed[own] | {own}:
                    sentence = f"{own} may not include {include.group(1)}"
                elif TORCH.match(line) and own not in libraries["libtorch"]:
                    sentence = f"{own} may not include libtorch"
                elif QT.match(line) and own not in libraries["Qt"]:
                    sentence = f"{own} may not include Qt"
                if sentence:
                    wrong += 1
                    print(f"{path}:{number}: {sentence}")
                    if own is None:
                        break
    if wrong:
        sys.exit(1)


if __name__ == "__main__":
    main()
