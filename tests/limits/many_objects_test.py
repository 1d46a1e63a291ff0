"""Manifests with very many of everything: what they take grows with their number, not with its square."""

import pathlib
import tempfile

import streams
from bounded import MIB, Checks, run

SECONDS = 30  # of the slowest build; an optimized one takes a tenth
MEMORY = 256 * MIB
HEALTH_CHECK = """apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: {{name: check-{number}}}
spec: {{clusterName: prod, selector: {{matchLabels: {{pool: pool-{number}}}}}}}
---
"""
APPLICATION = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: application-{number}}}
spec: {{source: {{chart: cilium, repoURL: https://charts.example.com, targetRevision: 1.16.1}}, destination: {{}}}}
---
"""


def many(count, form):
    return "".join(form.format(number=number, replicas=1) for number in range(count))


CASES = {
    "comments in a row": "# capwright: ignore=CAP401 -- a reason\n" * 20_000 + "kind: A\n",
    "comments beside findings": "kind: RKE2ControlPlane\nspec:\n  replicas: 2 # capwright: ignore=CAP999 -- x\n---\n" * 500,
    "documents": "kind: A\n---\n" * 20_000,
    "objects of one name": "kind: A\nmetadata: {name: a}\n---\n" * 4_000,
    "pools and their health checks": many(500, HEALTH_CHECK + streams.POOL + "---\n"),
    "applications": many(500, APPLICATION),
}


def main():
    check = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for what, text in CASES.items():
            (folder / "many.yaml").write_text(text)
            took = run("lint", "many.yaml", "--isolated", "--statistics", cwd=folder)
            check(took.code in (0, 1) and took.cpu_seconds < SECONDS and took.memory < MEMORY, f"many {what}", took)
    check.finish(f"{len(CASES)} kinds of many objects are bounded")


main()
