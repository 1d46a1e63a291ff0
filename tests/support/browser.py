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


def skip_without_browser():
    """Ends the test if a program or a package is missing."""
    modules = os.environ.get("CAPWRIGHT_NODE_MODULES")
    missing = [f"`{program}` isn't installed" for program in ("chromium", "node") if not shutil.which(program)]
    for package in ("playwright-core", "axe-core"):
        if not modules or not (pathlib.Path(modules) / package).is_dir():
            missing.append(f"CAPWRIGHT_NODE_MODULES names no folder with `{package}`")
    if missing:
        print(f"skipped: {missing[0]}")
        sys.exit(77)


@contextlib.contextmanager
def screenshots():
    """The folder for them."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(os.environ.get("CAPWRIGHT_SCREENSHOTS") or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


def drive(script, part, address, folder, **settings):
    """Runs a part of the script, and prints its output. Returns its errors; empty: none.

    `allowed`, among the settings: what the addresses of all requests start with, `address` by default.
    """
    settings = {"allowed": address} | settings
    settings |= {"part": part, "address": address, "chromium": shutil.which("chromium"),
                 "modules": os.path.abspath(os.environ["CAPWRIGHT_NODE_MODULES"]), "screenshots": str(folder)}
    done = subprocess.run(["node", str(script), json.dumps(settings)], capture_output=True, text=True, check=False, timeout=500)
    print(done.stdout, end="")
    return "" if done.returncode == 0 else f"{part}: {done.stderr}"
