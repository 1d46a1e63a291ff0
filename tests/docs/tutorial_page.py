#!/usr/bin/env python3
"""Runs the `console` blocks of a page one after the other in one folder, as a reader does.

    CAPWRIGHT=build/dev/capwright CAPWRIGHT_PROJECT=$PWD tutorial_page.py build/dev/capwright-spec PAGE [--bless]

capwright-spec runs each block in a folder of its own. This script joins the blocks of the page into one, and lets
capwright-spec run that. Blocks whose info string is a file name are files, which exist from the start. --bless writes the
actual output into the page.
"""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\S+)\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^(?=\$ )", re.M)
PYTHON = "$ python3 "


def commands_of(text):
    """Each command with its output."""
    return [part for part in COMMAND.split(text) if part]


def missing_modules(page):
    """The modules that the page's Python scripts import and this interpreter lacks."""
    scripts = "".join(text for info, text in BLOCK.findall(page) if info.endswith(".py"))
    return [name for name in re.findall(r"^import (\w+)$", scripts, re.M) if importlib.util.find_spec(name) is None]


def joined(page):
    blocks = BLOCK.findall(page)
    files = "".join(f"```{info}\n{text}```\n" for info, text in blocks if "." in info)
    console = "".join(text for info, text in blocks if info == "console")
    console = console.replace(PYTHON, f"$ {sys.executable} ")  # the runner's PATH has the system's own
    return f"# The page\n\n{files}```console\n{console}```\n"


def with_outputs(page, blessed):
    """The page with the commands and outputs of the joined case, block by block."""
    blessed = blessed.replace(f"$ {sys.executable} ", PYTHON)
    commands = iter(commands_of(next(text for info, text in BLOCK.findall(blessed) if info == "console")))

    def replace(block):
        if block.group(1) != "console":
            return block.group(0)
        return "```console\n" + "".join(next(commands) for _ in commands_of(block.group(2))) + "```"

    return BLOCK.sub(replace, page)


def main():
    program, name, *options = sys.argv[1:]
    page = pathlib.Path(name)
    text = page.read_text(encoding="utf-8")
    if missing := missing_modules(text):
        print(f"skipped: its scripts need {', '.join(missing)}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        case = pathlib.Path(folder) / page.name
        case.write_text(joined(text), encoding="utf-8")
        result = subprocess.run([program, *options, str(case)], stdin=subprocess.DEVNULL)
        if "--bless" in options:
            page.write_text(with_outputs(text, case.read_text(encoding="utf-8")), encoding="utf-8")
    sys.exit(result.returncode)


main()
