#!/usr/bin/env python3
"""An ejected template set renders the same bytes as the built-in one.

Each golden case is rendered twice, the second time with an ejected copy of its set. A change of the copy must take effect.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from golden_test import cases, differences
from render_case import ROOT, capwright, copy_inputs, render, tree


def eject(folder, *arguments):
    process = subprocess.run([capwright(), "eject", *arguments], cwd=folder, capture_output=True, text=True)
    if process.returncode != 0:
        sys.exit(f"capwright eject {' '.join(arguments)}: {process.stderr}")


def rendered(case, folder):
    """The render of a case: its tree, or its output on stdout."""
    if (case / "credentials.yaml").exists():
        return {"stdout.yaml": render(folder, "--stdout", "--values", "credentials.yaml")}
    render(folder)
    return tree(folder)


def check(case):
    with tempfile.TemporaryDirectory() as scratch:
        built_in, ejected = (pathlib.Path(scratch) / name for name in ("built-in", "ejected"))
        copy_inputs(case, built_in)
        copy_inputs(case, ejected)
        eject(ejected, case.parent.name)
        return differences(rendered(case, built_in), rendered(case, ejected))


def check_owned(case):
    """The copy is used: a line that is added to one of its common templates appears in the output."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "case"
        copy_inputs(case, folder)
        eject(folder, case.parent.name)
        common = folder / "templates" / case.parent.name / "cluster" / "health-checks.yaml.j2"
        common.write_text(common.read_text() + "# ours\n")
        found = any(b"# ours" in text for text in rendered(case, folder).values())
        return [] if found else ["the copy is not what is rendered\n"]


def main():
    failed = 0
    compared = [case for case in cases() if case.name != "secrets-sops"]  # different bytes in every run
    if os.environ.get("CAPWRIGHT_EFFORT") == "few":
        compared = compared[::8]
    for case in compared:
        found = check(case)
        failed += bool(found)
        if found:
            print(f"{case.relative_to(ROOT)}: differs after eject\n{''.join(found)}", end="")
    found = check_owned(ROOT / "golden" / "capo" / "minimal-kubeadm")
    print(f"{len(compared)} cases rendered by ejected sets: {failed} differ")
    print(*found, sep="", end="")
    sys.exit(1 if failed or found else 0)


if __name__ == "__main__":
    main()
