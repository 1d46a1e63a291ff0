#!/usr/bin/env python3
"""`capwright deps` lists the inputs of a cluster: all of them, and no others.

    CAPWRIGHT=build/dev/capwright deps_test.py

Each file of a repository is changed, one at a time. If it is listed, `render --check` notices the change, and otherwise
not. The same for files that are added where the list has a missing file or a folder, and elsewhere.
"""

import ast
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPWRIGHT = pathlib.Path(os.environ["CAPWRIGHT"]).resolve()
ENV = {name: value for name, value in os.environ.items() if name != "CI"} | {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com"}
CATALOGUE = """as_of: 2027-01-01
source: test
addons:
  - id: cinder-csi
    version: 2.35.1
"""
failures = []
runs = 0


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


def run(folder, *words):
    global runs
    runs += 1
    return subprocess.run([CAPWRIGHT, *words], cwd=folder, env=ENV, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)


def must(folder, *words):
    done = run(folder, *words)
    if done.returncode != 0:
        sys.exit(f"capwright {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


def fleet(folder, own_sets):
    """The tutorial's fleet, with a layer that a values file extends, and files that no cluster reads."""
    shutil.copytree(ROOT / "docs" / "tutorial" / "fleet", folder)
    for path in ("README.md", "layers/unused.yaml", "vendor/cni/other.yaml", "schemas/notes.yaml", "docs/page.md"):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text("unused: true\n")
    (folder / "layers" / "extended.yaml").write_text("control_plane_count: 3\n")
    values = folder / "values" / "prod-a.yaml"
    values.write_text("extends: ../layers/extended.yaml\n" + values.read_text())
    if own_sets:
        must(folder, "eject", "capo", "-q")
        must(folder, "eject", "capa", "-q")
        (folder / "templates" / "capo" / "README.md").write_text("how this set is changed\n")
        (folder / "catalogue").mkdir()
        (folder / "catalogue" / "addons.yaml").write_text(CATALOGUE)
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, env=ENV, check=True)
    must(folder, "render", "-q")
    subprocess.run("git add . && git commit -qm one", shell=True, cwd=folder, env=ENV, check=True)


class Cluster:
    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.inputs = json.loads(must(folder, "deps", name, "-f", "json"))["clusters"][0]
        self.before = self.rendered()
        expect(self.before[0] == 0, f"{name} is up to date: {self.before}")

    def rendered(self):
        done = run(self.folder, "render", "--check", self.name)
        return done.returncode, done.stdout, done.stderr

    def notices(self, path, text):
        """Whether a render differs with this text of the file."""
        file = self.folder / path
        old = file.read_bytes() if file.exists() else None
        made = [parent for parent in file.parents if not parent.exists()]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        differs = self.rendered() != self.before
        if old is None:
            file.unlink()
        else:
            file.write_bytes(old)
        for parent in made:
            parent.rmdir()
        return differs


def changed(path, text):
    """An invalid text, or one that means something else."""
    if path.endswith("capa/template.yaml"):  # of another set, whose provider decides which set is meant
        return text.replace("provider: aws", "provider: openstack")
    return text + ("{% endfor %}\n" if path.endswith(".j2") else "\n- [}\n")


def check_changes(cluster):
    listed = set(cluster.inputs["files"])
    step = 1 if os.environ.get("CAPWRIGHT_EFFORT") == "all" else 8
    for number, path in enumerate(sorted(path for path in cluster.folder.rglob("*") if path.is_file())):
        shown = str(path.relative_to(cluster.folder))
        if shown.startswith((".git/", "clusters/")) or (shown.endswith(".j2") and number % step != 0):
            continue
        text = path.read_text()
        expect(cluster.notices(shown, changed(shown, text)) == (shown in listed),
               f"{cluster.name}: {shown} is {'' if shown in listed else 'not '}listed")
    for path in listed:
        expect((cluster.folder / path).is_file(), f"{cluster.name}: {path} is a file")


def check_additions(cluster):
    for path in cluster.inputs["missing"]:
        inside = {"templates": "templates/capo/template.yaml", "addons": "addons/own/addon.yaml"}.get(path, path)
        expect(cluster.notices(inside, "\t- [}\n"), f"{cluster.name}: {path} may appear")
    for folder in cluster.inputs["folders"]:
        inside, text = ("zz/template.yaml", "provider: openstack\n") if folder == "templates" else ("zz.j2", "{% endfor %}")
        expect(cluster.notices(f"{folder}/{inside}", text), f"{cluster.name}: a file may be added to {folder}")
    for path in ("new.yaml", "values/new.yaml", "layers/new.yaml", "vendor/cni/new.yaml", "templates/capa/zz.j2"):
        if cluster.folder.joinpath(path).parent.exists():
            expect(not cluster.notices(path, "\t- [}\n"), f"{cluster.name}: {path} is not an input")


def check_tree(cluster):
    expect(cluster.inputs["tree"] == f"clusters/{cluster.name}", f"{cluster.name}: the tree is listed")
    for other in ("prod-a", "edge-1"):
        path = f"clusters/{other}/cluster.yaml"
        text = (cluster.folder / path).read_text()
        expect(cluster.notices(path, text + "# edited\n") == (other == cluster.name), f"{cluster.name}: {path}")


def check_forms(cluster):
    """All forms have the same files."""
    inputs = cluster.inputs
    tree = ast.parse(must(cluster.folder, "deps", cluster.name, "-f", "bazel")).body[0].value
    values = {word.arg: word.value for word in tree.keywords}
    expect(ast.literal_eval(values["name"]) == cluster.name, "the filegroup has the cluster's name")
    expect(ast.literal_eval(values["srcs"].left) == inputs["files"], "the filegroup has the files")
    patterns = set(ast.literal_eval(values["srcs"].right.args[0]))
    expect(patterns >= {f"{folder}/**" for folder in [*inputs["folders"], inputs["tree"]]} | set(inputs["missing"]),
           "the filegroup has the folders, the tree and the missing files")
    annotation = must(cluster.folder, "deps", cluster.name, "-f", "argocd-annotation").strip().split(";")
    expect(annotation == sorted({f"/{path}" for key in ("files", "missing", "folders") for path in inputs[key]} |
                                {f"/{inputs['tree']}"}), "the annotation has all inputs")
    rule = must(cluster.folder, "deps", cluster.name, "-f", "make", "--target", "x y").replace("\\\n", "")
    target, paths = rule.splitlines()[0].split(":", 1)
    expect(target == "x\\ y" and set(paths.split()) >= set(inputs["files"]) | set(inputs["folders"]), "the rule has all files")
    below = json.loads(must(cluster.folder / "values", "deps", cluster.name, "-f", "json"))["clusters"][0]
    expect(below == inputs, "the list doesn't depend on the working directory")


def main():
    with tempfile.TemporaryDirectory() as name:
        for own_sets in (False, True):
            folder = pathlib.Path(name) / f"own-{own_sets}"
            fleet(folder, own_sets)
            for cluster in (Cluster(folder, "prod-a"), *([] if own_sets else [Cluster(folder, "edge-1")])):
                check_changes(cluster)
                check_additions(cluster)
                check_tree(cluster)
                check_forms(cluster)
    print(f"{runs} runs, {len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
