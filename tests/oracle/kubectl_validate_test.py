#!/usr/bin/env python3
"""The API server's code accepts every manifest of every golden tree, including CEL rules.

Needs kubectl-validate (Go module sigs.k8s.io/kubectl-validate) in PATH or GOBIN, and the CRDs of $CAPWRIGHT_SHARED/crds.
Without them it is skipped, unless CAPWRIGHT_KUBECTL_VALIDATE=1 is set.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CRDS = pathlib.Path(os.environ.get("CAPWRIGHT_SHARED", ROOT.parent / "shared")) / "crds"
PROVIDERS = ("argocd", "capa", "capd", "capi", "capi-kubeadm", "capo", "capoci", "capz", "k3s", "orc", "rke2")
KUBERNETES = "1.30"
SKIPPED = 77
# Of Flux and of Cluster API's provider for Helm: $CAPWRIGHT_SHARED/crds lacks them, so capwright's own schemas check these.
WITHOUT_CRDS_MESSAGE = "failed to locate OpenAPI spec for GV: "
WITHOUT_CRDS = ("addons.cluster.x-k8s.io/v1alpha1", "helm.toolkit.fluxcd.io/v2", "source.toolkit.fluxcd.io/v1")


def skip(reason):
    if os.environ.get("CAPWRIGHT_KUBECTL_VALIDATE") == "1":
        sys.exit(f"asked for, but {reason}")
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def program():
    folders = [os.environ.get("PATH", ""), os.environ.get("GOBIN", ""), str(pathlib.Path.home() / "go" / "bin")]
    return shutil.which("kubectl-validate", path=os.pathsep.join(filter(None, folders)))


def crd_folders():
    """The CRDs of each provider's newest release (pre-releases have a second dash), and of Sealed Secrets."""
    folders = []
    for provider in PROVIDERS:
        releases = [path for path in CRDS.glob(f"{provider}-v*") if "-" not in path.name.removeprefix(f"{provider}-")]
        if not releases:
            skip(f"there are no CRDs of {provider}")
        folders.append(max(releases, key=lambda path: [int(part) for part in path.name.rsplit("-v", 1)[1].split(".")]))
    return [*folders, CRDS / "secrets"]


def manifests():
    """All rendered files and streams, except for values of add-ons and files encrypted by `sops`, which aren't manifests."""
    golden, tutorial = ROOT / "golden", ROOT / "docs" / "tutorial"
    trees = [*golden.glob("*/*/clusters/**/*.yaml"), *tutorial.glob("*/clusters/**/*.yaml")]
    trees = [path for path in trees if path.name != "values.yaml" and b"\nsops:\n" not in path.read_bytes()]
    return sorted([*trees, *golden.glob("*/*/stdout.yaml")])


def faults_of(status):
    """The messages of one document; empty if it is accepted."""
    if status.get("status") == "Success":
        return []
    causes = (status.get("details") or {}).get("causes") or [{"message": status.get("message", "refused")}]
    faults = [" ".join(filter(None, (cause.get("field"), cause.get("message")))) for cause in causes]
    return [fault for fault in faults if not is_unchecked(fault)]


def is_unchecked(fault):
    return any(fault.endswith(WITHOUT_CRDS_MESSAGE + version) for version in WITHOUT_CRDS)


def main():
    validate = program()
    if validate is None:
        skip("kubectl-validate is not installed")
    if not CRDS.is_dir():
        skip("$CAPWRIGHT_SHARED/crds is not there")
    files = manifests()
    command = [validate, "--version", KUBERNETES, "--output", "json",
               *(argument for folder in crd_folders() for argument in ("--local-crds", str(folder))), *map(str, files)]
    process = subprocess.run(command, capture_output=True, text=True)
    try:
        results = json.loads(process.stdout)
    except json.JSONDecodeError:
        sys.exit(f"kubectl-validate printed no JSON:\n{process.stderr}")
    faults = [f"{pathlib.Path(path).relative_to(ROOT)}: {fault}"
              for path, documents in sorted(results.items()) for status in documents for fault in faults_of(status)]
    documents = sum(len(of_file) for of_file in results.values())
    print("".join(f"{fault}\n" for fault in faults), end="")
    unchecked = sum(WITHOUT_CRDS_MESSAGE in json.dumps(status) for of_file in results.values() for status in of_file)
    print(f"{documents} manifests in {len(files)} files, {unchecked} of them without a CRD, {len(faults)} faults")
    sys.exit(1 if faults or documents < len(files) else 0)


if __name__ == "__main__":
    main()
