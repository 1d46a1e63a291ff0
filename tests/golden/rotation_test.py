#!/usr/bin/env python3
"""Which changes replace machines, and which objects stay in the tree, over histories of the tutorial's fleet."""

import json
import pathlib
import shutil
import sys
import tempfile

from render_case import INDEX, ROOT, render, tree

FLEET = ROOT / "docs" / "tutorial" / "fleet"
VALUES = "values/prod-a.yaml"
TREE = "clusters/prod-a"
RETIRED = f"{TREE}/retired-templates.yaml"
MACHINES, BOOTSTRAP = "OpenStackMachineTemplate", "KubeadmConfigTemplate"
ROLES = ("control-plane", "general", "ingress")
EVERY_MACHINE = {(MACHINES, f"prod-a-{role}") for role in ROLES}
EVERY_BOOTSTRAP = {(BOOTSTRAP, f"prod-a-{role}") for role in ROLES[1:]}

# A change of the values -> the templates that get a new name.
CHANGES = {
    "nothing": ("", "", set()),
    "a comment": ("control_plane_count: 3", "control_plane_count: 3  # for quorum", set()),
    "the order of keys": ("      min: 3\n      max: 10", "      max: 10\n      min: 3", set()),
    "a count": ("count: 2", "count: 4", set()),
    "an image": ("image_name: ubuntu-2404-kube", "image_name: ubuntu-2604-kube", EVERY_MACHINE),
    "the Kubernetes version": ("kubernetes_version: v1.35.8", "kubernetes_version: v1.35.9", EVERY_MACHINE),
    "a flavor": ("flavor: m1.2xlarge", "flavor: m1.3xlarge", {(MACHINES, "prod-a-general")}),
    "the control plane's flavor": ("m1.xlarge", "m1.4xlarge", {(MACHINES, "prod-a-control-plane")}),
    "a disk": ("size_gib: 60", "size_gib: 61", {(MACHINES, "prod-a-control-plane")}),
    "a taint": ("effect: NoSchedule", "effect: NoExecute", {(BOOTSTRAP, "prod-a-ingress")}),
    "time servers": ("network:\n", "network:\n  ntp_servers: [10.0.0.1]\n", EVERY_BOOTSTRAP),
}
# The values of a line over time, and how many templates are kept after each render.
HISTORY = ((("flavor: m1.2xlarge", "flavor: m2"), 1), (("size_gib: 60", "size_gib: 80"), 2),
           (("flavor: m2", "flavor: m3"), 2), (("flavor: m3", "flavor: m2"), 2),
           (("effect: NoSchedule", "effect: NoExecute"), 3))


def replace(path, old, new):
    text = path.read_text()
    if old not in text:
        sys.exit(f"{path.name} has no {old!r}")
    path.write_text(text.replace(old, new, 1))


def names(folder, retired=False):
    """(kind, name without digest) -> name, of templates in use or of retired ones."""
    index = json.loads((folder / TREE / INDEX).read_text())
    return {(each["kind"], each["name"][:-9]): each["name"] for each in index["rotated"]
            if bool(each.get("retired")) == retired}


def fleet(folder):
    shutil.copytree(FLEET, folder)
    return folder


class Checks:
    def __init__(self, scratch):
        self.scratch = scratch
        self.failed = 0

    def fresh(self):
        return fleet(self.scratch / str(len(list(self.scratch.iterdir()))))

    def say(self, name, fine, fault="not so"):
        self.failed += not fine
        print(f"{name}: {'as expected' if fine else fault}")

    def changes(self):
        for name, (old, new, expected) in CHANGES.items():
            folder = self.fresh()
            render(folder, "prod-a")
            before = names(folder)
            replace(folder / VALUES, old, new)
            render(folder, "prod-a")
            after = names(folder)
            renamed = {key for key in before if before[key] != after.get(key)}
            kept = set(names(folder, retired=True))
            self.say(f"{name}: {len(expected)} renamed", renamed == expected and kept == expected, f"renamed: {renamed}")

    def history(self):
        """For any number of threads and of renders of each state."""
        results = []
        for jobs, again in ((1, 0), (2, 1), (8, 2)):
            folder = self.fresh()
            render(folder, "-j", jobs)
            for change, kept in HISTORY:
                replace(folder / VALUES, *change)
                for _ in range(again + 1):
                    render(folder, "-j", jobs)
                render(folder, "--check")
                self.say(f"{kept} kept, {jobs} threads", len(names(folder, retired=True)) == kept)
            results.append(tree(folder))
        self.say("the same tree for 1, 2 and 8 threads", all(result == results[0] for result in results))

    def tampering(self):
        """A tree is up to date only with all its retired templates."""
        def rolled():
            folder = self.fresh()
            render(folder, "prod-a")
            replace(folder / VALUES, "size_gib: 60", "size_gib: 80")
            render(folder, "prod-a")
            return folder

        folder = rolled()
        expected = tree(folder)
        (folder / "capwright.yaml").open("a").write("retain: 0\n")
        render(folder, "prod-a")
        self.say("`retain: 0` drops the file", not (folder / RETIRED).exists())
        folder = rolled()
        (folder / RETIRED).unlink()
        render(folder, "prod-a", "--check", expected_exit=1)
        render(folder, "prod-a", expected_exit=1)
        render(folder, "prod-a", "--force")
        self.say("by force, a deleted file gives its templates up", names(folder, retired=True) == {})
        folder = rolled()
        (folder / RETIRED).open("a").write("# more\n")
        render(folder, "prod-a", expected_exit=1)
        folder = rolled()
        replace(folder / TREE / INDEX, ', "retired": 1', ', "retired": 2')
        render(folder, "prod-a", "--check", expected_exit=1)
        render(folder, "prod-a")
        self.say("an index that was changed is mended", tree(folder) == expected and
                 '"retired": 1' in (folder / TREE / INDEX).read_text())
        elsewhere = self.scratch / "elsewhere"
        render(folder, "prod-a", "-o", elsewhere)
        self.say("another output folder has no past", not (elsewhere / RETIRED).exists())

    def one_name_twice(self):
        """The first values file of a name is used, also for retired templates."""
        results = set()
        for jobs in (1, 2, 8, 8, 8):
            folder = self.fresh()
            render(folder, "prod-a")
            text = (folder / VALUES).read_text()
            (folder / "values" / "prod-b.yaml").write_text(text.replace("size_gib: 60", "size_gib: 99"))
            replace(folder / VALUES, "size_gib: 60", "size_gib: 80")
            render(folder, "-j", jobs, expected_exit=1)
            results.add(tuple(sorted(tree(folder).items())))
        self.say("two values files of one cluster", len(results) == 1)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        checks = Checks(pathlib.Path(scratch))
        checks.changes()
        checks.history()
        checks.tampering()
        checks.one_name_twice()
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
