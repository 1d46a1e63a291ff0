#!/usr/bin/env python3
"""The pages of `capwright preview` in headless Chromium: main paths, hostile values, accessibility, screenshots.

    CAPWRIGHT=build/dev/capwright browser_test.py

support/browser.py says what it needs.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import browser
from previewed import IS_TIMED, PROD, expect, finish, fleet_copy, previewing, run

CLUSTERS = 1000


def drive(part, preview, folder, images):
    errors = browser.drive(pathlib.Path(__file__).with_name("browser.mjs"), part, preview.address, images, folder=str(folder),
                           clusters=CLUSTERS, timed=IS_TIMED)
    expect(not errors, errors)


def check_killed(preview, folder):
    """A browser that is killed while it follows events leaves the server as it was."""
    with tempfile.TemporaryDirectory() as profile:
        process = subprocess.Popen(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                                    "--remote-debugging-port=0", preview.address], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        for line in process.stderr:
            if "DevTools listening" in line:
                break
        preview.get("fleet")
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        expect(preview.get("cluster", values=PROD)["clean"], "the server goes on after its browser was killed")


def main():
    browser.skip_without_browser()
    with browser.screenshots() as images:
        with fleet_copy() as folder:
            with previewing(folder) as preview:
                drive("paths", preview, folder, images)
                check_killed(preview, folder)
            run(folder, "git", "checkout", "--quiet", ".")
            with previewing(folder) as preview:
                drive("hostile", preview, folder, images)
            text = (folder / PROD).read_text()
            for number in range(CLUSTERS - 3):
                name = f"many-{number:04}"
                (folder / "values" / f"{name}.yaml").write_text(text.replace("cluster_name: prod-a", f"cluster_name: {name}"))
            with previewing(folder) as preview:
                drive("large", preview, folder, images)
    finish()


main()
