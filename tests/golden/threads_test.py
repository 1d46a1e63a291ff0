#!/usr/bin/env python3
"""All golden cases as fleets, under 1, 2 and 8 threads: each cluster gets the stored tree of its case.

Clusters of a fleet have different names, and its vendored files different paths. Cases with separate layers or other
files, and cases whose secrets need a program or must not be written, are excluded: golden_test.py renders them one by
one.
"""

import filecmp
import pathlib
import re
import shutil
import sys
import tempfile

from render_case import GOLDEN, render, tree

THREADS = (1, 2, 8)


def cluster_name(case):
    return re.search(r"^cluster_name: *\"?([\w.-]+)", (case / "values.yaml").read_text(), re.MULTILINE).group(1)


def cases():
    """The cases that can share a repository."""
    for configuration in sorted(GOLDEN.glob("*/*/capwright.yaml")):
        case = configuration.parent
        others = {path.name for path in case.iterdir()} - {"capwright.yaml", "values.yaml", "clusters", "vendor"}
        if configuration.read_text() == "values: [values.yaml]\n" and not others:
            yield case


class Fleet:
    def __init__(self, folder):
        self.folder = folder
        self.cases = {}
        (folder / "values").mkdir(parents=True)
        (folder / "capwright.yaml").write_text("values: [values]\n")

    def takes(self, case):
        vendored = (path for path in case.glob("vendor/**/*") if path.is_file())
        there = ((path, self.folder / path.relative_to(case)) for path in vendored)
        return cluster_name(case) not in self.cases and all(
            not copy.exists() or filecmp.cmp(path, copy, shallow=False) for path, copy in there)

    def add(self, case):
        self.cases[cluster_name(case)] = case
        shutil.copy(case / "values.yaml", self.folder / "values" / f"{cluster_name(case)}.yaml")
        if (case / "vendor").exists():
            shutil.copytree(case / "vendor", self.folder / "vendor", dirs_exist_ok=True)

    def differing(self, threads):
        shutil.rmtree(self.folder / "clusters", ignore_errors=True)
        render(self.folder, "-j", threads)
        expected = {path: text for case in self.cases.values() for path, text in tree(case).items()}
        rendered = tree(self.folder)
        return sorted(path for path in expected.keys() | rendered.keys() if expected.get(path) != rendered.get(path))


def fleets(scratch):
    found = []
    for case in cases():
        fleet = next((each for each in found if each.takes(case)), None)
        if fleet is None:
            fleet = Fleet(scratch / f"fleet-{len(found)}")
            found.append(fleet)
        fleet.add(case)
    return found


def main():
    failed = []
    with tempfile.TemporaryDirectory() as scratch:
        for fleet in fleets(pathlib.Path(scratch)):
            for threads in THREADS:
                differing = fleet.differing(threads)
                print(f"{len(fleet.cases)} clusters, {threads} threads: {'other bytes' if differing else 'as expected'}")
                failed += [f"{threads} threads: {path}" for path in differing]
    print(*failed, sep="\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
