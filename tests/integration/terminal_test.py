#!/usr/bin/env python3
"""What commands print on a terminal: color and progress.

    CAPWRIGHT=build/dev/capwright terminal_test.py
"""

import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import time

CAPWRIGHT = str(pathlib.Path(os.environ["CAPWRIGHT"]).resolve())
VARIABLES = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "TERM": "xterm-256color", "GIT_CONFIG_GLOBAL": os.devnull,
             "GIT_CONFIG_NOSYSTEM": "1"}
ESCAPE = "\x1b["
ERASE = "\r\x1b[K"
CLUSTERS = 150 if os.environ.get("CAPWRIGHT_EFFORT") == "few" else 900
SURELY_LONG = 1.5  # seconds of a run that shows progress; a fast machine may need less

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


def check_progress(folder):
    """Long runs count their clusters on a terminal, and erase that line."""
    example = (folder / "values/prod-a.yaml").read_text()
    for i in range(CLUSTERS):
        text = example.replace("prod-a", f"c{i}").replace("10.7.0.0/24", f"10.{16 + i // 250}.{i % 250}.0/24")
        (folder / f"values/c{i}.yaml").write_text(text)
    layer = folder / "layers/common.yaml"
    changed = layer.read_text().replace("RegionOne", "RegionTwo")
    runs = (("Rendering", ["render", "-j1"]), ("Linting", ["lint", "-j1"]), ("Linting", ["ci", "--step", "lint", "-j1"]),
            ("Comparing", ["plan", "-j1"]), ("Comparing", ["diff", "-j1"]))
    shown = 0
    for verb, command in runs:
        name = " ".join(command)
        if verb == "Comparing":
            layer.write_text(changed)
        begin = time.monotonic()
        out, err = run(folder, *command, terminals=["err"])
        is_long = time.monotonic() - begin > SURELY_LONG
        counts = re.findall(rf"{verb} (\d+)/{CLUSTERS + 2} clusters", err)
        shown += bool(counts)
        expect(counts or not is_long, f"{name} shows progress")
        expect(counts == sorted(counts, key=int), f"{name} counts up: {counts}")
        expect(not counts or err.rsplit(ERASE, 1)[1].find("/") == -1, f"{name} erases its progress: {err[-200:]!r}")
        expect(ERASE not in out, f"the result of {name} has no progress")
    expect(shown, "a run takes longer than a second; otherwise raise CLUSTERS")
    for more, variables in ((["-q"], {}), ([], {"CI": "true"}), ([], {"TERM": "dumb"})):
        _, err = run(folder, "render", "--force", "-j1", *more, terminals=["err"], **variables)
        expect("Rendering" not in err, f"no progress with {more} {variables}")
    _, err = run(folder, "render", "--force", "-j1", terminals=["out"])
    expect("Rendering" not in err, "no progress in a pipe")


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch) / "fleet"
    run(scratch, "init", "fleet")
    run(folder, "render")
    values = folder / "values/prod-a.yaml"
    values.write_text(values.read_text().replace("count: 3, flavor", "count: 5, flavor"))
    check_color(folder)
    check_progress(folder)
sys.exit(1 if failures else 0)
