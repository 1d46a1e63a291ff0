"""Runs `capwright render` on copies of golden cases, in an environment that the test sets."""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "golden"
INDEX = ".capwright-index"
# `CI` forbids plain-text secrets; colors would disturb comparisons.
UNSET = ("CI", "CLICOLOR_FORCE")


def capwright():
    program = os.environ.get("CAPWRIGHT")
    if not program:
        sys.exit("CAPWRIGHT names the program to be tested")
    return program


def copy_inputs(source, target):
    """The case without its expectations."""
    shutil.copytree(source, target, ignore=lambda folder, names: [
        name for name in names if pathlib.Path(folder) == pathlib.Path(source) and name in ("clusters", "stdout.yaml")])


def render(folder, *arguments, expected_exit=0, **environment):
    """Runs `capwright render ARGUMENTS` in `folder` and returns its output. Fails on an unexpected exit code."""
    variables = {name: value for name, value in os.environ.items() if name not in UNSET} | environment
    process = subprocess.run([capwright(), "render", *map(str, arguments)], cwd=folder, env=variables,
                             stdin=subprocess.DEVNULL, capture_output=True)
    if process.returncode != expected_exit:
        sys.stderr.buffer.write(process.stderr)
        sys.exit(f"capwright render ended with exit code {process.returncode} instead of {expected_exit}")
    return process.stdout


def tree(folder):
    """Path -> bytes of every file below `folder`/clusters, except for the ownership indexes."""
    clusters = pathlib.Path(folder) / "clusters"
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(clusters.rglob("*")) if path.is_file() and path.name != INDEX}
