#!/usr/bin/env python3
"""Makes man pages and completions (bash, zsh, fish) of both programs from what their --help says, so that they say the same.

    installer/program_help.py --cli build/release/app/braid-cli [--window build/release/app/braid] --out FOLDER

FOLDER gets man/man1, bash-completion/completions, zsh/site-functions and fish/vendor_completions.d, as they stand below share/.
"""
import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLI_COLUMN = 30  # where braid-cli's help begins what it says of an option
# What the programs set for themselves before they begin once more (core/base/cpu.h): it halves the time.
NO_RESTART = {"OPENBLAS_CORETYPE": "HASWELL", "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "10000"}
CHOICES = re.compile(r"[a-z0-9][\w-]*(?:\|[a-z0-9][\w-]*)+")
NAMED_IN_A_SENTENCE = re.compile(r"\b((?:[a-z][\w-]*, )+[a-z][\w-]* or [a-z][\w-]*)")


@dataclass
class Option:
    names: list
    value: str  # as the help writes it: "MS:INT in [20 - 10000]"; empty: a switch
    about: str
    choices: list = field(default_factory=list)

    def takes(self):
        """What comes after the option: nothing, perhaps, choice, folder, number or file."""
        if not self.value:
            return "nothing"
        if self.choices:
            return "choice"
        if self.value.startswith("["):
            return "perhaps"
        kind = re.split(r"[:=\s]", self.value)[0]
        if kind in ("DIR", "FOLDER"):
            return "folder"
        if kind in ("INT", "UINT", "FLOAT", "MS", "N", "SECONDS", "WxH", "POLICY", "CODE"):
            return "number"
        return "file"


@dataclass
class Command:
    path: tuple
    about: str = ""
    usage: str = ""
    options: list = field(default_factory=list)
    positionals: list = field(default_factory=list)  # (name, about)
    commands: list = field(default_factory=list)
    footer: str = ""


def help_of(program, path=()):
    environment = dict(os.environ, LC_ALL="C.UTF-8", COLUMNS="80", **NO_RESTART)
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    answer = subprocess.run([str(program), *path, "--help"], capture_output=True, text=True, env=environment, timeout=60, check=False)
    if answer.returncode != 0:
        sys.exit(f"braid: {program} {' '.join(path)} --help failed: {answer.stderr.strip() or answer.returncode}")
    return answer.stdout


def rows_of(lines):
    """(what stands left, what stands right) of a list in braid-cli's help. What is too long for its column stands alone on its line."""
    rows = []
    for line, following in zip(lines, lines[1:] + [""]):
        if line.startswith(" " * CLI_COLUMN):
            left, right = rows[-1]
            rows[-1] = (left, (right + " " + line.strip()).strip())
        elif following.startswith(" " * CLI_COLUMN):
            rows.append((line.strip(), ""))
        else:
            rows.append((line[:CLI_COLUMN].strip(), line[CLI_COLUMN:].strip()))
    return rows


def read_cli(program, path=()):
    text = help_of(program, path)
    sections, name, footer = {"": []}, "", []
    ended = False
    for line in text.splitlines():
        heading = re.fullmatch(r"(\w+):", line)
        if heading:
            name, ended = heading[1], False
            sections[name] = []
        elif not line.strip():
            ended = name != ""
        elif ended:
            footer.append(line.strip())
        else:
            sections[name].append(line)
    command = Command(path, footer=" ".join(footer))
    for line in sections[""]:
        if line.startswith("Usage: "):
            command.usage = line[len("Usage: "):].strip()
        else:
            command.about = (command.about + " " + line.strip()).strip()
    for left, right in rows_of(sections.get("Options", [])):
        names, _, value = left.partition(" ")
        choices = CHOICES.match(value)
        command.options.append(Option(names.split(","), value.strip(), right, choices[0].split("|") if choices else []))
    for left, right in rows_of(sections.get("Positionals", [])):
        command.positionals.append((left.split(" ")[0], right))
    for left, _ in rows_of(sections.get("Subcommands", [])):
        command.commands.append(read_cli(program, (*path, left)))
    unknown = set(sections) - {"", "Options", "Positionals", "Subcommands"}
    if unknown:
        sys.exit(f"braid: the help of {' '.join(('braid-cli', *path))} has a part that installer/program_help.py does not know: {', '.join(sorted(unknown))}")
    return command


def read_window(program):
    command = Command(())
    part = ""
    for line in help_of(program).splitlines():
        if re.fullmatch(r"\w+:", line):
            part = line[:-1]
        elif line.startswith("Usage: "):
            command.usage = line[len("Usage: "):].strip()
        elif not part:
            command.about = (command.about + " " + line.strip()).strip()
        elif re.match(r"  \S", line):
            left, _, right = line.strip().partition("  ")
            if part == "Options":
                names = [name.split(" ")[0] for name in left.split(", ")]
                value = re.search(r"<(.+)>", left)
                command.options.append(Option(names, value[1] if value else "", right.strip()))
            else:
                command.positionals.append((left, right.strip()))
        elif line.strip():
            if part == "Options":
                command.options[-1].about += " " + line.strip()
            else:
                command.positionals[-1] = (command.positionals[-1][0], command.positionals[-1][1] + " " + line.strip())
    for option in command.options:
        named = NAMED_IN_A_SENTENCE.search(option.about)
        if option.value and named:
            option.choices = re.split(r", | or ", named[1])
    return command


def all_commands(command):
    yield command
    for inner in command.commands:
        yield from all_commands(inner)


# Man pages.

def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq").replace("^", "\\(ha").replace("~", "\\(ti")
    return "\\&" + text if text.startswith(".") else text


def roff_options(command):
    lines = []
    for option in command.options:
        names = ", ".join("\\fB" + roff(name) + "\\fR" for name in option.names)
        lines += [".TP", names + (" \\fI" + roff(option.value) + "\\fR" if option.value else ""), roff(option.about)]
    return lines


def roff_command(command):
    lines = [".SS " + roff(" ".join(command.path)), roff(command.about) + ("" if command.about.endswith(".") else "."), ".PP", "\\fB" + roff(command.usage) + "\\fR"]
    for name, about in command.positionals:
        lines += [".TP", "\\fI" + roff(name) + "\\fR", roff(about)]
    lines += roff_options(command)
    if command.footer:
        lines += [".PP", roff(command.footer)]
    return lines


def man_page(template, command, version, date):
    commands = [line for inner in all_commands(command) if inner.path for line in roff_command(inner)]
    text = template.read_text(encoding="utf-8")
    for name, value in (("DATE", date), ("VERSION", version), ("OPTIONS", "\n".join(roff_options(command))), ("COMMANDS", "\n".join(commands))):
        text = text.replace(f"@{name}@", value)
    return text


# Completions.

def bash_completion(program, command):
    function = "_" + program.replace("-", "_")
    steps, values, lists = [], [], []
    for inner in all_commands(command):
        path = " ".join(inner.path)
        if inner.path:
            steps.append(f"      '{' '.join(inner.path[:-1])}:{inner.path[-1]}') command='{path}' ;;")
        for option in inner.options:
            pattern = "|".join(f"'{path}:{name}'" for name in option.names)
            if option.takes() == "choice":
                values.append(f"    {pattern}) mapfile -t COMPREPLY < <(compgen -W '{' '.join(option.choices)}' -- \"$cur\"); return ;;")
            elif option.takes() == "folder":
                values.append(f"    {pattern}) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"); return ;;")
            elif option.takes() == "file":
                values.append(f"    {pattern}) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return ;;")
            elif option.takes() == "number":
                values.append(f"    {pattern}) return ;;")
        names = " ".join(name for option in inner.options for name in option.names)
        below = " ".join(each.path[-1] for each in inner.commands)
        lists.append(f"    '{path}') options='{names}' commands='{below}' ;;")
    walk = [f"    case \"$command:${{COMP_WORDS[i]}}\" in", *steps, "    esac"] if steps else ["    :"]
    return "\n".join([
        f"# bash completion of {program}, made from its --help by installer/program_help.py",
        f"{function}() {{",
        "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command='' options='' commands='' i",
        "  if [ \"$cur\" = '=' ]; then cur=''; elif [ \"$prev\" = '=' ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi",
        "  for ((i = 1; i < COMP_CWORD; i++)); do", *walk, "  done",
        "  COMPREPLY=()",
        "  case \"$command:$prev\" in", *values, "  esac",
        "  case \"$command\" in", *lists, "  esac",
        "  if [[ $cur == -* ]]; then",
        "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")",
        "  elif [ -n \"$commands\" ]; then",
        "    mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$cur\")",
        "  else",
        "    compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")",
        "  fi",
        "}",
        f"complete -F {function} {program}", ""])


def zsh_quoted(text):
    return text.replace("'", "'\\''")


def zsh_completion(program, command):
    def specification(option):
        about = re.sub(r"([\[\]:\\])", r"\\\1", option.about)
        action = {"nothing": "", "choice": f":value:({' '.join(option.choices)})", "folder": ":folder:_files -/", "file": ":file:_files",
                  "number": ":value: ", "perhaps": "::value: "}[option.takes()]
        others = "(" + " ".join(option.names) + ")" if len(option.names) > 1 else ""
        return [f"'{zsh_quoted(f'{others}{name}[{about}]{action}')}'" for name in option.names]

    def function_name(inner):
        return "_" + "_".join((program, *inner.path))

    lines = [f"#compdef {program}", "# Made from its --help by installer/program_help.py", ""]
    for inner in all_commands(command):
        specifications = [each for option in inner.options for each in specification(option)]
        lines.append(f"{function_name(inner)}() {{")
        if inner.commands:
            lines += ["  local curcontext=\"$curcontext\" state line", "  local -a commands", "  _arguments -C \\",
                      *[f"    {each} \\" for each in specifications], "    '1: :->command' '*:: :->arguments'",
                      "  case $state in", "    command)", "      commands=(",
                      *["        '" + zsh_quoted(each.path[-1] + ":" + each.about.replace(":", "\\:")) + "'" for each in inner.commands],
                      "      )", "      _describe -t commands command commands ;;", "    arguments)", "      case $words[1] in",
                      *[f"        {each.path[-1]}) {function_name(each)} ;;" for each in inner.commands], "      esac ;;", "  esac"]
        else:
            lines += ["  _arguments -s \\", *[f"    {each} \\" for each in specifications], "    '*:file:_files'" if inner.positionals else "    '*: :'"]
        lines += ["}", ""]
    lines += [f"{function_name(command)} \"$@\"", ""]
    return "\n".join(lines)


def fish_completion(program, command):
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    at = "__" + program.replace("-", "_") + "_at"
    commands = [inner for inner in all_commands(command) if inner.path]
    lines = [f"# fish completion of {program}, made from its --help by installer/program_help.py",
             f"function {at} --description 'Whether this command of {program} is being written'",
             "    set -l path ''", "    for word in (commandline -opc)[2..]", "        switch \"$path:$word\""]
    for inner in commands:
        lines += [f"            case {quoted(' '.join(inner.path[:-1]) + ':' + inner.path[-1])}", f"                set path {quoted(' '.join(inner.path))}"]
    lines += ["        end", "    end", "    test \"$path\" = \"$argv[1]\"", "end", ""]
    for inner in all_commands(command):
        start = f"complete -c {program} -n {quoted(at + ' ' + quoted(' '.join(inner.path)))}"
        for each in inner.commands:
            lines.append(f"{start} -f -a {quoted(each.path[-1])} -d {quoted(each.about)}")
        for option in inner.options:
            names = " ".join(("-l " + name[2:]) if name.startswith("--") else ("-s " + name[1:]) for name in option.names)
            value = {"nothing": "", "perhaps": "", "choice": f" -x -a {quoted(' '.join(option.choices))}", "folder": " -x -a '(__fish_complete_directories)'",
                     "file": " -r -F", "number": " -x"}[option.takes()]
            lines.append(f"{start} {names}{value} -d {quoted(option.about)}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", type=Path, required=True)
    parser.add_argument("--window", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    choice = parser.parse_args()
    programs = [("braid-cli", choice.cli, read_cli(choice.cli))]
    if choice.window:
        programs.append(("braid", choice.window, read_window(choice.window)))
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    answer = subprocess.run([str(choice.cli), "--version"], capture_output=True, text=True, check=True)
    version = answer.stdout.split()[-1]
    for name, _, command in programs:
        for path, text in ((f"man/man1/{name}.1", man_page(HERE / f"linux/man/{name}.1.in", command, version, date)),
                           (f"bash-completion/completions/{name}", bash_completion(name, command)),
                           (f"zsh/site-functions/_{name}", zsh_completion(name, command)),
                           (f"fish/vendor_completions.d/{name}.fish", fish_completion(name, command))):
            file = choice.out / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
