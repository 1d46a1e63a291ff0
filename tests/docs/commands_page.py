"""docs/commands.md, generated from `capwright COMMAND --help`."""

import os
import re
import subprocess
import sys

# The page of each command's feature.
PAGES = {
    "render": "[Work with a repository](repository.md)",
    "values": "[Trace values](explain.md)",
    "explain": "[Trace values](explain.md), [diagnostics](diagnostics.md), "
               "[rules](rules.md)",
    "lint": "[Lint a repository](lint.md)",
    "graph": "[The object graph of a cluster](graph.md)",
    "diff": "[Compare rendered trees](diff.md)",
    "plan": "[Plan a change](plan.md)",
    "leftovers": "[Find objects that still run](leftovers.md)",
    "remap": "[Findings of other tools](reports.md#findings-of-other-tools)",
    "rules": "[Rules](rules.md), [write your own](own-rules.md)",
    "schema": "[Schemas for editors](values.md#check-values-in-an-editor), [schemas of manifests](../schemas/crds/README.md)",
    "addons": "[Add-ons](addons.md)",
    "eject": "[Take a set over](repository.md#take-a-set-over)",
    "catalogue": "[Catalogues](../schemas/catalogue/README.md)",
    "test": "[Golden cases](testing.md)",
    "cmp": "[Argo CD: the plugin](argocd.md#the-plugin)",
    "audit": "[Audit published clusters](audit.md)",
    "publish": "[Publish rendered files](publish.md)",
    "dev": "",
    "version": "",
}

INTRODUCTION = """# Commands

Generated from the program's help; `capwright COMMAND --help` prints the same. Exit codes: 0 clean; 1 findings or
differences; 2 usage, configuration or I/O error; 70 a bug in capwright.
"""

COMMON = """
## Common options

Most commands accept these. Each command lists the ones it has.

"""

SHARED_BY = 6  # An option that this many commands have, with the same text, is described once.
HELP_OPTION = "-h,--help"
TEXT_COLUMN = 30


class Help:
    """The parts of a help text: its summary, its usage line, and (name, text) of each argument, option and subcommand."""

    def __init__(self, text):
        self.summary, usage, *lines = text.rstrip("\n").split("\n")
        self.usage = usage.removeprefix("Usage: ")
        self.sections = {}
        rows = []
        name = ""
        for line in lines:
            if line.endswith(":") and not line.startswith(" "):
                rows = self.sections.setdefault(line[:-1], [])
            elif line.startswith(" " * TEXT_COLUMN):  # the text of a name that is too long for its column
                rows[-1] = (name, line.strip())
            elif line.strip():
                name = line.strip()
                rows.append((line[:TEXT_COLUMN].strip(), line[TEXT_COLUMN:].strip()))

    def commands(self):
        return [name for name, _ in self.sections.get("Subcommands", [])]

    def rows(self):
        rows = self.sections.get("Positionals", []) + self.sections.get("Options", [])
        return [row for row in rows if row[0] != HELP_OPTION]


def help_of(*command):
    program = os.environ["CAPWRIGHT"]
    return Help(subprocess.run([program, *command, "--help"], check=True, capture_output=True, text=True).stdout)


def all_commands():
    """(words, help) of each command, those with subcommands before these."""
    found = []
    for name in help_of().commands():
        if name not in PAGES:
            sys.exit(f"tests/docs/commands_page.py names no page for `{name}`")
        found.append(((name,), help_of(name)))
        found += [((name, inner), help_of(name, inner)) for inner in found[-1][1].commands()]
    return found


def shared_rows(commands):
    """The rows that many commands have."""
    count = {}
    for _, command in commands:
        for row in command.rows():
            count[row] = count.get(row, 0) + 1
    return [row for row, times in count.items() if times >= SHARED_BY]


def table(rows):
    def cell(name, meaning):
        name, *conditions = re.split(r" (?=(?:Needs|Excludes): )", name)
        code = name.replace(" REQUIRED", "").replace("|", "\\|")
        notes = [condition.replace("Needs: ", "needs ").replace("Excludes: ", "not with ") for condition in conditions]
        text = "; ".join([meaning.replace("|", "\\|"), *(re.sub(r"(--\S+)", r"`\1`", note) for note in notes)])
        return f"| `{code}` | {text} |\n"

    return "| argument or option | meaning |\n|---|---|\n" + "".join(cell(*row) for row in rows)


def section(words, command, shared):
    page = PAGES[words[0]] if len(words) == 1 else ""
    text = f"\n{'#' * (len(words) + 1)} {' '.join(words)}\n\n{command.summary}.{f' See {page}.' if page else ''}\n"
    text += f"\n```text\n{command.usage}\n```\n"
    own = [row for row in command.rows() if row not in shared]
    if own:
        text += "\n" + table(own)
    common = [row[0].split(" ")[0].split(",")[-1] for row in command.rows() if row in shared]
    if common:
        text += "\n[Common options](#common-options): " + ", ".join(f"`{name}`" for name in common) + ".\n"
    return text


def overview(commands):
    rows = [f"| [`{words[0]}`](#{words[0]}) | {command.summary} | {PAGES[words[0]]} |\n"
            for words, command in commands if len(words) == 1]
    return "\n| command | purpose | more |\n|---|---|---|\n" + "".join(rows)


def page():
    commands = all_commands()
    shared = shared_rows(commands)
    return (INTRODUCTION + overview(commands) + "".join(section(words, command, shared) for words, command in commands) +
            COMMON + table(shared))
