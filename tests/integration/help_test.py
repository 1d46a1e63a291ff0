#!/usr/bin/env python3
"""Help pages: each has examples that the command line accepts, and lines that fit the terminal.

    CAPWRIGHT=build/dev/capwright help_test.py
"""

import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPWRIGHT = str(pathlib.Path(os.environ["CAPWRIGHT"]).resolve())
USAGE_ERROR = "`capwright --help` lists the commands"
VARIABLES = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


def pages():
    return json.loads(subprocess.run([CAPWRIGHT + "-dev", "docs", "commands"], check=True, capture_output=True).stdout)


def on_terminal(columns, *arguments, **variables):
    """The lines that a terminal of this width gets."""
    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    child = subprocess.Popen([CAPWRIGHT, *arguments], stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal,
                             env=VARIABLES | variables)
    os.close(terminal)
    printed = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # the end, on Linux
            break
        if not part:
            break
        printed += part
    child.wait()
    os.close(main)
    return printed.decode().replace("\r\n", "\n").splitlines()


def texts_of(lines):
    """Lines that are wrapped: neither usage nor examples, which users copy, nor names without spaces."""
    return [line for line in lines if not line.startswith(("Usage:", "  capwright", "  # ", "  kube")) and " " in line.strip()]


def check_examples(all_pages):
    """Runs all of them in a copy of the tutorial's fleet; none may be a usage error."""
    checked = 0
    for page in all_pages:
        if page["name"] == "capwright":
            continue
        expect(page["examples"], f"`{page['name']}` has no example")
        for example in page["examples"]:
            command = re.search(r"capwright [^|>)]*", example["line"]).group(0).split()[1:]
            with tempfile.TemporaryDirectory() as scratch:
                fleet = pathlib.Path(scratch) / "fleet"
                shutil.copytree(ROOT / "docs/tutorial/fleet", fleet)
                process = subprocess.Popen([CAPWRIGHT, *command], cwd=fleet, env=VARIABLES, stdin=subprocess.DEVNULL,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                try:
                    _, errors = process.communicate(timeout=3 if command[0] in ("serve", "preview") else None)
                except subprocess.TimeoutExpired:  # a server doesn't end by itself
                    process.terminate()
                    _, errors = process.communicate()
            expect(USAGE_ERROR not in errors, f"`{example['line']}`: {errors}")
            checked += 1
    return checked


def check_widths(all_pages):
    for page in all_pages:
        words = page["name"].split()[1:]
        piped = subprocess.run([CAPWRIGHT, *words, "--help"], env=VARIABLES | {"COLUMNS": "50"}, check=True,
                               capture_output=True, text=True).stdout.splitlines()
        expect(max(map(len, texts_of(piped))) <= 80, f"{words}: 80 columns in a pipe, whatever COLUMNS says")
        for columns in (50, 72, 100):
            widest = max(map(len, texts_of(on_terminal(columns, *words, "--help"))))
            expect(widest <= columns, f"{words}: {widest} columns on a terminal of {columns}")
        helped = subprocess.run([CAPWRIGHT, "help", *words], env=VARIABLES, check=True, capture_output=True, text=True)
        expect(helped.stdout.splitlines() == piped, f"`capwright help {' '.join(words)}` differs from `--help`")
    widest = max(map(len, texts_of(on_terminal(200, "lint", "--help"))))
    expect(80 < widest <= 100, f"{widest} columns on a wide terminal")
    widest = max(map(len, texts_of(on_terminal(200, "lint", "--help", COLUMNS="60"))))
    expect(widest <= 60, f"{widest} columns with COLUMNS=60")


def check_advice():
    """A failing run ends with the command that explains its first error, unless the output is short or for programs."""
    with tempfile.TemporaryDirectory() as scratch:
        values = pathlib.Path(scratch) / "v.yaml"
        values.write_text("cluster_name: a\nprovider: openstack\nkubernetes_typ: kubeadm\n")
        command = ["render", str(values), "--isolated"]
        lines = on_terminal(80, *command)
        expect(re.fullmatch(r"`capwright explain [A-Z]+[0-9]+` says more", lines[-1]), f"the last line: {lines[-1:]}")
        for option in ("-q", "-fconcise", "-fjson"):
            expect("says more" not in on_terminal(80, *command, option)[-1], f"{option} gets advice, too")
        piped = subprocess.run([CAPWRIGHT, *command], env=VARIABLES, capture_output=True, text=True, check=False)
        expect("says more" in piped.stderr and not piped.stdout, "a log has the advice")


def main():
    all_pages = pages()
    check_advice()
    checked = check_examples(all_pages)
    check_widths(all_pages)
    print(f"{len(all_pages)} pages, {checked} examples, {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
