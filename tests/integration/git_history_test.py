#!/usr/bin/env python3
"""`capwright render` in repositories of the real `git`: earlier templates come from HEAD, and merges need no manual work.

    CAPWRIGHT=build/dev/capwright git_history_test.py [SEED…]

Each merge is made in all usual ways: with conflicts left in place, with either side's files, with only either side's
index. After one `render`, the tree matches the values, and no manual edit is lost.
"""

import itertools
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

CAPWRIGHT = pathlib.Path(os.environ["CAPWRIGHT"]).resolve()
SEEDS = [int(seed) for seed in sys.argv[1:]] or [1]  # more take minutes with sanitizers
VARIABLES = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
             "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a",
             "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_EDITOR": "true", "LC_ALL": "C"}
MARKS = ("<<<<<<<", ">>>>>>>")
FOLDER = "clusters/prod"

TEMPLATE = """\
# FILE: clusters/{{ cluster_name }}/cluster.yaml
{% for pool in worker_pools %}
---
kind: MachineDeployment
metadata: {name: {{ pool.name }}}
spec:
  replicas: {{ pool.count }}
  template: {spec: {infrastructureRef: {kind: MachineTemplate, name: {{ pool.name }}}}}
{% endfor %}
# FILE: clusters/{{ cluster_name }}/machine-templates.yaml
{% for pool in worker_pools %}
---
kind: MachineTemplate
metadata:
  name: "{{ pool.name }}"
spec:
  template:
    spec:
      flavor: {{ pool.flavor }}
{% endfor %}
{% for pool in worker_pools %}
# FILE: clusters/{{ cluster_name }}/pools/{{ pool.name }}.yaml
kind: ConfigMap
metadata: {name: {{ pool.name }}}
data: {flavor: {{ pool.flavor }}}
{% endfor %}
"""
POOLS = {"a": (1, "m1"), "b": (1, "m1"), "c": (1, "m1"), "d": (1, "m1")}

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


class Fleet:
    """A repository with one cluster, whose values are a map of pools."""

    def __init__(self, folder, git=True, pools=POOLS):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        if git:
            self.git("init", "-q", "-b", "main")
        self.write("templates/mini/template.yaml", "id: mini\nversion: 1.0.0\nprovider: mini\nmain: main.yaml.j2\n"
                   "rotated: [MachineTemplate]\n")
        self.write("templates/mini/main.yaml.j2", TEMPLATE)
        self.set(pools)

    def write(self, path, text):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def read(self, path):
        return (self.folder / path).read_text()

    def set(self, pools):
        lines = ["cluster_name: prod", "provider: mini", "kubernetes_type: kubeadm", "kubernetes_version: v1.35.8",
                 "secrets: {store: {name: vault}}", "worker_pools:"]
        for name, (count, flavor) in sorted(pools.items()):
            lines += [f"  - name: {name}", f"    count: {count}", f"    flavor: {flavor}"]
        self.write("values/prod.yaml", "\n".join(lines) + "\n")

    def run(self, *command, cwd=None):
        return subprocess.run(command, cwd=cwd or self.folder, env=VARIABLES, capture_output=True, text=True, timeout=120)

    def git(self, *arguments, fails=False):
        done = self.run("git", *arguments)
        if not fails and done.returncode != 0:
            raise RuntimeError(f"git {arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def capwright(self, *arguments):
        return self.run(str(CAPWRIGHT), *arguments)

    def render(self, what):
        done = self.capwright("render")
        expect(done.returncode == 0, f"{what}: render: {done.stdout}{done.stderr}")
        check = self.capwright("render", "--check")
        expect(check.returncode == 0, f"{what}: render and --check disagree: {check.stdout}{check.stderr}")
        return done.stderr

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def change(self, pools, message):
        self.set(pools)
        self.render(message)
        self.commit(message)

    def files(self):
        root = self.folder / FOLDER
        return {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*")) if path.is_file()}

    def rendered(self):
        """Without the index and the retired templates of earlier renders."""
        return {path: text for path, text in self.files().items() if path not in (".capwright-index", "retired-templates.yaml")}

    def retired(self):
        """Names and flavors of the retired templates."""
        text = self.files().get("retired-templates.yaml", "")
        names = [line.split('"')[1].rsplit("-", 1)[0] for line in text.splitlines() if "  name:" in line]
        return sorted(zip(names, [line.split()[1] for line in text.splitlines() if "flavor:" in line]))


def with_pools(**changed):
    pools = {**POOLS, **changed}
    return {name: pool for name, pool in pools.items() if pool is not None}


def expected_of(pools, scratch):
    """The render of these values into an empty folder."""
    if repr(pools) not in expected_of.known:
        fleet = Fleet(scratch / f"expected-{len(expected_of.known)}", git=False, pools=pools)
        fleet.render("expected")
        expected_of.known[repr(pools)] = fleet.rendered()
    return expected_of.known[repr(pools)]


expected_of.known = {}


def test_generations(scratch):
    fleet = Fleet(scratch / "generations")
    fleet.render("first")
    fleet.commit("first")
    before = fleet.files()
    fleet.set(with_pools(a=(1, "m1.xlrge")))
    fleet.render("typo")
    expect(fleet.retired() == [("a", "m1")], f"a change keeps what runs: {fleet.retired()}")
    fleet.set(POOLS)
    fleet.render("fixed")
    expect(fleet.files() == before and fleet.git("status", "--porcelain") == "", "a typo that was fixed leaves no trace")
    for flavor in ("m2", "m3", "m4"):
        fleet.set(with_pools(a=(1, flavor)))
        fleet.render(flavor)
    expect(fleet.retired() == [("a", "m1")], f"only what was committed is kept: {fleet.retired()}")
    plan = fleet.capwright("plan").stdout
    expect("no changes" in plan or "0 " in plan, f"plan sees the tree as the render does: {plan}")
    fleet.commit("m4")
    expect("0 clusters written (0 files), 1 unchanged" in fleet.render("again"), "a committed tree is not rendered again")
    fleet.change(with_pools(a=(1, "m5")), "m5")
    expect(fleet.retired() == [("a", "m4")], f"retain: 1 keeps the one before: {fleet.retired()}")
    # Reverting a single file is not an edit.
    fleet.set(with_pools(a=(2, "m6")))
    fleet.render("m6")
    fleet.git("checkout", "-q", "--", f"{FOLDER}/cluster.yaml")
    fleet.render("one file from HEAD")
    fleet.write(f"{FOLDER}/cluster.yaml", fleet.read(f"{FOLDER}/cluster.yaml") + "# mine\n")
    edited = fleet.capwright("render")
    expect(edited.returncode == 1 and "G102" in edited.stderr, "an edit is still refused")
    fleet.git("checkout", "-q", ".")
    (fleet.folder / FOLDER / ".capwright-index").unlink()
    fleet.render("a lost index")
    expect(fleet.git("status", "--porcelain") == "", "a lost index comes back as it was")


CHANGES = {
    "counts": (with_pools(a=(3, "m1")), with_pools(d=(5, "m1")), with_pools(a=(3, "m1"), d=(5, "m1"))),
    "count and flavor": (with_pools(a=(3, "m1")), with_pools(c=(1, "m2")), with_pools(a=(3, "m1"), c=(1, "m2"))),
    "flavors": (with_pools(a=(1, "m2")), with_pools(d=(1, "m3")), with_pools(a=(1, "m2"), d=(1, "m3"))),
    "one flavor": (with_pools(a=(1, "m2")), with_pools(a=(1, "m3")), with_pools(a=(1, "m3"))),
    "one flavor, another one": (with_pools(a=(1, "m2")), with_pools(a=(1, "m3")), with_pools(a=(1, "m4"))),
    "pool added, pool removed": (with_pools(e=(1, "m1")), with_pools(a=None), with_pools(a=None, e=(1, "m1"))),
    "pool removed, pool changed": (with_pools(b=None), with_pools(d=(2, "m2")), with_pools(b=None, d=(2, "m2"))),
    "same change": (with_pools(a=(1, "m2")), with_pools(a=(1, "m2")), with_pools(a=(1, "m2"))),
    "all of theirs": (with_pools(e=(1, "m1")), with_pools(d=(1, "m2")), with_pools(d=(1, "m2"))),
}
WAYS = {
    "conflicts left": lambda fleet, theirs: None,
    "ours": lambda fleet, theirs: fleet.git("checkout", "--ours", "--", FOLDER, fails=True),
    "theirs": lambda fleet, theirs: fleet.git("checkout", "--theirs", "--", FOLDER, fails=True),
    "index of ours": lambda fleet, theirs: fleet.git("checkout", "--ours", "--", f"{FOLDER}/.capwright-index", fails=True),
    "index of theirs": lambda fleet, theirs: fleet.git("checkout", "--theirs", "--", f"{FOLDER}/.capwright-index", fails=True),
    "folder of theirs": lambda fleet, theirs: fleet.git("checkout", theirs, "--", FOLDER),
    "conflicts added": lambda fleet, theirs: fleet.git("add", "-A"),
    "diff3": lambda fleet, theirs: fleet.git("checkout", "--conflict=diff3", "--", FOLDER, fails=True),
    "no index": lambda fleet, theirs: (fleet.folder / FOLDER / ".capwright-index").unlink(),
}
OPERATIONS = {
    "merge": (["merge", "-q", "theirs"], ["commit", "-q", "--no-edit"], "theirs"),
    "rebase": (["rebase", "-q", "theirs"], ["rebase", "--continue"], "theirs"),
    "cherry-pick": (["cherry-pick", "theirs"], ["cherry-pick", "--continue"], "theirs"),
    "stash pop": (["stash", "pop", "-q"], None, "stash@{0}"),
}


FEW = os.environ.get("CAPWRIGHT_EFFORT") == "few"
EVERY_WAY = {True: ("count and flavor", "one flavor", "pool removed, pool changed"), False: ("count and flavor",)}
if FEW:
    EVERY_WAY = {True: ("count and flavor",), False: ()}


def branches(scratch, name, ours, theirs):
    """A fleet on main, with `ours`, and the branch `theirs`; made once, then copied."""
    made = branches.made.setdefault(repr((ours, theirs)), scratch / f"branches-{len(branches.made)}")
    if not made.exists():
        make_branches(made, ours, theirs)
    shutil.copytree(made, scratch / name, symlinks=True)
    fleet = Fleet(scratch / name, git=False)
    fleet.set(ours)
    fleet.git("update-index", "-q", "--refresh", fails=True)
    return fleet


branches.made = {}


def make_branches(folder, ours, theirs):
    fleet = Fleet(folder)
    fleet.render("base")
    fleet.commit("base")
    fleet.git("checkout", "-q", "-b", "theirs")
    fleet.change(theirs, "theirs")
    fleet.git("checkout", "-q", "main")
    fleet.change(ours, "ours")


def start(fleet, operation):
    if operation == "stash pop":
        fleet.git("checkout", "-q", "theirs")
        fleet.git("reset", "-q", "--mixed", "HEAD~1")
        fleet.git("add", "-A")
        fleet.git("stash", "push", "-q")
        fleet.git("checkout", "-q", "main")
    fleet.git(*OPERATIONS[operation][0], fails=True)


def finish(fleet, operation, what):
    fleet.git("add", "-A")
    command = OPERATIONS[operation][1] or ["commit", "-q", "-m", "popped"]
    if fleet.git("status", "--porcelain") != "":
        fleet.git(*command)
    elif operation == "rebase":
        fleet.git("rebase", "--skip", fails=True)
    said = fleet.render(what + ", committed")
    expect("1 unchanged" in said and fleet.git("status", "--porcelain") == "", f"{what}: the commit is what is rendered: {said}")


def test_merges(scratch):
    number = 0
    for (change, (ours, theirs, merged)), operation in itertools.product(CHANGES.items(), OPERATIONS):
        for way, resolve in WAYS.items():
            # Every operation with every change, and every kind of merge with some of the changes.
            if way != "conflicts left" and change not in EVERY_WAY[operation == "merge"]:
                continue
            if FEW and operation != "merge" and list(CHANGES).index(change) % 3 != 1:
                continue
            number += 1
            what = f"{operation}, {change}, {way}"
            fleet = branches(scratch, f"merge-{number}", ours, theirs)
            start(fleet, operation)
            if not (fleet.folder / FOLDER / ".capwright-index").exists():
                continue
            resolve(fleet, OPERATIONS[operation][2])
            fleet.set(merged)
            fleet.render(what)
            rendered = fleet.rendered()
            expect(rendered == expected_of(merged, scratch), f"{what}: the tree is what the values give")
            marked = [path for path, text in fleet.files().items() if any(mark in text for mark in MARKS)]
            expect(not marked, f"{what}: conflicts are left in {marked}")
            finish(fleet, operation, what)
    print(f"{number} merges")


def test_merged_generations(scratch):
    fleet = branches(scratch, "both", with_pools(a=(1, "m2")), with_pools(a=(1, "m3")))
    start(fleet, "merge")
    fleet.set(with_pools(a=(1, "m4")))
    fleet.render("both sides")
    expect(fleet.retired() == [("a", "m2"), ("a", "m3")], f"what runs on either side is kept: {fleet.retired()}")
    finish(fleet, "merge", "both sides")
    expect(fleet.retired() == [("a", "m2"), ("a", "m3")], f"and stays after the commit: {fleet.retired()}")
    fleet = branches(scratch, "rebased", with_pools(a=(1, "m2")), with_pools(a=(1, "m3")))
    start(fleet, "rebase")
    fleet.set(with_pools(a=(1, "m2")))
    fleet.render("rebased")
    expect(fleet.retired() == [("a", "m3")], f"a rebase keeps what it goes on from: {fleet.retired()}")


def test_committed_first(scratch):
    """If a merge is committed before a render, the tree has files of two renders; the next render fixes it."""
    for way in ("ours", "theirs", "conflicts left"):
        ours, theirs, merged = CHANGES["pool removed, pool changed"]
        fleet = branches(scratch, f"late-{way.replace(' ', '-')}", ours, theirs)
        start(fleet, "merge")
        WAYS[way](fleet, "theirs")
        fleet.set(merged)
        fleet.commit("merged")
        fleet.render(f"committed first, {way}")
        expect(fleet.rendered() == expected_of(merged, scratch), f"committed first, {way}: the tree is what the values give")


def test_edits_in_merges(scratch):
    """A manual edit of a file during a merge is never lost."""
    ours, theirs, merged = CHANGES["one flavor"]
    edits = {
        "a line at the end": lambda text: text + "# mine\n",
        "a line between marks": lambda text: text.replace("=======\n", "=======\n# mine\n", 1),
        "a line removed": lambda text: text.replace("  replicas: 1\n", "", 1).replace("    spec:\n", "", 1),
        "a mark removed": lambda text: text.replace("=======\n", "", 1),
        "a line changed": lambda text: text.replace("kind:", "kind: ", 1),
    }
    for number, (edit, path) in enumerate(itertools.product(edits, ("cluster.yaml", "machine-templates.yaml"))):
        fleet = branches(scratch, f"edit-{number}", ours, theirs)
        start(fleet, "merge")
        fleet.set(merged)
        before = fleet.read(f"{FOLDER}/{path}")
        text = edits[edit](before)
        if text == before:
            continue
        fleet.write(f"{FOLDER}/{path}", text)
        done = fleet.capwright("render")
        expect(done.returncode == 1 and ("G102" in done.stderr or "G103" in done.stderr) and
               fleet.read(f"{FOLDER}/{path}") == text, f"{edit} in {path}: the edit stays: {done.stderr}")
    fleet = branches(scratch, "own-file", ours, theirs)
    start(fleet, "merge")
    fleet.set(merged)
    fleet.write(f"{FOLDER}/own.yaml", "mine\n")
    fleet.render("a file of one's own")
    expect(fleet.read(f"{FOLDER}/own.yaml") == "mine\n", "a file of one's own stays")


def test_repositories(scratch):
    """Kinds of checkouts. Without an earlier commit, the folder is used, as without Git."""
    plain = Fleet(scratch / "plain", git=False)
    unborn = Fleet(scratch / "unborn")
    foreign = Fleet(scratch / "not-committed")
    foreign.write(".gitignore", "clusters/\n")
    foreign.commit("without the tree")
    broken = Fleet(scratch / "broken", git=False)
    (broken.folder / ".git").mkdir()
    for fleet in (plain, unborn, foreign, broken):
        fleet.render("first")
        fleet.set(with_pools(a=(1, "m2")))
        said = fleet.render("second")
        expect(fleet.retired() == [("a", "m1")], f"{fleet.folder.name}: the folder counts: {fleet.retired()}")
        expect(("G111" in said) == (fleet is broken), f"{fleet.folder.name}: what is said: {said}")

    origin = Fleet(scratch / "origin")
    origin.render("first")
    origin.commit("first")
    origin.change(with_pools(a=(1, "m2")), "second")
    copies = {}
    origin.git("clone", "-q", "--depth", "1", f"file://{origin.folder}", str(scratch / "shallow"))
    copies["shallow"] = scratch / "shallow"
    origin.git("worktree", "add", "-q", "--detach", str(scratch / "worktree"))
    copies["worktree"] = scratch / "worktree"
    outer = Fleet(scratch / "outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", f"file://{origin.folder}", "fleet")
    outer.render("outer")
    outer.commit("outer")
    copies["submodule"] = outer.folder / "fleet"
    for kind, folder in copies.items():
        fleet = Fleet(folder, git=False, pools=with_pools(a=(1, "m2")))
        expect("1 unchanged" in fleet.render(kind), f"{kind}: nothing to do")
        for flavor in ("m7", "m3"):
            fleet.set(with_pools(a=(1, flavor)))
            fleet.render(kind)
        expect(fleet.retired() == [("a", "m2")], f"{kind}: HEAD counts: {fleet.retired()}")
    below = Fleet(scratch / "mono", pools=POOLS)
    fleet = Fleet(scratch / "mono" / "fleets" / "eu", git=False)
    fleet.write("capwright.yaml", "output: ../tree\n")
    expect(below.folder.exists(), "a repository around the fleet")
    (scratch / "mono" / "fleets" / "tree").mkdir()
    for flavor in ("m1", "m7", "m2"):
        fleet.set(with_pools(a=(1, flavor)))
        expect(fleet.capwright("render").returncode == 0, f"mono: {flavor}")
        if flavor == "m1":
            fleet.commit("first")
    text = (scratch / "mono/fleets/tree/clusters/prod/retired-templates.yaml")
    expect(text.exists() and "flavor: m1" in text.read_text() and "m7" not in text.read_text(), "mono: HEAD counts")


def random_pools(rng, pools):
    pools = dict(pools)
    name = rng.choice("abcdef")
    kind = rng.randrange(4)
    if kind == 0 and name in pools and len(pools) > 1:
        del pools[name]
    elif kind == 1 or name not in pools:
        pools[name] = (rng.randrange(1, 4), f"m{rng.randrange(1, 4)}")
    elif kind == 2:
        pools[name] = (rng.randrange(1, 9), pools[name][1])
    else:
        pools[name] = (pools[name][0], f"m{rng.randrange(1, 6)}")
    return pools


def test_random(scratch, seed):
    """Random commits and merges, uncommitted renders in between, and edits that must be kept."""
    rng = random.Random(seed)
    fleet = Fleet(scratch / f"random-{seed}")
    fleet.render("base")
    fleet.commit("base")
    pools = {"main": POOLS, "side": POOLS}
    fleet.git("branch", "side")
    for step in range(12):
        what = f"seed {seed}, step {step}"
        branch, other = rng.sample(("main", "side"), 2)
        fleet.git("checkout", "-q", branch)
        running = dict(pools[branch])
        for _ in range(rng.randrange(3)):  # renders that are never committed
            fleet.set(random_pools(rng, running))
            fleet.render(what)
        if rng.random() < 0.5:
            pools[branch] = random_pools(rng, running)
            fleet.set(pools[branch])
            fleet.render(what)
            fleet.git("add", "-A")
            fleet.git("commit", "-q", "--allow-empty", "-m", what)
        else:
            fleet.git("checkout", "-q", "--", ".")
            fleet.git("clean", "-qfd")
            fleet.git("merge", "-q", "--no-commit", "--no-ff", other, fails=True)
            way = rng.choice([way for way in WAYS if way != "folder of theirs"])
            WAYS[way](fleet, other)
            pools[branch] = rng.choice((pools[branch], pools[other], random_pools(rng, pools[other])))
            fleet.set(pools[branch])
            path = f"{FOLDER}/cluster.yaml"
            if rng.random() < 0.5:
                merged = fleet.read(path)
                fleet.write(path, merged + "# mine\n")
                done = fleet.capwright("render")
                expect(done.returncode == 1 and fleet.read(path) == merged + "# mine\n", f"{what}, {way}: an edit stays: {done.stderr}")
                fleet.write(path, merged)
            fleet.render(f"{what}, {way}")
            fleet.git("add", "-A")
            fleet.git("commit", "-q", "--allow-empty", "-m", what)
        expect(fleet.rendered() == expected_of(pools[branch], scratch), f"{what}: the tree is what the values give")
        in_use = {(name, flavor) for name, (_, flavor) in pools[branch].items()}
        changed = {(name, flavor) for name, (_, flavor) in running.items() if name in pools[branch]} - in_use
        expect(changed <= set(fleet.retired()), f"{what}: what ran is kept: {changed} in {fleet.retired()}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for test in (test_generations, test_merges, test_merged_generations, test_committed_first, test_edits_in_merges,
                     test_repositories):
            test(scratch)
        for seed in SEEDS:
            test_random(scratch, seed)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
