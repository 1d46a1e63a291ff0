#!/usr/bin/env python3
"""Findings in the output of the real kustomize lead to the line that people edit.

    CAPWRIGHT=build/release/capwright kustomize_test.py

Needs kustomize 5: the program that CAPWRIGHT_KUSTOMIZE names, or the one in PATH. With CAPWRIGHT_EFFORT=all, it is built as a Go
module. Every `replicas` of the case is an even number that occurs once, so each finding has one right line. Then each number is
changed in its file, and `plan` has to show the change.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CAPWRIGHT = pathlib.Path(os.environ["CAPWRIGHT"]).resolve()
MODULE = "sigs.k8s.io/kustomize/kustomize/v5@v5.7.1"
SKIPPED = 77

PLANES = """apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {{name: {name}, namespace: fleet}}
spec:
  replicas: {replicas}
  version: v1.35.1
"""
PATCH = """apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {{name: {name}, namespace: fleet}}
spec: {{replicas: {replicas}}}
"""
BASE = "resources: [planes.yaml]\nnameSuffix: -cp\n"
OVERLAY = """namePrefix: west-
resources: [../../base, own.yaml]
labels: [{pairs: {team: platform}}]
%s
patches:
  - path: merged.yaml
  - path: operations.yaml
    target: {kind: KubeadmControlPlane, name: operations-cp}
  - target: {kind: KubeadmControlPlane, name: inline-cp}
    patch: |-
      - op: replace
        path: /spec/replicas
        value: 8
  - patch: |-
      apiVersion: controlplane.cluster.x-k8s.io/v1beta2
      kind: KubeadmControlPlane
      metadata: {name: text-cp, namespace: fleet}
      spec:
        replicas: 10
"""
# The number that each object has in the output, by the file that sets it.
EXPECTED = {2: "base/planes.yaml", 4: "overlays/west/merged.yaml", 6: "overlays/west/operations.yaml",
            8: "overlays/west/kustomization.yaml", 10: "overlays/west/kustomization.yaml", 12: "overlays/west/own.yaml"}


def kustomize(folder):
    program = os.environ.get("CAPWRIGHT_KUSTOMIZE") or shutil.which("kustomize")
    if program:
        return program
    if os.environ.get("CAPWRIGHT_EFFORT") != "all" or not shutil.which("go"):
        print("kustomize isn't in PATH, and CAPWRIGHT_KUSTOMIZE doesn't name it")
        sys.exit(SKIPPED)
    subprocess.run(["go", "install", MODULE], check=True, env={**os.environ, "GOBIN": str(folder)})
    return str(folder / "kustomize")


def write(root, program, build_metadata):
    names = {"plain": 2, "merged": 3, "operations": 3, "inline": 3, "text": 3}
    files = {"base/kustomization.yaml": BASE,
             "base/planes.yaml": "---\n".join(PLANES.format(name=name, replicas=count) for name, count in names.items()),
             "overlays/west/kustomization.yaml": OVERLAY % build_metadata,
             "overlays/west/own.yaml": PLANES.format(name="own", replicas=12),
             "overlays/west/merged.yaml": PATCH.format(name="merged-cp", replicas=4),
             "overlays/west/operations.yaml": "- {op: replace, path: /spec/replicas, value: 6}\n",
             "capwright.yaml": "sources:\n  - name: west\n    command: [%s, build, overlays/west]\n"
                               "    inputs: [overlays/west, base]\n" % json.dumps(program)}
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def run(root, *arguments):
    return subprocess.run([CAPWRIGHT, *arguments], cwd=root, capture_output=True, text=True)


def findings(root):
    done = run(root, "lint", "--run-sources", "--select", "CAP401", "-f", "json")
    assert done.returncode == 1, done.stdout + done.stderr
    return json.loads(done.stdout)["findings"]


def check_lines(root):
    found = {}
    for finding in findings(root):
        path, number = finding["path"], finding["start"]["line"]
        line = (root / path).read_text().split("\n")[number - 1]
        count = int(re.match(r"\d+", finding["message"]).group())
        assert re.search(rf"(replicas|value): {count}\b", line), f"{path}:{number}: {line}"
        found[count] = path
    assert found == EXPECTED, found


def git(root, *arguments):
    subprocess.run(["git", "-c", "user.name=Team", "-c", "user.email=fleet@example.com", *arguments], cwd=root, check=True,
                   stdout=subprocess.DEVNULL)


def check_plan(root):
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    for count, path in EXPECTED.items():
        text = (root / path).read_text()
        (root / path).write_text(re.sub(rf"(replicas|value): {count}\b", rf"\1: {count + 1}", text))
    done = run(root, "plan", "--base", "HEAD", "--run-sources", "-f", "json")
    plan = json.loads(done.stdout)
    changed = {(int(action["from"]), int(action["to"])) for cluster in plan["clusters"] for action in cluster["actions"]}
    assert changed == {(count, count + 1) for count in EXPECTED}, done.stdout + done.stderr


def main():
    with tempfile.TemporaryDirectory() as scratch:
        program = kustomize(pathlib.Path(scratch))
        for number, build_metadata in enumerate(("", "buildMetadata: [originAnnotations]")):
            root = pathlib.Path(scratch) / f"repository-{number}"
            write(root, program, build_metadata)
            check_lines(root)
            check_plan(root)
    print(f"{len(EXPECTED)} findings at their lines, with and without origin annotations")


main()
