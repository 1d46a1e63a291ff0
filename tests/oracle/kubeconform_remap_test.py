#!/usr/bin/env python3
"""The real findings of kubeconform in a rendered tree, and the places where `capwright remap` reports them. kubeconform must
be on PATH, or set in KUBECONFORM; it reads the schemas of this test, without network access:

    go install github.com/yannh/kubeconform/cmd/kubeconform@latest
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CAPWRIGHT = os.environ["CAPWRIGHT"]
KUBECONFORM = os.environ.get("KUBECONFORM") or shutil.which("kubeconform")
SKIPPED = 77
PLAIN = ["--isolated", "--template-dir", "templates", "--main", "main.j2"]

TEMPLATE = """# FILE: clusters/{{ cluster_name }}/cluster.yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: "{{ cluster_name }}"}
spec:
  networkMTU: {{ mtu | tojson }}
  controlPlaneZones: [az1]
  managedSubnets:
    - dnsNameservers: [{{ dns | tojson }}]
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {generateName: "{{ cluster_name }}-"}
spec:
  "a/b~c": 1
---
apiVersion: example.com/v1
kind: Unknown
metadata: {name: "{{ cluster_name }}"}
"""
VALUES = {"a": 'cluster_name: a\nmtu: "1450"\ndns: 10.0.0.1\n', "b": "cluster_name: b\nmtu: 1450\ndns: 53\n"}
SCHEMA = {
    "type": "object",
    "properties": {"spec": {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "networkMTU": {"type": "integer"},
            "a/b~c": {"type": "string"},
            "managedSubnets": {"type": "array", "items": {
                "type": "object",
                "required": ["cidr"],
                "properties": {"dnsNameservers": {"type": "array", "items": {"type": "string"}}},
            }},
        },
    }},
}
# Path, line and column, message; a finding that both clusters have from one place of the template is listed once.
EXPECTED = [
    ("templates/main.j2", 7, 3, "additional properties 'controlPlaneZones' not allowed"),
    ("templates/main.j2", 9, 7, "missing property 'cidr'"),
    ("templates/main.j2", 15, 12, "got number, want string"),
    ("values/a.yaml", 1, 15, "could not find schema for Unknown"),
    ("values/a.yaml", 2, 7, "got string, want integer"),
    ("values/b.yaml", 1, 15, "could not find schema for Unknown"),
    ("values/b.yaml", 3, 6, "got number, want string"),
]


def run(command, folder, **options):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, **options)


def check(report, folder):
    done = run([CAPWRIGHT, "remap", "--from", "kubeconform-json", *PLAIN, "-q", "-f", "json"], folder, input=report)
    assert done.returncode == 1, (done.returncode, done.stderr)
    found = sorted((finding.get("path", ""), finding["start"]["line"], finding["start"]["column"], finding["message"])
                   for finding in json.loads(done.stdout)["findings"])
    for finding in found:
        if finding not in EXPECTED:
            print("not expected:", finding)
    for finding in EXPECTED:
        if finding not in found:
            print("not found:", finding)
    return found == EXPECTED


def main():
    if not KUBECONFORM:
        print("skipped: kubeconform is neither on PATH nor where KUBECONFORM says")
        return SKIPPED
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "templates").mkdir()
        (folder / "values").mkdir()
        (folder / "templates" / "main.j2").write_text(TEMPLATE)
        for name, text in VALUES.items():
            (folder / "values" / f"{name}.yaml").write_text(text)
        (folder / "openstackcluster.json").write_text(json.dumps(SCHEMA))
        assert run([CAPWRIGHT, "render", *PLAIN, "-q"], folder).returncode == 0
        location = ["-schema-location", "{{ .ResourceKind }}.json", "-output", "json"]
        of_files = run([KUBECONFORM, *location, "clusters"], folder)
        stream = run([CAPWRIGHT, "render", *PLAIN, "--stdout"], folder).stdout
        of_stream = run([KUBECONFORM, *location, "-"], folder, input=stream)
        assert of_files.stdout and of_stream.stdout, (of_files.stderr, of_stream.stderr)
        return 0 if check(of_files.stdout, folder) and check(of_stream.stdout, folder) else 1


if __name__ == "__main__":
    sys.exit(main())
