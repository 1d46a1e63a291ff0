#!/usr/bin/env python3
"""The schemas of `capwright schema print --for` accept every values file and layer of this repository, and report mistakes.

capwright's own validator checks them, and the Python package `jsonschema` if it is installed, as check-jsonschema and
editors would.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import yaml
except ImportError:
    jsonschema = yaml = None

CAPWRIGHT = os.environ["CAPWRIGHT"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_VALUES = {"capwright.yaml", "expect.yaml", "stdout.yaml", ".sops.yaml", "nodeadm.yaml"}  # the last is a resource

# Texts that the schema accepts, and those that it rejects, for `values` and `layer`.
VALID = {
    "references": "cluster_name: a\ncontrol_plane_count: ${extensions.count}\nkubernetes_type: ${extensions.type}\nnetwork: ${extensions.net}\n",
    "short forms": "cluster_name: a\nworker_count: 3\nflavor_worker: m1\naddons: [cilium, {id: loki}]\nextends: ../base.yaml\n",
    "nulls": "cluster_name: a\nnetwork: null\nworker_pools: null\napi_server: {port: null, allowed_cidrs: null}\nkubernetes_type: null\n",
    "a pool without a flavor": "cluster_name: a\nworker_pools: [{name: p, count: \"${extensions.n}\"}]\n",
    "sops": "cluster_name: a\ncontrol_plane_count: ENC[AES256_GCM,data:a,type:int]\nsops: {version: 3.9.0}\n",
}
INVALID = {
    "an unknown key": "cluster_name: a\nkubernetes_versoin: v1.35.8\n",
    "an unknown key below": "cluster_name: a\nnetwork: {node_cird: 10.0.0.0/8}\n",
    "a string for a number": "cluster_name: a\ncontrol_plane_count: three\n",
    "a word that isn't a choice": "cluster_name: a\nkubernetes_type: kubeadmn\n",
    "a malformed CIDR": "cluster_name: a\nnetwork: {node_cidr: 10.0.0.0}\n",
    "a list for a map": "cluster_name: a\nnetwork: []\n",
    "an item without its name": "cluster_name: a\nworker_pools: [{count: 1}]\n",
    "null in a list": "cluster_name: a\nworker_pools: [null]\n",
    "an add-on without an id": "cluster_name: a\naddons: [{version: 1.0.0}]\n",
}


def run(*arguments, folder=ROOT):
    return subprocess.run([CAPWRIGHT, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def print_schema(kind, template_set, folder=ROOT):
    printed = run("schema", "print", "--for", kind, "--template-set", template_set, folder=folder)
    if printed.returncode != 0:
        sys.exit(f"schema print --for {kind}: {printed.stderr}")
    return json.loads(printed.stdout)


def own_faults(schema, text):
    """What capwright's validator says of a file, as the values of a plain template folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "schema.json").write_text(json.dumps(schema))
        (folder / "main.j2").write_text("")
        (folder / "file.yaml").write_text(text)
        checked = run("values", "file.yaml", "--isolated", "--template-dir", ".", "--main", "main.j2", "--schema", "schema.json",
                      "--no-origin", folder=folder)
        return "" if checked.returncode == 0 else checked.stderr


def other_faults(schema, text):
    if jsonschema is None:
        return ""
    validator = jsonschema.Draft202012Validator(schema)
    return "\n".join(f"{error.json_path}: {error.message}" for error in validator.iter_errors(yaml.safe_load(text)))


def files():
    """(kind, template set, folder of its repository, path)"""
    for path in sorted(ROOT.glob("golden/*/*/*.yaml")):
        if path.name not in NOT_VALUES:
            folder = path.parent if (path.parent / "addons").is_dir() else ROOT  # whose add-ons have settings
            yield "values" if path.name == "values.yaml" else "layer", path.parents[1].name, folder, path
    for path in sorted(ROOT.glob("docs/tutorial/fleet/values/**/*.yaml")):
        yield "values", "capo", ROOT, path
    for path in sorted(ROOT.glob("docs/tutorial/fleet/layers/*.yaml")):
        yield "layer", "capo", ROOT, path
    for path in sorted(ROOT.glob("tests/e2e/fleet/layers/*.yaml")):
        yield "layer", "capd", ROOT / "tests/e2e/fleet", path


def main():
    failures, checked, schemas = [], 0, {}
    for kind, template_set, folder, path in files():
        key = kind, template_set, folder
        if key not in schemas:
            schemas[key] = print_schema(kind, template_set, folder)
            if jsonschema is not None:
                jsonschema.Draft202012Validator.check_schema(schemas[key])
        text = path.read_text()
        for faults in (own_faults(schemas[key], text), other_faults(schemas[key], text)):
            if faults:
                failures.append(f"{path.relative_to(ROOT)} against --for {kind}:\n{faults}")
        checked += 1
    for kind in ("values", "layer"):
        schema = print_schema(kind, "openstack")
        for name, text in VALID.items():
            for faults in (own_faults(schema, text), other_faults(schema, text)):
                if faults:
                    failures.append(f"--for {kind} rejects {name}:\n{faults}")
        for name, text in INVALID.items():
            judges = [own_faults(schema, text)] + ([other_faults(schema, text)] if jsonschema is not None else [])
            failures += [f"--for {kind} accepts {name}" for faults in judges if not faults]
        nameless = "kubernetes_version: v1.35.8\n"
        if bool(own_faults(schema, nameless)) != (kind == "values"):
            failures.append(f"--for {kind}: a file without `cluster_name` is judged wrongly")
    print("\n".join(failures))
    print(f"{checked} files, {2 * (len(VALID) + len(INVALID))} cases, {'with' if jsonschema else 'without'} jsonschema: "
          f"{len(failures)} failures")
    sys.exit(1 if failures or checked < 70 else 0)


if __name__ == "__main__":
    main()
