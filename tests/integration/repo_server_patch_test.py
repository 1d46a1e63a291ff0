#!/usr/bin/env python3
"""Applies what `capwright argocd repo-server-patch` prints to the manifests of a real Argo CD with a real kustomize:

    GOBIN=DIR go install sigs.k8s.io/kustomize/kustomize/v5@v5.8.0
    PATH=DIR:$PATH ./dev test -R repo_server_patch

The manifests are a part of the Go module that the laboratory builds Argo CD from. The values for the chart `argo-cd` are the
same container in the chart's keys; the chart itself is in no package registry."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CAPWRIGHT = os.environ["CAPWRIGHT"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
KUSTOMIZATION = """namespace: argocd
resources: [install.yaml]
patches:
  - path: capwright.yaml
"""


def manifests():
    """Argo CD's install.yaml, or None without Go or without the module in its cache."""
    if shutil.which("go") is None:
        return None
    command = ["go", "list", "-m", "-f", "{{.Dir}}", "github.com/argoproj/argo-cd/v3"]
    run = subprocess.run(command, cwd=ROOT / "tests" / "e2e" / "go" / "argo-cd", capture_output=True, text=True, check=False,
                         env=dict(os.environ, GOFLAGS="-mod=readonly", GOPROXY="off"))
    path = pathlib.Path(run.stdout.strip(), "manifests", "install.yaml")
    return path if run.stdout.strip() and path.exists() else None


def printed(form):
    command = [CAPWRIGHT, "argocd", "repo-server-patch", "--isolated", "--image", "registry.example.com/tools/capwright:v0.1.0"]
    return subprocess.run([*command, *form], check=True, capture_output=True, text=True).stdout


def main():
    if shutil.which("kustomize") is None:
        print("skipped: no `kustomize` on PATH; it is the Go module sigs.k8s.io/kustomize/kustomize/v5")
        return SKIPPED
    try:
        import yaml
    except ImportError:
        print("skipped: no Python package `yaml` (python3-yaml)")
        return SKIPPED
    source = manifests()
    if source is None:
        print("skipped: the module github.com/argoproj/argo-cd/v3 isn't in Go's cache; `./dev e2e up` downloads it")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "install.yaml").write_bytes(source.read_bytes())
        (folder / "capwright.yaml").write_text(printed([]))
        (folder / "kustomization.yaml").write_text(KUSTOMIZATION)
        built = subprocess.run(["kustomize", "build", folder], check=True, capture_output=True, text=True).stdout
    server = next(item for item in yaml.safe_load_all(built) if item["metadata"]["name"] == "argocd-repo-server"
                  and item["kind"] == "Deployment")
    spec = server["spec"]["template"]["spec"]
    sidecars = {container["name"]: container for container in spec["containers"]}
    assert sorted(sidecars) == ["argocd-repo-server", "capwright"], sorted(sidecars)
    volumes = {volume["name"] for volume in spec["volumes"]}
    for mount in sidecars["capwright"]["volumeMounts"]:
        assert mount["name"] in volumes, f"`{mount['name']}` isn't a volume of Argo CD's repo server"
    values = yaml.safe_load(printed(["-f", "values"]))["repoServer"]
    assert values["extraContainers"] == [sidecars["capwright"]], values
    assert {volume["name"] for volume in values["volumes"]} <= volumes
    print("kustomize adds the sidecar and its volume; the chart's values have the same container")
    return 0


sys.exit(main())
