#!/usr/bin/env python3
"""Manual pages: groff and mandoc, those that are installed, accept them without a warning.

    CAPWRIGHT=build/dev/capwright man_test.py
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CAPWRIGHT = str(pathlib.Path(os.environ["CAPWRIGHT"]).resolve())
FORMATTERS = {
    "groff": ["-man", "-ww", "-Tutf8", "-Kutf8"],
    "mandoc": ["-Tlint", "-Wwarning"],
}
NO_DATE = "missing date"  # A build has no date: the same sources give the same bytes.

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


def shown(page):
    """The text, without the marks for bold and underlined characters."""
    done = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", page], check=True, capture_output=True, text=True)
    return done.stdout


def main():
    tried = [name for name in FORMATTERS if shutil.which(name)]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "man1"
        subprocess.run([CAPWRIGHT, "man", "--dir", folder], check=True, capture_output=True)
        pages = sorted(folder.iterdir())
        names = {page.name for page in pages}
        expect({"capwright.1", "capwright-render.1", "capwright-addons-list.1"} <= names, f"pages: {names}")
        for page in pages:
            for name in tried:
                done = subprocess.run([name, *FORMATTERS[name], page], capture_output=True, text=True, check=False)
                said = done.stderr if name == "groff" else done.stdout + done.stderr
                said = [line for line in said.splitlines() if line and NO_DATE not in line]
                expect(not said, f"{name}, {page.name}: {said}")
        if "groff" in tried:
            text = shown(folder / "capwright-render.1")
            for part in ("capwright render [OPTIONS] [CLUSTER|FILE]...", "--check", "-o, --output DIR", "EXAMPLES",
                         "capwright render --check\n", "capwright(1)"):
                expect(part in text, f"`{part}` isn't in the page of render: {text}")
        for words in ([], ["render"], ["addons", "list"]):
            printed = subprocess.run([CAPWRIGHT, "man", *words], check=True, capture_output=True).stdout
            written = folder / f"{'-'.join(['capwright', *words])}.1"
            expect(printed == written.read_bytes(), f"`man {' '.join(words)}` prints another page than `--dir` writes")
    print(f"{len(pages)} pages, shown by {' and '.join(tried) or 'no program: groff and mandoc are missing'}, "
          f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
