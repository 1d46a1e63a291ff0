"""The Git repository that Argo CD reads, changed as people change it: a commit for each case, real merges and reverts."""

import json
import shutil
import subprocess

import yaml

from lab import changes, kube
from lab.places import CAPWRIGHT, REPOSITORY, RESULTS, RUN, SOURCE

FIXTURES = ("topology.yaml", "v1beta1.yaml")  # manifests of the fleet that aren't rendered
PLUGIN_FLEET = "plugin"  # a second fleet below the first, of which only values are committed


def git(folder, *arguments, check=True):
    identity = ["-c", "user.name=e2e", "-c", "user.email=e2e@example.com"]
    return subprocess.run(["git", *identity, *arguments], cwd=folder, check=check, capture_output=True, text=True).stdout


def printed(*command, fleet=None, url=REPOSITORY):
    """What `capwright argocd` prints for the clusters of `fleet`, or for a repository without capwright.yaml."""
    place = ["--repo-url", url, "--namespace", "argocd", "--destination", "in-cluster"]
    command = [CAPWRIGHT, "argocd", *command, *place, *([] if fleet else ["--isolated"])]
    return subprocess.run(command, cwd=fleet or "/", check=True, capture_output=True, text=True).stdout


class Repository:
    """A source of commits. `step` makes those of one step and says what they would do; then `push` publishes them."""

    def __init__(self, cases):
        self.folder = RUN / "fleets" / "argocd"
        bare = RUN / "argocd" / "repositories" / "clusters.git"
        for folder in (self.folder, bare):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(SOURCE / "fleet", self.folder)
        for name in FIXTURES:
            (self.folder / name).unlink()
        shutil.copytree(self.folder, self.folder / PLUGIN_FLEET)
        for fleet in (self.folder, self.folder / PLUGIN_FLEET):
            (fleet / "values").mkdir()
        (self.folder / "clusters").mkdir()
        (self.folder / "clusters" / ".gitkeep").touch()
        (self.folder / "root" / "clusters").mkdir(parents=True)
        self.values = {name: dict(case["values"], cluster_name=name) for name, case in cases.items() if "values" in case}
        # A case with an Application of its own isn't below `clusters/`, where the ApplicationSet would take it.
        self.own = {name for name, case in cases.items() if "application" in case}
        self.rooted = {name for name in self.own if cases[name]["application"].get("root")}
        self.listed = {name for name in self.own if cases[name]["application"].get("set")}
        self.commits = {}
        self.problems = {name: [] for name in cases}
        self.notes = {name: [] for name in cases}
        git(self.folder, "init", "-q", "-b", "main")
        git(RUN, "init", "-q", "--bare", "-b", "main", str(bare))
        git(self.folder, "remote", "add", "origin", str(bare))
        self.commit("the fleet")

    def commit(self, message):
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "--allow-empty", "-m", message)
        return git(self.folder, "rev-parse", "HEAD").strip()

    def tree(self, name):
        if name in self.rooted:
            return self.folder / "root" / "clusters" / name
        return self.folder / ("own" if name in self.own else "clusters") / name

    def values_file(self, name):
        return self.folder / (PLUGIN_FLEET if name in self.listed else "") / "values" / f"{name}.yaml"

    def set_values(self, name, values):
        self.values[name] = values
        self.values_file(name).write_text(yaml.safe_dump(values, sort_keys=False))

    def render(self, *arguments):
        run = subprocess.run([CAPWRIGHT, "render", "-q", *arguments], cwd=self.folder, capture_output=True, text=True,
                             check=False)
        if run.returncode != 0:
            raise RuntimeError(f"capwright render {' '.join(arguments)}: {run.stdout}{run.stderr}")

    def write_files(self, name, step):
        folder = self.tree(name)
        if "only" in step:
            shutil.rmtree(folder, ignore_errors=True)
        files = dict(step.get("only") or step.get("files") or {})
        if "fixture" in step:
            files["all.yaml"] = (SOURCE / "fleet" / step["fixture"]).read_text()
        if "patch" in step:
            manifests = changes.patched(kube.documents(folder), step["patch"], name)
            files["all.yaml"] = yaml.safe_dump_all(manifests, sort_keys=False)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text.replace("{cluster}", name))

    def edit(self, name, edit):
        self.set_values(name, changes.merged(self.values[name], edit))
        if name not in self.own - self.rooted:
            self.render(name)
        if name in self.rooted:
            shutil.rmtree(self.tree(name), ignore_errors=True)
            shutil.move(self.folder / "clusters" / name, self.tree(name))

    def merge(self, name, step):
        """Two branches of one commit, merged one after the other. People resolve the values, `render` resolves the tree."""
        before = self.values[name]
        branches = [f"{name}-{number}" for number in range(len(step["merge"]))]
        for branch, edit in zip(branches, step["merge"]):
            git(self.folder, "checkout", "-q", "-b", branch, "main")
            self.values[name] = before
            self.edit(name, edit)
            self.commit(branch)
        git(self.folder, "checkout", "-q", "main")
        for branch in branches:
            git(self.folder, "merge", "-q", "--no-ff", "-m", branch, branch, check=False)
        self.set_values(name, changes.merged(before, step["edit"]))
        self.render(name)
        self.commit(f"{name}: merge")
        self.render("--check", name)

    def change(self, name, step, number):
        """One case's step as a commit."""
        if step.get("remove"):
            self.values.pop(name)
            self.values_file(name).unlink()
            if name not in self.listed:
                shutil.rmtree(self.tree(name))
        elif step.get("revert"):
            git(self.folder, "revert", "--no-edit", self.commits[name])
            self.values[name] = yaml.safe_load(self.values_file(name).read_text())
            if name not in self.own:
                self.render("--check", name)
        elif "merge" in step:
            self.merge(name, step)
        elif "edit" in step or (number == 0 and name in self.values):
            self.edit(name, step.get("edit", {}))
        if step.get("forget"):
            self.render("--forget-removed", name)
        self.write_files(name, step)
        self.commits[name] = self.commit(f"{name}: step {number}")

    def copy(self, side):
        target = RUN / "fleets" / f"argocd-{side}"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.folder / "clusters", target / "clusters")
        return target

    def step(self, steps, number):
        """Commits a step of each case. Returns what `plan` says about all of them: {cluster: its part of the JSON}."""
        before = self.copy("before")
        for name, step in steps.items():
            self.change(name, step, number)
        after = self.copy("after")
        command = [CAPWRIGHT, "plan", before, after, "-f", "json"]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        (RESULTS / f"argocd-plan-{number}.json").write_text(run.stdout)
        return {cluster["name"]: cluster for cluster in json.loads(run.stdout)["clusters"]}

    def push(self):
        git(self.folder, "push", "-q", "origin", "main")

    def argocd(self):
        """The AppProject and the ApplicationSets. Two sets can't have one name; of the fleet of the second one only values
        are committed."""
        plugin = printed("applicationset", "--plugin", "--revision", "main", fleet=self.folder / PLUGIN_FLEET)
        sets = [printed("applicationset", "--revision", "main"), plugin.replace("\n  name: clusters\n", "\n  name: plugin-clusters\n", 1)]
        return [printed("project"), *sets]

    def folders(self):
        """{working tree: the clusters that it renders}"""
        return {self.folder: set(self.problems)}

    def observed(self, name, key):
        """What is the case, for a key of `expect` that only this source knows."""
        raise KeyError(f"{name}: {key}")
