#!/usr/bin/env python3
"""What commands print on a terminal: color, and where it ends.

    CAPWRIGHT=build/dev/capwright terminal_test.py
"""

import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile

CAPWRIGHT = str(pathlib.Path(os.environ["CAPWRIGHT"]).resolve())
VARIABLES = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "TERM": "xterm-256color", "GIT_CONFIG_GLOBAL": os.devnull,
             "GIT_CONFIG_NOSYSTEM": "1"}
ESCAPE = "\x1b["

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


def read_all(terminal):
    printed = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the end, on Linux
            break
        if not part:
            break
        printed += part
    os.close(terminal)
    return printed.decode().replace("\r\n", "\n")


def run(folder, *arguments, terminals=(), **variables):
    """Standard output and standard error; those of `terminals` ("out", "err") are terminals, each its own."""
    opened = {name: pty.openpty() for name in terminals}
    child = subprocess.Popen([CAPWRIGHT, *arguments], cwd=folder, stdin=subprocess.DEVNULL, env=VARIABLES | variables,
                             stdout=opened["out"][1] if "out" in opened else subprocess.PIPE,
                             stderr=opened["err"][1] if "err" in opened else subprocess.PIPE)
    for _, terminal in opened.values():
        os.close(terminal)
    printed = {name: read_all(main) for name, (main, _) in opened.items()}
    piped = dict(zip(("out", "err"), child.communicate()))
    return tuple(printed.get(name, (piped[name] or b"").decode()) for name in ("out", "err"))


def check_color(folder):
    both = ("out", "err")
    for command in (["diff"], ["diff", "--text"], ["plan"], ["render", "--check"]):
        name = " ".join(command)
        out, _ = run(folder, *command, terminals=both)
        expect(ESCAPE in out, f"{name} is colored on a terminal")
        plain, _ = run(folder, *command)
        expect(ESCAPE not in plain, f"{name} isn't colored without a terminal")
        piped, _ = run(folder, *command, terminals=["err"])
        expect(piped == plain, f"{name} isn't colored if only standard error is a terminal")
        for variable in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}):
            out, _ = run(folder, *command, terminals=both, **variable)
            expect(ESCAPE not in out, f"{name} isn't colored with {variable}")
        for variable in ({"FORCE_COLOR": "1"}, {"CLICOLOR_FORCE": "1"}, {"FORCE_COLOR": "1", "TERM": "dumb"}):
            out, _ = run(folder, *command, **variable)
            expect(ESCAPE in out, f"{name} is colored with {variable}")
        for variable in ({"NO_COLOR": ""}, {"FORCE_COLOR": "0"}, {"CLICOLOR_FORCE": ""}):
            expect(ESCAPE in run(folder, *command, terminals=both, **variable)[0], f"{name} is colored with {variable}")
        expect(ESCAPE in run(folder, *command, "--color", "always", NO_COLOR="1")[0], f"{name} --color always")
        expect(ESCAPE not in run(folder, *command, "--color", "never", terminals=both, FORCE_COLOR="1")[0],
               f"{name} --color never")
    for command in ("diff", "plan"):
        out, _ = run(folder, command, "-f", "json", "-f", "text=report", "--color", "always", terminals=both)
        json.loads(out)
        expect(ESCAPE not in (folder / "report").read_text(), f"files of {command} have no color")


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch) / "fleet"
    run(scratch, "init", "fleet")
    run(folder, "render")
    values = folder / "values/prod-a.yaml"
    values.write_text(values.read_text().replace("count: 3, flavor", "count: 5, flavor"))
    check_color(folder)
sys.exit(1 if failures else 0)
