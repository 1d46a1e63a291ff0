#!/usr/bin/env python3
"""Random commits and merges of a cluster with files outside of its folder, which need no manual work either.

Arguments are seeds; the default is one.
"""
import pathlib
import random
import shutil
import sys
import tempfile

import git_history_test as history
from git_history_test import POOLS, TEMPLATE, WAYS, expect, random_pools


class OutputsFleet(history.Fleet):
    """The same values in a repository's own templates, with a file outside of the cluster's folder for each pool."""

    def __init__(self, folder, git=True, pools=POOLS):
        super().__init__(folder, git, pools)
        shutil.rmtree(self.folder / "templates")
        self.write("capwright.yaml", "template: {dir: jinja, main: main.yaml.j2, jinja: {keep_trailing_newline: true},\n"
                   "           outputs: ['pools/${cluster_name}/**']}\n")
        self.write("jinja/main.yaml.j2", TEMPLATE.replace("clusters/{{ cluster_name }}/pools/", "pools/{{ cluster_name }}/"))

    def files(self):
        outside = {f"/{path.name}": path.read_text() for path in sorted((self.folder / "pools/prod").glob("*"))}
        return {**super().files(), **outside}


known = {}  # renders of values into empty folders


def expected_of(pools, scratch):
    if repr(pools) not in known:
        fleet = OutputsFleet(scratch / f"expected-{len(known)}", git=False, pools=pools)
        fleet.render("expected")
        known[repr(pools)] = fleet.rendered()
    return known[repr(pools)]


def edit(fleet, path, what):
    """A manual edit of a file is reported and kept."""
    before = fleet.read(path)
    fleet.write(path, before + "# mine\n")
    done = fleet.capwright("render")
    expect(done.returncode == 1 and fleet.read(path) == before + "# mine\n", f"{what}: an edit stays: {done.stderr}")
    fleet.write(path, before)


def merge(fleet, rng, other):
    fleet.git("merge", "-q", "--no-commit", "--no-ff", other, fails=True)
    way = rng.choice([way for way in WAYS if way != "folder of theirs"])
    WAYS[way](fleet, other)
    return way


def test_outputs(scratch, seed):
    rng = random.Random(seed)
    fleet = OutputsFleet(scratch / f"outputs-{seed}")
    fleet.render("base")
    fleet.commit("base")
    pools = {"main": POOLS, "side": POOLS}
    fleet.git("branch", "side")
    for step in range(16):
        branch, other = rng.sample(("main", "side"), 2)
        fleet.git("checkout", "-q", branch)
        is_merge = rng.random() < 0.5
        what = f"seed {seed}, step {step}, {merge(fleet, rng, other) if is_merge else 'a change'}"
        pools[branch] = rng.choice((*(pools.values() if is_merge else ()), random_pools(rng, pools[branch])))
        fleet.set(pools[branch])
        path = f"pools/prod/{rng.choice(sorted(pools[branch]))}.yaml"
        if (fleet.folder / path).exists():
            edit(fleet, path, what)
        fleet.render(what)
        expect(fleet.rendered() == expected_of(pools[branch], scratch), f"{what}: the tree is what the values give")
        fleet.git("add", "-A")
        fleet.git("commit", "-q", "--allow-empty", "-m", what)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for seed in history.SEEDS:
            test_outputs(pathlib.Path(folder), seed)
    print(f"{len(history.failures)} failures")
    return 1 if history.failures else 0


if __name__ == "__main__":
    sys.exit(main())
