#!/usr/bin/env python3
"""Golden cases, which experts have approved, have no lint errors, neither rendered from their values nor as trees.

    CAPWRIGHT=build/dev/capwright lint_test.py [CASE...]
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from render_case import GOLDEN, capwright, copy_inputs

# Cases whose values deliberately violate a rule: {case: {code}}.
KNOWN = {
    # Credentials that aren't sealed yet: only the cluster's owner can seal them.
    "capa/hardened-kubeadm": {"CAP705"},
    "capa/secrets-sealed": {"CAP705"},
    "capo/secrets-sealed": {"CAP705"},
    "capoci/private-existing-network-oke": {"CAP705"},
    "capoci/secrets-sealed": {"CAP705"},
    # The API server rejects an edge zone unless a feature gate of the provider is on.
    "capz/network-options-kubeadm": {"K409"},
    "capz/private-existing-network-aks": {"CAP705"},
    "capz/secrets-sealed": {"CAP705"},
}


def lint(folder, *arguments):
    """The findings in the JSON output of a run."""
    command = [capwright(), "lint", *arguments, "-f", "json", "-q"]
    # If `CI` is set, plain-text secrets are rejected before lint runs.
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        sys.exit(f"{' '.join(command)} in {folder}: {done.stderr}")
    return json.loads(done.stdout)["findings"]


def runs(case, folder):
    """Arguments of each run over a case."""
    credentials = folder / "credentials.yaml"
    yield ["values.yaml"] + (["--values", "credentials.yaml"] if credentials.exists() else [])
    # For plain-text secrets, the stored tree has placeholders.
    if (case / "clusters").exists() and not (case / "stdout.yaml").exists():
        yield [str(case / "clusters")]


def faults_of(case):
    name = f"{case.parent.name}/{case.name}"
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "case"
        copy_inputs(case, folder)
        for arguments in runs(case, folder):
            for finding in lint(folder, *arguments):
                if finding["severity"] == "error" and finding["code"] not in KNOWN.get(name, ()):
                    yield f"{name}: {finding.get('path', '')}:{finding.get('start', {}).get('line', 0)}: " \
                          f"{finding['code']} {finding['message']}"


def main():
    cases = [pathlib.Path(given).resolve() for given in sys.argv[1:]]
    cases = cases or sorted(path.parent for path in GOLDEN.glob("*/*/capwright.yaml"))
    faults = [fault for case in cases for fault in faults_of(case)]
    print("\n".join([*faults, f"{len(cases)} golden cases, {len(faults)} errors"]))
    sys.exit(1 if faults or not cases else 0)


main()
