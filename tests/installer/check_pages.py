#!/usr/bin/env python3
"""Whether man pages and completions hold every command and option of the programs' help, and whether what is installed for the desktop is valid.

    tests/installer/check_pages.py BRAID_CLI [BRAID]

Reads the help in its own way, not with installer/program_help.py. Checks that need a tool (man, bash, zsh, fish, desktop-file-validate, appstreamcli,
xmllint, shellcheck) are left out, with a word, where it is not installed.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What the programs would set and begin once more for.
NO_RESTART = {"OPENBLAS_CORETYPE": "HASWELL", "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "10000"}
faults = []


def check(right, sentence):
    if not right:
        faults.append(sentence)


def run(*command, cwd=None, **more):
    environment = dict(os.environ, LC_ALL="C.UTF-8", QT_QPA_PLATFORM="offscreen", MANWIDTH="200", **NO_RESTART, **more)
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, env=environment, cwd=cwd, timeout=120, check=False)


def there(tool):
    if shutil.which(tool) is None:
        print(f"left out: {tool} is not installed")
        return False
    return True


def help_of(program, *path):
    answer = run(program, *path, "--help")
    check(answer.returncode == 0, f"{program} {' '.join(path)} --help ends with {answer.returncode}: {answer.stderr}")
    return answer.stdout


def commands_of(program, path=()):
    """Each command with its options, as words that begin with a dash at the left of its help."""
    text = help_of(program, *path)
    options = [name for line in re.findall(r"^  (-[^\s,]+(?:, ?-[^\s,]+)*)", text, re.M) for name in re.split(r", ?", line)]
    yield path, options
    below = text.partition("\nSubcommands:\n")[2]
    for name in re.findall(r"^  ([a-z]\w*)  ", below, re.M):
        yield from commands_of(program, (*path, name))


def man_part(text, path):
    """The options of one command in the page as a person sees it."""
    text = text.partition("\nCOMMANDS\n")[2] if path else text.partition("\nOPTIONS\n")[2].partition("\nCOMMANDS\n")[0]
    if not path:
        return text
    begin = re.search(rf"^   {' '.join(path)}$", text, re.M)
    if begin is None:
        return None
    rest = text[begin.end():]
    end = re.search(r"^ {0,3}\S", rest, re.M)
    return rest[:end.start()] if end else rest


def completed(pages, name, words):
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _' + name.replace("-", "_") + '; printf "%s\\n" "${COMPREPLY[@]}"'
    answer = run("bash", "-c", script, "bash", pages / "bash-completion/completions" / name, *words)
    check(answer.returncode == 0 and not answer.stderr, f"bash completion of {words}: {answer.stderr}")
    return answer.stdout.split()


def check_program(pages, name, program):
    manual = pages / "man/man1" / f"{name}.1"
    shown = ""
    if there("man"):
        answer = run("man", "--warnings", "-l", manual, MAN_KEEP_FORMATTING="")
        check(answer.returncode == 0 and not answer.stderr, f"man --warnings {name}.1: {answer.stderr}")
        shown = re.sub(r".\x08", "", answer.stdout)
    zsh = (pages / "zsh/site-functions" / f"_{name}").read_text(encoding="utf-8")
    fish = (pages / "fish/vendor_completions.d" / f"{name}.fish").read_text(encoding="utf-8")
    for path, options in commands_of(program):
        where = " ".join((name, *path))
        check(len(options) > 0, f"the help of {where} shows no option")
        part = man_part(shown, path) if shown else None
        check(not shown or part is not None, f"the man page has no part for {where}")
        function = re.search(rf"^_{'_'.join((name, *path))}\(\) {{$(.*?)^}}$", zsh, re.M | re.S)
        check(function is not None, f"the zsh completion has no part for {where}")
        offered = completed(pages, name, [name, *path, "-"])
        for option in options:
            if part is not None:
                check(re.search(rf"^ +(?:\S+, )*{re.escape(option)}(?:[ ,]|$)", part, re.M), f"the man page of {where} lacks {option}")
            check(option in offered, f"the bash completion of {where} lacks {option}")
            check(function is not None and re.search(rf"'(?:\([^)]*\))?{re.escape(option)}\[", function[1]), f"the zsh completion of {where} lacks {option}")
            flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            at = "__" + name.replace("-", "_") + "_at \\'" + " ".join(path) + "\\'"
            check(re.search(rf"^complete -c {name} -n '{re.escape(at)}' (?:.* )?{re.escape(flag)} ", fish, re.M), f"the fish completion of {where} lacks {option}")
        if path:
            check(path[-1] in completed(pages, name, [name, *path[:-1], ""]), f"the bash completion lacks the command {where}")
    if there("zsh"):
        answer = run("zsh", "-n", pages / "zsh/site-functions" / f"_{name}")
        check(answer.returncode == 0, f"zsh completion of {name}: {answer.stderr}")
    if there("fish"):
        answer = run("fish", "--no-config", "-c", f"source {pages / 'fish/vendor_completions.d' / (name + '.fish')}; complete -C '{name} --ver'")
        check("--version" in answer.stdout and not answer.stderr, f"fish completes \"{name} --ver\" to {answer.stdout!r}: {answer.stderr}")


def main():
    programs = dict(zip(("braid-cli", "braid"), sys.argv[1:]))
    if not programs:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder)
        made = run(sys.executable, ROOT / "installer/program_help.py", "--cli", programs["braid-cli"], "--out", pages,
                   *(("--window", programs["braid"]) if "braid" in programs else ()))
        check(made.returncode == 0, f"program_help.py: {made.stderr}")
        if made.returncode == 0:
            for name, program in programs.items():
                check_program(pages, name, program)
            check(completed(pages, "braid-cli", ["braid-cli", "caption", "--task", "tr"]) == ["transcribe", "translate"], "bash does not complete choices")
            check("captions" in completed(pages, "braid-cli", ["braid-cli", "eval", ""]), "bash does not complete commands of commands")
    linux = ROOT / "installer/linux"
    if there("desktop-file-validate"):
        answer = run("desktop-file-validate", linux / "org.braid.Braid.desktop")
        check(answer.returncode == 0, f"desktop-file-validate: {answer.stdout}{answer.stderr}")
    if there("xmllint"):
        answer = run("xmllint", "--noout", linux / "org.braid.Braid.mime.xml")
        check(answer.returncode == 0, f"xmllint: {answer.stderr}")
    if there("appstreamcli"):
        answer = run("appstreamcli", "validate", "--no-net", linux / "org.braid.Braid.metainfo.xml")
        check(answer.returncode == 0, f"appstreamcli: {answer.stdout}")
    if there("shellcheck"):
        answer = run("shellcheck", "-x", "installer/package.sh", "installer/try_package.sh", "installer/linux/install-for-me.sh", cwd=ROOT)
        check(answer.returncode == 0, f"shellcheck: {answer.stdout}")
    for sentence in faults:
        print(sentence, file=sys.stderr)
    sys.exit(f"{len(faults)} faults" if faults else 0)


if __name__ == "__main__":
    main()
