"""Folders, ports and versions of the laboratory."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCE = ROOT / "tests" / "e2e"
STATE = pathlib.Path(os.environ.get("CAPWRIGHT_E2E_STATE", ROOT / "build" / "e2e"))
BIN = STATE / "bin"
RUN = STATE / "run"
RESULTS = STATE / "results"
KUBECONFIG = RUN / "kubeconfig"
CAPWRIGHT = os.environ.get("CAPWRIGHT", str(ROOT / "build" / "release" / "capwright"))

# All ports are in a network namespace of the laboratory, so they can't collide with anything.
ETCD, API, DOCKER, REDIS, GIT, CHARTS, GITEA = 2379, 6443, 2375, 6379, 8880, 8879, 3000
REPOSITORY = f"http://127.0.0.1:{GIT}/clusters.git"  # also in fleet/layers/fleet.yaml


def module(folder, name, form="{{.Version}}"):
    """Version or folder of a module, as tests/e2e/go pins it."""
    return subprocess.run(["go", "list", "-mod=readonly", "-m", "-f", form, name], cwd=SOURCE / "go" / folder,
                          check=True, capture_output=True, text=True).stdout.strip()


def versions():
    text = subprocess.run(["etcd", "--version"], capture_output=True, text=True, check=True).stdout
    return {
        "Kubernetes": module("kubernetes", "k8s.io/kubernetes"),
        "etcd": "v" + text.split("\n")[0].split()[-1],
        "Cluster API": module("cluster-api", "sigs.k8s.io/cluster-api"),
        "Argo CD": module("argo-cd", "github.com/argoproj/argo-cd/v3"),
        "Helm": module("helm", "helm.sh/helm/v3"),
        "Gitea": module("gitea", "code.gitea.io/gitea"),
    }
