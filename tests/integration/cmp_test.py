#!/usr/bin/env python3
"""`capwright cmp` as argocd-cmp-server 3.5 runs it: an unpacked repository at any path, without `.git` and execute bits,
the Application's working directory, and only the environment of the contract.

    CAPWRIGHT=build/dev/capwright cmp_test.py
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPWRIGHT = pathlib.Path(os.environ["CAPWRIGHT"]).resolve()
FLEET = ROOT / "docs" / "tutorial" / "fleet"
CANARY = "a-canary-that-nobody-may-see"

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


def unpacked(repository, scratch, number):
    """The repository as the server unpacks it: a different path each time, no `.git`, no execute bits."""
    target = pathlib.Path(scratch) / "_cmp_server" / f"{number:08x}-5f0e"
    shutil.copytree(repository, target, ignore=shutil.ignore_patterns(".git"))
    for path in target.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return target


def command_of_plugin():
    text = subprocess.run([CAPWRIGHT, "cmp", "plugin-yaml"], capture_output=True, text=True, check=True).stdout
    expect("\n  discover" not in text and "\n  version" not in text, "plugin.yaml has no `discover` and no version")
    expect("kind: ConfigManagementPlugin\n" in text and "apiVersion: argoproj.io/v1alpha1\n" in text, "its kind")
    words = re.search(r"^  generate:\n    command: \[(.*)\]$", text, re.M)
    expect(words is not None, "it names a command")
    return [word.strip() for word in words[1].split(",")]


def environment(app_path, parameters):
    """The variables of the contract; of the sidecar's environment only PATH."""
    variables = {
        "PATH": str(CAPWRIGHT.parent),
        "ARGOCD_APP_NAME": "prod-a", "ARGOCD_APP_NAMESPACE": "prod-a", "ARGOCD_APP_PROJECT_NAME": "clusters",
        "ARGOCD_APP_REVISION": "4c1f0a7e2b0d9a6c2f3b5d7e9a1c3e5f7a9b1d3f",
        "ARGOCD_APP_REVISION_SHORT": "4c1f0a7", "ARGOCD_APP_REVISION_SHORT_8": "4c1f0a7e",
        "ARGOCD_APP_SOURCE_PATH": app_path, "ARGOCD_APP_SOURCE_REPO_URL": "https://git.example.com/platform/clusters.git",
        "ARGOCD_APP_SOURCE_TARGET_REVISION": "main", "KUBE_VERSION": "1.34.1", "KUBE_API_VERSIONS": "v1,apps/v1",
    }
    if parameters is not None:
        variables["ARGOCD_APP_PARAMETERS"] = parameters if isinstance(parameters, str) else json.dumps(parameters)
    return variables


class Server:
    def __init__(self, scratch):
        self.scratch, self.count, self.command = scratch, 0, command_of_plugin()

    def generate(self, repository, app_path=".", parameters=None, sent=".", more=()):
        """`sent`: the part of the repository that was sent; the Application's path is relative to it."""
        self.count += 1
        root = unpacked(repository / sent, self.scratch, self.count)
        folder = root / pathlib.Path(app_path).relative_to(sent)
        done = subprocess.run([*self.command, *more], cwd=folder, env=environment(app_path, parameters),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        expect(str(self.scratch) not in done.stdout + done.stderr, f"no absolute path in what is printed for {app_path}")
        shutil.rmtree(root)
        return done


def named(**values):
    kinds = {str: "string", list: "array", dict: "map"}
    return [{"name": name, kinds[type(value)]: value} for name, value in sorted(values.items())]


def files_of(stream):
    return re.findall(r"^# FILE: (.*)$", stream, re.M)


def check_manifests(server, repository):
    local = subprocess.run([CAPWRIGHT, "render", "prod-a", "--stdout", "-q"], cwd=repository, capture_output=True,
                           text=True, check=True).stdout
    for path in (".", "values", "values/portal"):
        done = server.generate(repository, path, named(cluster="prod-a"))
        expect(done.returncode == 0 and done.stderr == "", f"{path}: {done.stderr}")
        expect(done.stdout == local, f"{path}: the same bytes as `render --stdout`")
    parts = [server.generate(repository, ".", named(cluster="prod-a", part=part)).stdout for part in ("cluster", "addons")]
    expect(all("/addons/" not in path for path in files_of(parts[0])) and files_of(parts[0]), "part `cluster`")
    expect(all("/addons/" in path for path in files_of(parts[1])) and files_of(parts[1]), "part `addons`")
    expect(sorted(files_of(parts[0]) + files_of(parts[1])) == sorted(files_of(local)), "the two parts are all")
    portal = server.generate(repository, "values/portal", more=["--all"]).stdout
    expect({path.split("/")[1] for path in files_of(portal)} == {"satellite-workload-1"}, "clusters of the folder")
    everything = server.generate(repository, "values", more=["--all"]).stdout
    expect(len({path.split("/")[1] for path in files_of(everything)}) == 3, "all clusters below the folder")
    for parameters in ("null", "", "[]"):  # Argo CD sends the first for an Application without parameters
        done = server.generate(repository, "values", parameters)
        expect((done.returncode, done.stdout) == (2, "") and "--all" in done.stderr, f"`cluster` is needed: {done.stderr}")
        done = server.generate(repository, "values", parameters, more=["--all"])
        expect(done.stdout == everything, f"no parameters, as `{parameters}`: {done.stderr}")
    more = server.generate(repository, ".", named(cluster="prod-a", set={"control_plane_count": "5"}, values=["more.yaml"]))
    expect("\n  replicas: 5\n" in more.stdout and "m1.tiny" in more.stdout, "values of parameters count")


def check_refusals(server, repository):
    empty = server.generate(repository, "layers", more=["--all"])
    expect(empty.returncode == 1 and empty.stdout == "" and "pruned" in empty.stderr, "no manifest is an error")
    allowed = server.generate(repository, "layers", more=["--all", "--allow-empty"])
    expect((allowed.returncode, allowed.stdout, allowed.stderr) == (0, "", ""), "--allow-empty")
    wrong = server.generate(repository, ".", named(cluster="prod-a", set={"control_plane_cuont": "5"}))
    first = wrong.stderr.split("\n")[0]
    expect(wrong.returncode == 1 and wrong.stdout == "", "what can't be rendered prints nothing")
    expect("control_plane_cuont" in first and len(first.encode()) <= 1024, f"the first line says it all: {first}")
    secret = {"secrets.management.application_credential_secret": CANARY, "secrets.form": CANARY, CANARY: CANARY}
    told = server.generate(repository, ".", named(cluster="prod-a", set={**secret, "control_plane_cuont": "5"}))
    expect(told.returncode == 1, "unknown keys are refused")
    del secret[CANARY], secret["secrets.form"]
    told = server.generate(repository, ".", named(cluster="prod-a", set={**secret, "flavor_control_plane":
                                                                       "${secrets.management.application_credential_secret}"}))
    expect(CANARY not in told.stdout + told.stderr, f"no secret is shown: {told.stderr}")
    expect(told.returncode == 1, "a secret outside of a Secret is refused")
    for parameters, wanted in (("{", "JSON array"), ('[{"string": "x"}]', "without `name`"),
                               (named(clutser="prod-a"), "did you mean `cluster`"), (named(cluster=["a"]), "expected `string`"),
                               (named(part="both"), "`part` takes"), ('[{"name": "values", "array": [1]}]', "strings"),
                               ('[{"name": "values", "array": {"a": "b"}}]', "must contain only strings"),
                               ('[{"name": "set", "map": ["a", "b"]}]', "must contain only strings"),
                               (named(cluster="prod-b"), "prod-a")):
        done = server.generate(repository, ".", parameters)
        expect(done.returncode == 2 and done.stdout == "" and wanted in done.stderr, f"{parameters}: {done.stderr}")


def check_own_templates(server, scratch):
    """The section `template` needs no option, and is found from any folder of the Application."""
    repository = pathlib.Path(scratch) / "own"
    for path, text in {"capwright.yaml": "template: {dir: jinja, main: main.j2}\n",
                       "values/a.yaml": "cluster_name: a\nsize: 1\n", "values/b.yaml": "cluster_name: b\nsize: 2\n",
                       "jinja/main.j2": "# FILE: clusters/{{ cluster_name }}/a.yaml\n"
                                        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
                                        "data: {size: \"{{ size }}\"}\n"}.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text)
    both = server.generate(repository, "values", more=["--all"])
    expect(both.returncode == 0 and 'size: "1"' in both.stdout and 'size: "2"' in both.stdout, f"both: {both.stderr}")
    one = server.generate(repository, ".", named(cluster="b", set={"size": "3"}))
    expect(files_of(one.stdout) == ["clusters/b/a.yaml"] and 'size: "3"' in one.stdout, f"one of them: {one.stderr}")
    part = server.generate(repository, "values", sent="values", more=["--all"])
    expect(part.returncode != 0 and part.stdout == "", "without capwright.yaml, there is no section")


def check_bounds(server, repository, scratch):
    """Files above the unpacked repository are never read."""
    stray = pathlib.Path(scratch) / "_cmp_server" / "capwright.yaml"
    stray.write_text("nonsense: true\n")
    expect(server.generate(repository, "values", named(cluster="prod-a")).returncode == 0, "nothing above is read")
    part = server.generate(repository, "deploy/edge/values", sent="deploy/edge", more=["--all"])
    expect("nonsense" not in part.stderr and part.returncode != 0, f"nor with a part of the repository: {part.stderr}")
    stray.unlink()


def main():
    with tempfile.TemporaryDirectory() as scratch:
        repository = pathlib.Path(scratch) / "repository"
        shutil.copytree(FLEET, repository)
        (repository / "more.yaml").write_text("flavor_control_plane: m1.tiny\n")
        (repository / "deploy" / "edge" / "values").mkdir(parents=True)
        server = Server(scratch)
        check_manifests(server, repository)
        check_refusals(server, repository)
        check_bounds(server, repository, scratch)
        check_own_templates(server, scratch)
        print(f"{server.count} requests, {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
