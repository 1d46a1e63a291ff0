#!/usr/bin/env python3
"""The program doesn't contain the paths of the folders in which it was built, so that a build elsewhere gives the same bytes.

    CAPWRIGHT=build/release/capwright program_paths_test.py

Exit code 77 means that the program isn't one to release.
"""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    program = pathlib.Path(os.environ["CAPWRIGHT"]).resolve()
    data = program.read_bytes()
    if re.search(rb"__[at]san_init", data):
        print("a sanitizer names sources by their paths: nothing was checked")
        sys.exit(77)
    # Checks of our own code name their source, so names of files are there to be found.
    assert re.search(rb"\bcompiler/\w+/\w+\.cc\b", data), "no name of a source: the check needs another way to find paths"
    # Not the root alone: `/src` may be part of a text.
    folders = {program.parent} | {path for path in ROOT.iterdir() if path.is_dir()}
    found = sorted(str(folder) for folder in folders if os.fsencode(f"{folder}/") in data)
    if found:
        print(f"{program} contains {', '.join(found)}: see -ffile-prefix-map in cmake/flags.cmake")
        sys.exit(1)
    print(f"none of {len(folders)} folders is named in the program")


if __name__ == "__main__":
    main()
