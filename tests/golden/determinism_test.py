#!/usr/bin/env python3
"""The same fleet gives the same bytes for any number of threads, order of arguments and environment.

The fleet is that of the tutorial, with several renamed copies of each cluster.
"""

import os
import pathlib
import random
import shutil
import sys
import tempfile

from render_case import ROOT, render

FLEET = ROOT / "docs" / "tutorial" / "fleet"
COPIES = 6
SHUFFLES = 3


def grow(folder):
    """The tutorial's fleet in `folder`, with COPIES of each values file under different names."""
    shutil.copytree(FLEET, folder)
    for original in sorted(path for path in (folder / "values").rglob("*") if path.is_file()):
        for copy in range(COPIES):
            text = original.read_text().replace(original.stem, f"{original.stem}-{copy}")
            original.with_name(f"{original.stem}-{copy}{original.suffix}").write_text(text)


def written(folder):
    """Path -> bytes of all files of a render, including the ownership indexes."""
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted((folder / "clusters").rglob("*")) if path.is_file()}


class Variations:
    def __init__(self, scratch):
        self.scratch = scratch
        self.failed = []
        self.expected = None

    def fresh(self):
        folder = self.scratch / f"fleet-{len(list(self.scratch.iterdir()))}"
        grow(folder)
        return folder

    def check(self, name, folder, *arguments, run_in=None, **environment):
        render(run_in or folder, *arguments, **environment)
        files = written(folder)
        self.expected = self.expected or files
        same = files == self.expected
        print(f"{name}: {'the same' if same else 'other bytes'}")
        if not same:
            self.failed += [f"{name}: {path}" for path in sorted(files.keys() | self.expected.keys())
                            if files.get(path) != self.expected.get(path)]
        shutil.rmtree(folder)

    def threads(self):
        for jobs in (1, 2, 8):
            self.check(f"{jobs} threads", self.fresh(), "-j", jobs)

    def order(self):
        for seed in range(SHUFFLES):
            folder = self.fresh()
            files = sorted(str(path.relative_to(folder)) for path in (folder / "values").rglob("*") if path.is_file())
            random.Random(seed).shuffle(files)
            self.check(f"arguments shuffled ({seed})", folder, "-j", 2, *files)

    def environment(self):
        self.check("another time zone", self.fresh(), TZ="Pacific/Kiritimati")
        self.check("another locale", self.fresh(), LC_ALL="tr_TR.UTF-8", LANG="de_DE.UTF-8", LC_NUMERIC="de_DE.UTF-8")
        self.check("another home", self.fresh(), HOME="/nonexistent", XDG_CONFIG_HOME="/nonexistent")
        old = os.umask(0o077)
        self.check("another umask", self.fresh())
        os.umask(old)
        folder = self.fresh()
        self.check("another working directory", folder, run_in=folder / "values")
        folder = self.fresh()
        elsewhere = self.scratch / "another name of the folder"
        folder.rename(elsewhere)
        self.check("another place of the repository", elsewhere)

    def parts(self):
        """Rendering all parts of --shard gives the whole."""
        folder = self.fresh()
        for part in (2, 3):
            render(folder, "--shard", f"{part}/3")
        self.check("three parts", folder, "--shard", "1/3")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        variations = Variations(pathlib.Path(scratch))
        variations.threads()
        variations.order()
        variations.environment()
        variations.parts()
    print("".join(f"{line}\n" for line in variations.failed), end="")
    sys.exit(1 if variations.failed else 0)


if __name__ == "__main__":
    main()
