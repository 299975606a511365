#!/usr/bin/env python3
"""Checks what docs/papers.md names: files, test functions, and the functions and types that it says stand in a file.

usage: tools/check_papers.py [FOLDER OF THE CHECKOUT]

Between backticks on that page:
  core/nn/rotary.h                a path from the root, also within a command: must be there (../ is outside the repository and is not looked for)
  tst_wait_k::openWordOnlyGrows   a test: exactly one tests/**/tst_wait_k.cpp, with that function
`name()` in `path`, and `path`: `Name`: the file must have that word.
Prints a line for each thing that is not there and ends with 1 where there is one. Whether a test proves what its row says, people must see.
"""
import pathlib
import re
import sys

PAGE = "docs/papers.md"
QUOTED = re.compile(r"`([^`]+)`")
TEST = re.compile(r"(tst_\w+)::(\w+)")
SOURCE_FILE = re.compile(r"\.(h|cpp|json|md|py|sh|txt|flac|wav|cmake)$")
NAMES = r"(?:`[A-Za-z_]\w*(?:\([^`]*\))?`(?:, )?)+"
NAMES_IN_PATH = re.compile(rf"({NAMES}) in `([^`\s]+/[^`\s]+)`")
PATH_WITH_NAMES = re.compile(rf"`([^`\s]+/[^`\s]+)`: ({NAMES})")


class Page:
    def __init__(self, root):
        self.root = root
        self.folders = {entry.name for entry in root.iterdir() if entry.is_dir()}
        self.tests = {}
        for file in sorted((root / "tests").rglob("tst_*.cpp")):
            self.tests.setdefault(file.stem, []).append(file)
        self.checked = 0
        self.wrong = []

    def path(self, word, number):
        if word.startswith("../") or word.startswith("-"):
            return
        is_path = word.split("/")[0] in self.folders if "/" in word else False
        if not is_path and not SOURCE_FILE.search(word):
            return
        self.checked += 1
        if not (self.root / word).exists():
            self.wrong.append((number, f"there is no {word}"))

    def test(self, file, function, number):
        self.checked += 1
        found = self.tests.get(file, [])
        if len(found) != 1:
            self.wrong.append((number, f"tests has {len(found)} files {file}.cpp, not one"))
        elif not re.search(rf"\bvoid (?:\w+::)?{function}\(\)", found[0].read_text(encoding="utf-8")):
            self.wrong.append((number, f"{found[0].relative_to(self.root)} has no test {function}"))

    def names(self, names, path, number):
        file = self.root / path
        if not file.is_file():
            return  # told already
        text = file.read_text(encoding="utf-8")
        for name in re.findall(r"`([A-Za-z_]\w*)", names):
            self.checked += 1
            if not re.search(rf"\b{name}\b", text):
                self.wrong.append((number, f"{path} has no {name}"))

    def line(self, text, number):
        for quoted in QUOTED.findall(text):
            test = TEST.fullmatch(quoted)
            if test:
                self.test(test.group(1), test.group(2), number)
            else:
                for word in quoted.split():
                    self.path(word, number)
        for names, path in NAMES_IN_PATH.findall(text):
            self.names(names, path, number)
        for path, names in PATH_WITH_NAMES.findall(text):
            self.names(names, path, number)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    page = Page(root)
    for number, text in enumerate((root / PAGE).read_text(encoding="utf-8").splitlines(), 1):
        page.line(text, number)
    for number, sentence in page.wrong:
        print(f"{PAGE}:{number}: {sentence}")
    if not page.checked:
        print(f"{PAGE} names nothing that could be checked")
    if page.wrong or not page.checked:
        sys.exit(1)


if __name__ == "__main__":
    main()
