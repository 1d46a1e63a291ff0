#!/usr/bin/env python3
"""Renders golden cases and compares them byte for byte with their stored trees.

    CAPWRIGHT=build/dev/capwright golden_test.py [--bless] [CASE...]

A case is a folder golden/<set>/<case> with its configuration, values and expectation: `clusters/`, the tree; or, if the
files must not be written to a working tree, `stdout.yaml`, the output of `render --stdout --values credentials.yaml`.
Trees with encrypted secrets are compared by their decrypted data (golden_sops.py).
--bless updates these two; `capwright test --update` updates the other trees, which it also compares (docs/testing.md).
This test writes them, reads them back, and renders them a second time.
"""

import argparse
import difflib
import pathlib
import sys
import tempfile

from golden_sops import check_sops
from render_case import GOLDEN, ROOT, copy_inputs, render, tree

DIFF_LINES = 40


def cases():
    return sorted(path.parent for path in GOLDEN.glob("*/*/capwright.yaml"))


def difference(path, expected, actual):
    """A short unified diff of two files, either of which may be missing (None)."""
    if expected is None:
        return f"{path}: rendered, but not expected\n"
    if actual is None:
        return f"{path}: expected, but not rendered\n"
    lines = list(difflib.unified_diff(*(text.decode("utf-8", "replace").splitlines(keepends=True)
                                        for text in (expected, actual)), f"expected/{path}", f"rendered/{path}"))
    more = f"… {len(lines) - DIFF_LINES} lines more\n" if len(lines) > DIFF_LINES else ""
    return "".join(line if line.endswith("\n") else line + "\n\\ no line break at the end\n"
                   for line in lines[:DIFF_LINES]) + more


def differences(expected, actual):
    return [difference(path, expected.get(path), actual.get(path))
            for path in sorted(expected.keys() | actual.keys()) if expected.get(path) != actual.get(path)]


def stamps(folder):
    """Metadata that shows whether a file was written again; also of folders, because a new file changes these."""
    return {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in (folder / "clusters").rglob("*")}


def check_second_render(folder):
    """A render without changes writes nothing and reports that the tree is up to date."""
    before = stamps(folder)
    render(folder)
    again = [f"{path.relative_to(folder)}: written again, though nothing changed\n"
             for path, stamp in stamps(folder).items() if before.get(path) != stamp]
    render(folder, "--check")
    return again


def check_tree(case, folder, _):
    render(folder)
    return differences(tree(case), tree(folder)) + check_second_render(folder)


def check_stdout(case, folder, bless):
    printed = render(folder, "--stdout", "--values", "credentials.yaml")
    if bless:
        (case / "stdout.yaml").write_bytes(printed)
    kept = case / "stdout.yaml"
    return differences({kept.name: kept.read_bytes()} if kept.exists() else {}, {kept.name: printed})


def check(case, bless):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "case"
        copy_inputs(case, folder)
        if case.name == "secrets-sops":
            return check_sops(case, folder, bless, differences)
        return (check_stdout if (case / "credentials.yaml").exists() else check_tree)(case, folder, bless)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--bless", action="store_true", help="keep what is printed or encrypted now as what is expected")
    parser.add_argument("cases", nargs="*", type=lambda text: pathlib.Path(text).resolve(), metavar="CASE")
    arguments = parser.parse_args()
    failed = 0
    for case in arguments.cases or cases():
        found = check(case, arguments.bless)
        failed += bool(found)
        print(f"{case.relative_to(ROOT)}: {'differs' if found else 'as expected'}\n{''.join(found)}", end="")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
