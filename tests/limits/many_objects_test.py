"""Manifests with very many objects: time grows linearly with their number, not quadratically."""

import pathlib
import statistics
import tempfile

import streams
from bounded import MIB, Checks, run

SECONDS = 30  # for the slowest build; an optimized one takes a tenth
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
ADDONS = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: ccm-{number}}}
spec:
  sources:
    - {{chart: openstack-cloud-controller-manager, repoURL: https://charts.example.com, targetRevision: 2.34.1,
       helm: {{valueFiles: [$values/clusters/c{number}/addons/ccm/values.yaml]}}}}
  destination: {{name: c{number}}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: csi-{number}}}
spec:
  sources: [{{chart: openstack-cinder-csi, repoURL: https://charts.example.com, targetRevision: 2.34.1}}]
  destination: {{name: c{number}}}
---
"""
WORKLOAD_CLUSTER = "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: prod}\n---\n"
ADDONS_OF_ONE = ADDONS.replace("c{number}", "prod")
CONTROL_PLANE = """kind: RKE2ControlPlane
metadata: {{name: control-plane-{number}}}
spec: {{replicas: 2, serverConfig: {{unknown: {number}}}}}
---
"""
SECRET = """apiVersion: v1
kind: Secret
metadata: {{name: secret-{number}}}
stringData: {{password: Xk2{number:05}v}}
---
"""
SUPPRESSED = "kind: RKE2ControlPlane\nspec:\n  replicas: 2 # capwright: ignore=CAP401 -- an exercise\n---\n"
COPY = """apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {kind: RKE2ControlPlane, name: prod}, infrastructureRef: {kind: OpenStackCluster, name: prod}}
---
kind: OpenStackCluster
metadata: {name: prod}
---
kind: RKE2ControlPlane
metadata: {name: prod}
spec: {replicas: 3}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: prod-md-0}
spec: {clusterName: prod, replicas: 2}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: {name: prod-workers}
spec:
  clusterName: prod
  selector: {matchLabels: {cluster.x-k8s.io/deployment-name: prod-md-0}}
  remediation: {triggerIf: {unhealthyLessThanOrEqualTo: 40%}}
---
"""
SELECTED = """apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {{name: c{number}, labels: {{cni: c{number}}}}}
---
apiVersion: addons.cluster.x-k8s.io/v1beta2
kind: ClusterResourceSet
metadata: {{name: set-{number}}}
spec: {{clusterSelector: {{matchLabels: {{cni: c{number}}}}}}}
---
"""
WATCHED = """apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {{name: pool-{number}}}
spec: {{clusterName: prod}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: {{name: check-{number}}}
spec: {{clusterName: prod, selector: {{matchLabels: {{cluster.x-k8s.io/deployment-name: pool-{number}}}}}}}
---
"""
ONE_OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: tokens}\n"
TOKEN = "ghp_" + 36 * "a"


def many(count, form):
    return "".join(form.format(number=number, replicas=1) for number in range(count))


def secret_file(text):
    return f"apiVersion: v1\nkind: Secret\nmetadata: {{name: a}}\nstringData:\n  a.conf: '{text}'\n"


CASES = {
    "comments in a row": "# capwright: ignore=CAP401 -- a reason\n" * 20_000 + "kind: A\n",
    "comments beside findings": "kind: RKE2ControlPlane\nspec:\n  replicas: 2 # capwright: ignore=CAP999 -- x\n---\n" * 500,
    "documents": "kind: A\n---\n" * 20_000,
    "objects of one name": "kind: A\nmetadata: {name: a}\n---\n" * 4_000,
    "pools and their health checks": many(500, HEALTH_CHECK + streams.POOL + "---\n"),
    "applications": many(500, APPLICATION),
    "settings on one line": secret_file("password: ${A}; " * 20_000),
    "keys of JSON on one line": secret_file("{" + many(60_000, '"key-{number}": 0, ') + '"last": 0}'),
    "tags of a setting": secret_file("password: " + "! " * 200_000),
}
# Texts with this number of findings. Twice as many may take somewhat more than twice as long.
FINDINGS = {
    "in many objects": lambda count: many(count // 2, CONTROL_PLANE),
    "in one object": lambda count: ONE_OBJECT + "data:\n" + many(count, f"  token-{{number}}: {TOKEN}\n"),
    "on one line": lambda count: ONE_OBJECT + "data: {" + many(count, f"token-{{number}}: {TOKEN}, ") + "}\n",
    "in add-ons of many clusters": lambda count: many(count // 2, ADDONS),
    "in clusters of one name": lambda count: WORKLOAD_CLUSTER * 2 * count,
    "in copies of a cluster": lambda count: COPY * (count // 6),
    "in add-ons of one cluster": lambda count: many(count // 2, ADDONS_OF_ONE),
    "in secrets": lambda count: many(count, SECRET),
    "that are taken back": lambda count: SUPPRESSED * count,
}
# The same for links that `graph` draws.
LINKS = {
    "of ClusterResourceSets": lambda count: many(count, SELECTED),
    "of health checks": lambda count: WORKLOAD_CLUSTER + many(count, WATCHED),
}
FEW, MANY, GROWTH = 1_500, 12_000, 20  # 8 is linear, 64 is the square


def seconds_for(text, folder, command="lint", form="concise"):
    (folder / "many.yaml").write_text(text)
    took = run(command, "many.yaml", "--isolated", "--format", form, cwd=folder)
    return took, took.cpu_seconds


def check_growth(check, folder, what, text_of, *command):
    few = statistics.median(seconds_for(text_of(FEW), folder, *command)[1] for _ in range(3))  # so short a time varies
    took, all_of_them = seconds_for(text_of(MANY), folder, *command)
    check(took.code in (0, 1) and all_of_them < GROWTH * few, f"{MANY} {what} after {few:.2f} s for {FEW}", took)


def unknown_keys(count):
    """Values with unknown keys; each is looked up in the whole schema."""
    return "cluster_name: prod\nprovider: openstack\n" + many(count, "unlike-{number}-any: 1\n")


def check_values(check, folder):
    (folder / "values").mkdir()
    (folder / "capwright.yaml").write_text("{}\n")
    seconds = {}
    for count in (FEW, MANY):
        (folder / "values" / "prod.yaml").write_text(unknown_keys(count))
        took = run("render", "--check", "--format", "concise", cwd=folder)
        seconds[count] = took.cpu_seconds
    check(took.code == 1 and seconds[MANY] < GROWTH * seconds[FEW], f"unknown keys: {seconds}", took)


def check_patched_list(check, folder):
    """A patch adds an item to a list, which is compared with the list before."""
    (folder / "values").mkdir(parents=True)
    (folder / "jinja").mkdir()
    (folder / "values" / "prod.yaml").write_text("cluster_name: prod\n")
    (folder / "capwright.yaml").write_text(
        "template: {dir: jinja, main: main.j2}\n"
        "patches: [{target: {kind: A}, patch: [{op: add, path: /spec/items/-, value: last}]}]\n")
    seconds = {}
    for count in (FEW, MANY):
        items = many(count, "item-{number}, ")
        (folder / "jinja" / "main.j2").write_text(
            f"# FILE: clusters/prod/a.yaml\napiVersion: v1\nkind: A\nmetadata: {{name: a}}\nspec: {{items: [{items}]}}\n")
        took = run("render", "--check", "--format", "concise", cwd=folder)
        seconds[count] = took.cpu_seconds
    check(took.code == 1 and seconds[MANY] < GROWTH * seconds[FEW], f"items of a patched list: {seconds}", took)


def main():
    check = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for what, text in CASES.items():
            (folder / "many.yaml").write_text(text)
            took = run("lint", "many.yaml", "--isolated", "--statistics", cwd=folder)
            check(took.code in (0, 1) and took.cpu_seconds < SECONDS and took.memory < MEMORY, f"many {what}", took)
        for what, text_of in FINDINGS.items():
            check_growth(check, folder, f"findings {what}", text_of)
        for what, text_of in LINKS.items():
            check_growth(check, folder, f"links {what}", text_of, "graph", "json")
        check_values(check, folder)
        check_patched_list(check, folder / "patched")
    check.finish(f"{len(CASES)} kinds of many objects, {len(FINDINGS)} of many findings and {len(LINKS)} of links are bounded")


main()
