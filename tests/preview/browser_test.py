#!/usr/bin/env python3
"""The pages of `capwright preview` in headless Chromium: main paths, hostile values, accessibility, screenshots.

    CAPWRIGHT=build/dev/capwright browser_test.py

Needs Debian's `chromium`, `node`, and a folder with the packages playwright-core and axe-core of npm, which
CAPWRIGHT_NODE_MODULES names (`npm install playwright-core axe-core` makes `node_modules`). Screenshots go to
CAPWRIGHT_SCREENSHOTS, if it is set.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from previewed import IS_TIMED, PROD, PROGRAM, expect, finish, fleet_copy, previewing, run

CLUSTERS = 1000


def missing():
    modules = pathlib.Path(os.environ.get("CAPWRIGHT_NODE_MODULES", ""))
    for program in ("chromium", "node"):
        if not shutil.which(program):
            return f"`{program}` isn't installed"
    for package in ("playwright-core", "axe-core"):
        if not os.environ.get("CAPWRIGHT_NODE_MODULES") or not (modules / package).is_dir():
            return f"CAPWRIGHT_NODE_MODULES names no folder with `{package}`"
    return None


def drive(part, preview, folder, screenshots):
    settings = {"part": part, "address": preview.address, "chromium": shutil.which("chromium"), "folder": str(folder),
                "modules": os.path.abspath(os.environ["CAPWRIGHT_NODE_MODULES"]), "screenshots": str(screenshots), "clusters": CLUSTERS, "timed": IS_TIMED}
    script = pathlib.Path(__file__).with_name("browser.mjs")
    done = subprocess.run(["node", str(script), json.dumps(settings)], capture_output=True, text=True, check=False, timeout=500)
    print(done.stdout, end="")
    expect(done.returncode == 0, f"{part}: {done.stderr}")


def check_killed(preview, folder):
    """A browser that is killed while it follows events leaves the server as it was."""
    with tempfile.TemporaryDirectory() as profile:
        browser = subprocess.Popen(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                                    "--remote-debugging-port=0", preview.address], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        for line in browser.stderr:
            if "DevTools listening" in line:
                break
        preview.get("fleet")
        os.killpg(browser.pid, signal.SIGKILL)
        browser.wait()
        expect(preview.get("cluster", values=PROD)["clean"], "the server goes on after its browser was killed")


def main():
    if reason := missing():
        print(f"skipped: {reason}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        screenshots = pathlib.Path(os.environ.get("CAPWRIGHT_SCREENSHOTS") or scratch)
        screenshots.mkdir(parents=True, exist_ok=True)
        with fleet_copy() as folder:
            with previewing(folder) as preview:
                drive("paths", preview, folder, screenshots)
                check_killed(preview, folder)
            run(folder, "git", "checkout", "--quiet", ".")
            with previewing(folder) as preview:
                drive("hostile", preview, folder, screenshots)
            text = (folder / PROD).read_text()
            for number in range(CLUSTERS - 3):
                name = f"many-{number:04}"
                (folder / "values" / f"{name}.yaml").write_text(text.replace("cluster_name: prod-a", f"cluster_name: {name}"))
            with previewing(folder) as preview:
                drive("large", preview, folder, screenshots)
    finish()


main()
