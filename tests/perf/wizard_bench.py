#!/usr/bin/env python3
"""How long a person needs at the form of `capwright serve --wizard`, from the first page to the commit: prints a Markdown table.

    wizard_bench.py CAPWRIGHT

person.mjs is the person: it reads, moves a mouse and types at speeds of people, in headless Chromium. tests/support/browser.py
says what it needs.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / name) for name in ("serve", "publish", "support")]

import browser  # noqa: E402
from served import serving  # noqa: E402
from site_of_fleet import Site  # noqa: E402

EMPTY = {"capwright.yaml": "values: [values]\n"}
REPOSITORIES = (("with nothing but `capwright.yaml`", EMPTY, []),
                ("with layers for the cloud, the tutorial's", None, ["--folder", "values/portal"]))


def measure(files, options):
    """What the person did, as JSON."""
    site = Site()
    try:
        if files:
            site.replace_files(files, "Begin")
        with browser.screenshots() as images, serving(site.clone, "--wizard", *options, variables=site.env) as server:
            origin = f"http://127.0.0.1:{server.port}/"
            command = browser.command(pathlib.Path(__file__).with_name("person.mjs"), f"{origin}wizard/", images, allowed=origin,
                                      part="create", name="first")
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        site.git("fetch", "-q")
        if done.returncode != 0 or not site.git("ls-tree", "-r", "--name-only", "origin/main", "clusters/first"):
            sys.exit(f"not published: {done.stderr}")
        return json.loads(done.stdout)
    finally:
        site.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("capwright", type=os.path.abspath)
    os.environ["CAPWRIGHT"] = parser.parse_args().capwright
    browser.skip_without_browser()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
    print("| a repository | fields | characters | reading | typing | waiting for the page | all |\n|---|---|---|---|---|---|---|")
    for what, files, options in REPOSITORIES:
        took = measure(files, options)
        print(f"| {what} | {took['fields']} | {took['characters']} | {took['reading']:.0f} s | {took['typing']:.0f} s "
              f"| {took['waiting']:.0f} s | {took['all']:.0f} s |", flush=True)


if __name__ == "__main__":
    main()
