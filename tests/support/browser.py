"""Starts scripts that drive pages in headless Chromium.

They need Debian's `chromium`, `node`, and a folder with the packages playwright-core and axe-core of npm, which
CAPWRIGHT_NODE_MODULES names (`npm install playwright-core axe-core` makes `node_modules`). Screenshots go to
CAPWRIGHT_SCREENSHOTS, if it is set.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SECONDS = 500  # of a part


def missing():
    """The first program or package that is missing, or None."""
    modules = os.environ.get("CAPWRIGHT_NODE_MODULES")
    for program in ("chromium", "node"):
        if not shutil.which(program):
            return f"`{program}` isn't installed"
    for package in ("playwright-core", "axe-core"):
        if not modules or not (pathlib.Path(modules) / package).is_dir():
            return f"CAPWRIGHT_NODE_MODULES names no folder with `{package}`"
    return None


def skip_without_browser():
    """Ends the test if a program or a package is missing."""
    if missing():
        print(f"skipped: {missing()}")
        sys.exit(77)


@contextlib.contextmanager
def screenshots():
    """The folder for them."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(os.environ.get("CAPWRIGHT_SCREENSHOTS") or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


def command(script, address, folder, **settings):
    """The command that runs the script.

    `allowed`, among the settings: what the addresses of all requests start with, `address` by default.
    """
    settings = {"allowed": address} | settings
    settings |= {"address": address, "chromium": shutil.which("chromium"),
                 "modules": os.path.abspath(os.environ["CAPWRIGHT_NODE_MODULES"]), "screenshots": str(folder)}
    return ["node", str(script), json.dumps(settings)]


def drive(script, part, address, folder, **settings):
    """Runs a part of the script, and prints its output. Returns its errors; empty: none."""
    done = subprocess.run(command(script, address, folder, part=part, **settings), capture_output=True, text=True, check=False,
                          timeout=SECONDS)
    print(done.stdout, end="")
    return "" if done.returncode == 0 else f"{part}: {done.stderr}"
