#!/usr/bin/env python3
"""A render skips clusters that are up to date, and never one whose render would differ.

A repository is rendered, one thing in it is changed, and it is rendered again: the tree must equal that of a new
repository with the change.
"""

import pathlib
import shutil
import sys
import tempfile

from render_case import INDEX, ROOT, render, tree

FLEET = ROOT / "docs" / "tutorial" / "fleet"
CLUSTER = "prod-a"
VALUES = f"values/{CLUSTER}.yaml"
TREE = f"clusters/{CLUSTER}"


def replace(path, old, new):
    text = path.read_text()
    if old not in text:
        sys.exit(f"{path.name} has no {old!r}")
    path.write_text(text.replace(old, new, 1))


def swap_layers(folder):
    """The first layer of the configuration becomes the last."""
    path = folder / "capwright.yaml"
    lines = path.read_text().splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.startswith("  - file:"))
    path.write_text("".join([*lines[:first], *lines[first + 1:], lines[first]]))


def add_layer(folder, text):
    (folder / "layers" / "last.yaml").write_text(text)
    path = folder / "capwright.yaml"
    path.write_text(path.read_text() + "  - file: layers/last.yaml\n")


def delete_from_index(folder):
    """Removes a file and its line of the index, as a wrong merge does."""
    index = folder / TREE / INDEX
    lines = index.read_text().splitlines(keepends=True)
    gone = next(number for number, line in enumerate(lines) if '"path"' in line)
    (folder / TREE / lines[gone].split('"')[3]).unlink()
    index.write_text("".join(lines[:gone] + lines[gone + 1:]))


def cut_off_index(folder):
    index = folder / TREE / INDEX
    index.write_text(index.read_text()[:200])


# The change between two renders: name -> (change, arguments of the second render).
CHANGES = {
    "nothing": (lambda folder: None, []),
    "a value": (lambda folder: replace(folder / VALUES, "control_plane_count: 3", "control_plane_count: 1"), []),
    "a comment of the values": (lambda folder: replace(folder / VALUES, "# ", "# Note: "), []),
    "a value of a layer": (lambda folder: add_layer(folder, "namespace: elsewhere\n"), []),
    "the order of layers": (swap_layers, []),
    "a vendored manifest": (lambda folder: next((folder / "vendor/cni").iterdir()).open("a").write("# more\n"), []),
    "--set": (lambda folder: None, ["--set", "namespace=elsewhere"]),
    "--set-string": (lambda folder: None, ["--set-string", "namespace=elsewhere"]),
    "a rendered file that is gone": (lambda folder: (folder / TREE / "cluster.yaml").unlink(), []),
    "a rendered folder that is gone": (lambda folder: shutil.rmtree(folder / TREE / "addons"), []),
    "the index that is gone": (lambda folder: (folder / TREE / INDEX).unlink(), []),
    "a file and its line of the index": (delete_from_index, []),
    "half of the index": (cut_off_index, ["--force"]),
    "a file that was edited, with --force": (
        lambda folder: replace(folder / TREE / "cluster.yaml", "kind: Cluster", "kind: Clutter"), ["--force"]),
}


def check(name, change, arguments, scratch):
    folder, fresh = scratch / "again", scratch / "fresh"
    shutil.copytree(FLEET, folder)
    render(folder)
    change(folder)
    render(folder, *arguments)
    shutil.copytree(folder, fresh, ignore=shutil.ignore_patterns("clusters"))
    render(fresh, *arguments)
    same = tree(folder) == tree(fresh)
    print(f"{name}: {'as from the start' if same else 'differs from a fresh render'}")
    render(folder, *(argument for argument in arguments if argument != "--force"), "--check")
    for used in (folder, fresh):
        shutil.rmtree(used)
    return same


def check_hand_edit(scratch):
    """An edited file is detected even if no input has changed."""
    folder = scratch / "edited"
    shutil.copytree(FLEET, folder)
    render(folder)
    replace(folder / TREE / "cluster.yaml", "kind: Cluster", "kind: Clutter")
    render(folder, expected_exit=1)
    print("a file that was edited: found")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        results = [check(name, *change, pathlib.Path(scratch)) for name, change in CHANGES.items()]
        check_hand_edit(pathlib.Path(scratch))
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
