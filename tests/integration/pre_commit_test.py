#!/usr/bin/env python3
"""The hooks of .pre-commit-hooks.yaml, run by the real `pre-commit` in a scratch repository: clean, failing, fixed. And those of
packaging/pre-commit, which install the wheel, without a network.

    CAPWRIGHT=build/dev/capwright pre_commit_test.py

Exit code 77, with the reason, if `pre-commit` ($CAPWRIGHT_PRE_COMMIT, or the one in PATH) isn't installed.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPWRIGHT = pathlib.Path(os.environ["CAPWRIGHT"]).resolve()
PRE_COMMIT = os.environ.get("CAPWRIGHT_PRE_COMMIT") or shutil.which("pre-commit")
HOOKS = ("capwright-lint", "capwright-render-check", "capwright-test", "capwright-lint-values", "capwright-render-check-values")

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


class Repository:
    """A separate Git repository, isolated from the user's configuration."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        home = self.folder.parent / "home"
        home.mkdir(exist_ok=True)
        self.variables = {"PATH": f"{CAPWRIGHT.parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(home),
                          "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "PRE_COMMIT_HOME": str(home / "cache"),
                          "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a",
                          "GIT_COMMITTER_EMAIL": "a@example.com", "LC_ALL": "C.UTF-8"}
        self.run("git", "init", "-q", "-b", "main")

    def run(self, *command, check=True):
        done = subprocess.run(command, cwd=self.folder, env=self.variables, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if check and done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: {done.stdout}")
        return done

    def commit(self, *paths, hooks=True):
        self.run("git", "add", *(paths or ["."]))
        return self.run("git", "commit", "-q", "-m", "x", *([] if hooks else ["--no-verify"]), check=not hooks)

    def edit(self, path, old, new):
        file = self.folder / path
        text = file.read_text()
        assert old in text, (path, old)
        file.write_text(text.replace(old, new, 1))


def results(output):
    """Hook -> Passed, Failed or Skipped."""
    names = {"capwright lint": "capwright-lint", "capwright render --check": "capwright-render-check",
             "capwright test": "capwright-test", "capwright lint (values of the commit)": "capwright-lint-values",
             "capwright render --check (values of the commit)": "capwright-render-check-values"}
    found = {}
    for line in output.splitlines():
        for name, hook in names.items():
            if line.startswith(name + "."):
                found[hook] = line.rsplit(".", 1)[1].rsplit(")", 1)[-1]
    return found


def hooks_repository(scratch):
    """A repository with this project's hooks, and its only commit."""
    source = Repository(scratch / "hooks")
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", source.folder)
    source.commit(hooks=False)
    return source.folder, source.run("git", "rev-parse", "HEAD").stdout.strip()


def fleet_repository(scratch):
    source, revision = hooks_repository(scratch)
    fleet = Repository(scratch / "fleet")
    shutil.copytree(ROOT / "docs" / "tutorial" / "fleet", fleet.folder, dirs_exist_ok=True)
    shutil.rmtree(fleet.folder / "values" / "portal")  # its Kubernetes is too old for lint
    config = fleet.folder / "capwright.yaml"
    config.write_text(config.read_text().partition("  - file: layers/portal.yaml")[0])
    case = fleet.folder / "golden" / "capo" / "prod"
    case.mkdir(parents=True)
    shutil.copy(fleet.folder / "values" / "prod-a.yaml", case / "values.yaml")
    install(fleet, source, revision)
    return fleet


def install(repository, source, revision):
    """Commits the rendered files and the golden trees, and then installs the hooks."""
    listed = "".join(f"      - id: {hook}\n" for hook in HOOKS)
    (repository.folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {source}\n    rev: {revision}\n    hooks:\n{listed}")
    repository.run(CAPWRIGHT, "render", "-q")
    repository.run(CAPWRIGHT, "test", "--update", "--force", "-q")
    repository.commit(hooks=False)
    repository.run(PRE_COMMIT, "install")


def check_own_templates(scratch):
    """The hooks need no options for the section `template`."""
    scratch.mkdir()
    source, revision = hooks_repository(scratch)
    own = Repository(scratch / "own")
    for path, text in {"capwright.yaml": "template: {dir: templates, main: main.j2}\n", "values/a.yaml": "cluster_name: a\n",
                       "golden/any/a/values.yaml": "cluster_name: a\n",
                       "templates/main.j2": "# FILE: clusters/{{ cluster_name }}/a.yaml\nsize: 1\n"}.items():
        (own.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (own.folder / path).write_text(text)
    install(own, source, revision)
    everything = own.run(PRE_COMMIT, "run", "--all-files", check=False)
    expect(results(everything.stdout) == dict.fromkeys(HOOKS, "Passed"), f"own templates: {everything.stdout}")
    own.edit("templates/main.j2", "size: 1", "size: 2")
    stale = own.commit()
    expect(results(stale.stdout).get("capwright-render-check") == "Failed", f"a stale tree of them: {stale.stdout}")
    expect(results(stale.stdout).get("capwright-test") == "Failed", f"a golden case of them: {stale.stdout}")


def check_folder(scratch):
    """A repository in a folder of a larger one: hooks with files need `files:`, because other folders `values/` exist."""
    scratch.mkdir()
    source, revision = hooks_repository(scratch)
    top = Repository(scratch / "top")
    fleet = top.folder / "infra" / "fleet"
    for path, text in {"infra/fleet/capwright.yaml": "template: {dir: templates, main: main.j2}\n",
                       "infra/fleet/values/a.yaml": "cluster_name: a\n", "charts/web/values/prod.yaml": "replicas: 1\n",
                       "infra/fleet/templates/main.j2": "# FILE: clusters/{{ cluster_name }}/a.yaml\nsize: 1\n"}.items():
        (top.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (top.folder / path).write_text(text)
    top.run(CAPWRIGHT, "render", "-q", "--config", str(fleet / "capwright.yaml"))
    hooks = ("capwright-lint", "capwright-lint-values", "capwright-render-check-values")
    for files, state in (("", "Failed"), ("        files: ^infra/fleet/values/.*\\.(ya?ml|json)$\n", "Passed")):
        listed = "".join(f"      - id: {hook}\n        args: [--config, infra/fleet/capwright.yaml]\n"
                         + (files if hook.endswith("-values") else "") for hook in hooks)
        (top.folder / ".pre-commit-config.yaml").write_text(
            f"repos:\n  - repo: {source}\n    rev: {revision}\n    hooks:\n{listed}")
        top.run("git", "add", ".")
        everything = top.run(PRE_COMMIT, "run", "--all-files", check=False)
        wanted = {hook: state if hook.endswith("-values") else "Passed" for hook in hooks}
        expect(results(everything.stdout) == wanted, f"in a folder, `{files.strip()}`: {everything.stdout}")


WHEEL_HOOKS = {"capwright-fmt": "capwright fmt", "capwright-render": "capwright render", "capwright-lint": "capwright lint"}


def wheelhouse(scratch):
    """A folder with the wheel of this program and the build backend of the hooks; None without a backend."""
    house = scratch / "wheels"
    house.mkdir()
    embedded = "lib/python3*/site-packages/virtualenv/seed/wheels/embed/setuptools-*.whl"  # pre-commit depends on virtualenv
    backends = sorted(pathlib.Path(PRE_COMMIT).resolve().parent.parent.glob(embedded))
    if not backends:
        return None
    shutil.copy(backends[-1], house)
    (house / "components.json").write_text("[]")
    (scratch / "share").mkdir()
    packages = scratch / "packages"
    subprocess.run([sys.executable, str(ROOT / "packaging" / "package.py"), "--program", str(CAPWRIGHT), "--components",
                    str(house / "components.json"), "--share", str(scratch / "share"), "--arch", "amd64", "--epoch", "1700000000", "--into", str(packages)],
                   check=True, stdout=subprocess.DEVNULL)
    shutil.copy(next(packages.glob("*.whl")), house)
    return house


def check_wheel(scratch):
    """From nothing: the hooks install the program, fix a file, stop the commit, and then let it pass."""
    scratch.mkdir()
    house = wheelhouse(scratch)
    if house is None:
        print("virtualenv brings no setuptools wheel: the hooks with the wheel were not tested")
        return
    source = Repository(scratch / "hooks")
    shutil.copytree(ROOT / "packaging" / "pre-commit", source.folder, dirs_exist_ok=True)
    source.commit(hooks=False)
    revision = source.run("git", "rev-parse", "HEAD").stdout.strip()
    fleet = Repository(scratch / "fleet")
    fleet.run(CAPWRIGHT, "init", "-q")
    fleet.run(CAPWRIGHT, "render", "-q")
    listed = "".join(f"      - id: {hook}\n" for hook in WHEEL_HOOKS)
    (fleet.folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {source.folder}\n    rev: {revision}\n    hooks:\n{listed}")
    fleet.commit(hooks=False)
    fleet.variables |= {"PATH": os.environ["PATH"], "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(house),
                        "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    fleet.run(PRE_COMMIT, "install")
    first = fleet.run(PRE_COMMIT, "run", "--all-files", check=False)
    expect(all(f"{name}." in first.stdout for name in WHEEL_HOOKS.values()) and first.returncode == 0,
           f"a new repository: {first.stdout}")
    fleet.edit("values/prod-a.yaml", "general-az1, count: 3", "general-az1, count: 4")
    stopped = fleet.commit()
    expect(stopped.returncode != 0 and "files were modified by this hook" in stopped.stdout, f"a stale tree: {stopped.stdout}")
    expect(fleet.commit().returncode == 0, "with the rendered files it can be committed")


def check(fleet):
    everything = fleet.run(PRE_COMMIT, "run", "--all-files", check=False)
    expect(results(everything.stdout) == dict.fromkeys(HOOKS, "Passed"), f"a clean repository: {everything.stdout}")
    (fleet.folder / "README.md").write_text("a page\n")
    other = fleet.commit()
    of_values = {hook: "Skipped" for hook in HOOKS if hook.endswith("-values")}
    expect(other.returncode == 0 and results(other.stdout) == dict.fromkeys(HOOKS, "Passed") | of_values, f"a page: {other.stdout}")

    fleet.edit("values/prod-a.yaml", "flavor: m1.large", "flavor: m1.xlarge")
    stale = fleet.commit()
    expect(stale.returncode != 0 and results(stale.stdout).get("capwright-render-check") == "Failed", "a stale tree")
    expect(results(stale.stdout).get("capwright-render-check-values") == "Failed", "a stale tree of the commit")
    expect("the tree is stale" in stale.stdout, f"it says so: {stale.stdout}")
    fleet.run(CAPWRIGHT, "render", "-q")
    expect(fleet.commit().returncode == 0, "once it is rendered it can be committed")

    fleet.run("git", "rm", "-q", "clusters/prod-a/cluster.yaml")
    deleted = fleet.commit("-u")
    expect(results(deleted.stdout).get("capwright-render-check") == "Failed", f"only a deletion: {deleted.stdout}")
    fleet.run("git", "checkout", "-q", "HEAD", "--", "clusters")

    fleet.edit("values/prod-a.yaml", "worker_pools:", "worker_polls:")
    wrong = fleet.commit()
    expect(results(wrong.stdout).get("capwright-lint") == "Failed" and "did you mean `worker_pools`" in wrong.stdout,
           f"a misspelt key: {wrong.stdout}")
    fleet.edit("values/prod-a.yaml", "worker_polls:", "worker_pools:")

    fleet.edit("golden/capo/prod/values.yaml", "flavor: m1.large", "flavor: m1.xlarge")
    golden = fleet.commit()
    expect(results(golden.stdout).get("capwright-test") == "Failed" and "m1.large" in golden.stdout,
           f"a golden case: {golden.stdout}")
    expect(results(golden.stdout).get("capwright-lint") == "Passed", "the rest is clean")
    fleet.run(CAPWRIGHT, "test", "--update", "--force", "-q")
    expect(fleet.commit().returncode == 0, "once it is kept anew it can be committed")


def main():
    if not PRE_COMMIT:
        print("pre-commit is not installed: nothing was tested")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        check(fleet_repository(pathlib.Path(scratch).resolve()))
        check_wheel(pathlib.Path(scratch).resolve() / "wheel")
        check_own_templates(pathlib.Path(scratch).resolve() / "second")
        check_folder(pathlib.Path(scratch).resolve() / "folder")
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
