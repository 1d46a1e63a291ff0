#!/usr/bin/env python3
"""Validates reports with the validators of their formats, which are npm packages and must be on PATH:

    npm install --prefix DIR @microsoft/sarif-multitool @umbrelladocs/rdformat-validator
    PATH=DIR/node_modules/.bin:$PATH ./dev test -R report_formats

XML and GitLab's JSON are read with Python's own parsers, with or without them.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

CAPWRIGHT = os.environ["CAPWRIGHT"]
SKIPPED = 77
# The URL of the tool's home page, which a clone of the sources doesn't know.
ACCEPTED = {"SARIF2005"}

TEMPLATE = "# FILE: clusters/{{ cluster_name }}/a.yaml\n# 日本語 😀 \x07 <&> {{ mising }}\n{{ 1 / 0 }}\n"
VALUES = {"q": "cluster_name: q\nmissing: 1\n", "r": "cluster_name: r\nmissing: 1\n", "z": "cluster_name: z\na: [1\n"}


def make_reports(folder):
    (folder / "templates").mkdir()
    (folder / "templates" / "main file.j2").write_text(TEMPLATE, encoding="utf-8")
    for name, text in VALUES.items():
        (folder / f"{name}.yaml").write_text(text)
    forms = ["checkstyle", "gitlab", "junit", "rdjson", "sarif"]
    command = [CAPWRIGHT, "render", *(f"{name}.yaml" for name in VALUES), "--isolated", "--template-dir", "templates",
               "--main", "main file.j2", "-q", "-f", "concise", *(f"-f{form}=out.{form}" for form in forms)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr


def check_with_parsers(folder):
    cases = ElementTree.parse(folder / "out.junit").getroot().iter("testcase")
    errors = ElementTree.parse(folder / "out.checkstyle").getroot().iter("error")
    quality = json.loads((folder / "out.gitlab").read_text())
    counts = {len(list(cases)), len(list(errors)), len(quality), len({entry["fingerprint"] for entry in quality})}
    assert counts == {3}, f"each form has the same three findings, not {counts}"


def check_sarif(folder):
    # Its npm package passes all arguments to a shell.
    command = ["sarif-multitool", "validate", "out.sarif", "--rule-kind", "'Sarif;Ghas'", "--output", "verdict.sarif"]
    subprocess.run(command, cwd=folder, capture_output=True)
    run = json.loads((folder / "verdict.sarif").read_text())["runs"][0]
    found = [result for result in run["results"] if result["ruleId"] not in ACCEPTED]
    for result in found:
        print("sarif-multitool:", result["ruleId"], result["message"])
    return not found


def check_rdjson(folder):
    done = subprocess.run(["rdformat-validator", "out.rdjson"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout, done.stderr)
    return done.returncode == 0


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        make_reports(folder)
        check_with_parsers(folder)
        checks = {"sarif-multitool": check_sarif, "rdformat-validator": check_rdjson}
        missing = [tool for tool in checks if shutil.which(tool) is None]
        if not all(check(folder) for tool, check in checks.items() if tool not in missing):
            return 1
    if missing:
        print(f"skipped in part: not on PATH: {', '.join(missing)} (npm packages)")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
