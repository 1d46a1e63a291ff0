#!/usr/bin/env python3
"""Findings in the output of the real Helm lead to the line that people edit.

    CAPWRIGHT=build/release/capwright helm_test.py

Needs Helm 3: the program that CAPWRIGHT_HELM names, or the one in PATH. With CAPWRIGHT_EFFORT=all, it is built as a Go module.
Every `replicas` of the chart is an even number that occurs once, so each finding has one right line: of a template, of the
chart's values or of the file of values that sets it last. A number that the chart computes leads to the template.
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
MODULE = "helm.sh/helm/v3/cmd/helm@v3.19.0"
SKIPPED = 77

PLANE = """---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata:
  name: {name}
  namespace: {{{{ .Release.Namespace }}}}
spec:
  replicas: {replicas}
  version: v1.35.1
"""
PLANES = {"literal": "2",
          "default": "{{ .Values.standard.replicas }}",
          "overridden": "{{ .Values.production.replicas }}",
          "piped": "{{ .Values.piped.replicas | default 1 }}",
          "computed": "{{ add .Values.base 7 }}"}
# A block of the values, as most charts print extra settings.
BLOCK = """---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata:
  name: block
  namespace: {{ .Release.Namespace }}
spec:
  {{- toYaml .Values.block | nindent 2 }}
"""
FILES = {
    "charts/capi/Chart.yaml": "apiVersion: v2\nname: capi\nversion: 1.0.0\n",
    "charts/capi/values.yaml": "base: 3\nstandard:\n  replicas: 4\nproduction:\n  replicas: 3\npiped:\n  replicas: 3\n"
                               "block:\n  version: v1.35.1\n  replicas: 14\n",
    "charts/capi/templates/planes.yaml": "".join(PLANE.format(name=name, replicas=count) for name, count in PLANES.items()),
    "charts/capi/templates/block.yaml": BLOCK,
    "values/common.yaml": "production:\n  replicas: 5\npiped:\n  replicas: 8\n",
    "values/prod.yaml": "production:\n  replicas: 6\n",
}
# The number that each object has in the output, by the file that sets it.
COMPUTED = 10
EXPECTED = {2: "charts/capi/templates/planes.yaml", 4: "charts/capi/values.yaml", 6: "values/prod.yaml",
            8: "values/common.yaml", COMPUTED: "charts/capi/templates/planes.yaml", 14: "charts/capi/values.yaml"}


def helm(folder):
    program = os.environ.get("CAPWRIGHT_HELM") or shutil.which("helm")
    if program:
        return program
    if os.environ.get("CAPWRIGHT_EFFORT") != "all" or not shutil.which("go"):
        print("helm isn't in PATH, and CAPWRIGHT_HELM doesn't name it")
        sys.exit(SKIPPED)
    subprocess.run(["go", "install", MODULE], check=True, env={**os.environ, "GOBIN": str(folder)})
    return str(folder / "helm")


def write(root, program):
    command = [program, "template", "prod", "charts/capi", "-n", "fleet", "-f", "values/common.yaml", "-f", "values/prod.yaml"]
    config = f"sources:\n  - name: prod\n    command: {json.dumps(command)}\n    inputs: [charts/capi, values]\n"
    for path, text in {**FILES, "capwright.yaml": config}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def run(root, *arguments):
    return subprocess.run([CAPWRIGHT, *arguments], cwd=root, capture_output=True, text=True)


def check_lines(root):
    done = run(root, "lint", "--run-sources", "--select", "CAP401", "-f", "json")
    assert done.returncode == 1, done.stdout + done.stderr
    found = {}
    for finding in json.loads(done.stdout)["findings"]:
        path, number = finding["path"], finding["start"]["line"]
        count = int(re.match(r"\d+", finding["message"]).group())
        line = (root / path).read_text().split("\n")[number - 1]
        wanted = r"add \.Values\.base" if count == COMPUTED else rf"replicas: {count}\b"
        assert re.search(wanted, line), f"{path}:{number}: {line}"
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
        wanted, edit = (r"\b7 }}", "8 }}") if count == COMPUTED else (rf"replicas: {count}\b", f"replicas: {count + 1}")
        (root / path).write_text(re.sub(wanted, edit, text))
    plan = json.loads(run(root, "plan", "--base", "HEAD", "--run-sources", "-f", "json").stdout)
    changed = {(int(action["from"]), int(action["to"])) for cluster in plan["clusters"] for action in cluster["actions"]}
    assert changed == {(count, count + 1) for count in EXPECTED}, changed


def main():
    with tempfile.TemporaryDirectory() as scratch:
        program = helm(pathlib.Path(scratch))
        root = pathlib.Path(scratch) / "repository"
        write(root, program)
        check_lines(root)
        check_plan(root)
    print(f"{len(EXPECTED)} findings at the line to edit")


main()
