"""Adopts published manifests: the upstream templates of clusterctl that have a Cluster, and the example sets. Each set is
imported with `--prove`, and gets one of these results:

* proven: no machine is replaced, and nothing is created, deleted or recreated;
* differs: it is imported, and the plan names what would happen;
* refused: it isn't imported, for the reason that `import` reports.

Usage: import_upstream_test.py [--write] [PART]    environment: CAPWRIGHT names the program, CAPWRIGHT_SHARED the sets
--write records the results in import_upstream.json, PART runs the sets whose name has this part, and prints the reports.
Exit code 77 and a reason if the sets are missing.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "import_upstream.json"
FEWEST_SETS, FEWEST_PROVIDERS = 30, 5
SELECT_EVERY = 10 if os.environ.get("CAPWRIGHT_EFFORT") == "few" else 1  # all take half an hour with sanitizers

# Values that webhooks and schemas accept, by the begin of a variable's name; the first match counts.
VALUES = [
    ("CLUSTER_NAME", "demo"), ("NAMESPACE", "default"), ("KUBERNETES_VERSION", "v1.33.4"), ("RKE2_VERSION", "v1.33.4+rke2r1"),
    ("CONTROL_PLANE_MACHINE_COUNT", "3"), ("WORKER_MACHINE_COUNT", "2"), ("NODE_MACHINE_COUNT", "2"),
    ("AWS_REGION", "eu-west-1"), ("AWS_AVAILABILITY_ZONE", "eu-west-1a"), ("AVAILABILITY_ZONE_COUNT", "3"),
    ("AWS_CONTROL_PLANE_MACHINE_TYPE", "m5.large"), ("AWS_NODE_MACHINE_TYPE", "m5.xlarge"), ("AWS_AMI_ID", "ami-0a1b2c3d4e5f60718"),
    ("AWS_ACCOUNT_ID", "111122223333"), ("IMAGE_ID", "ami-0a1b2c3d4e5f60718"), ("CIDR_BLOCK", "10.0.0.0/16"),
    ("KUBE_PROXY_ADDON_VERSION", "v1.33.3-eksbuild.4"), ("VPC_ADDON_VERSION", "v1.20.1-eksbuild.3"), ("UPGRADE_POLICY", "standard"),
    ("OPENSHIFT_VERSION", "4.19.6"), ("OCI_COMPARTMENT_ID", "ocid1.compartment.oc1..aaaaaaaaexample"),
    ("OCI_IMAGE_ID", "ocid1.image.oc1.eu-frankfurt-1.aaaaaaaaexample"),
    ("OCI_CONTROL_PLANE_IMAGE_ID", "ocid1.image.oc1.eu-frankfurt-1.aaaaaaaaexample"),
    ("OCI_NODE_IMAGE_ID", "ocid1.image.oc1.eu-frankfurt-1.aaaaaaaaexample"),
    ("OCI_MANAGED_NODE_IMAGE_ID", "ocid1.image.oc1.eu-frankfurt-1.aaaaaaaaexample"),
    ("OCI_WORKLOAD_REGION", "eu-frankfurt-1"), ("PEER_REGION_NAME", "uk-london-1"), ("OCI_SHAPE_MEMORY_IN_GBS", "16"),
    ("OCI_SHAPE_OCPUS", "2"), ("OCI_SHAPE", "VM.Standard.E5.Flex"), ("OCI_SSH_KEY", "ssh-ed25519 AAAAexample ops"),
    ("OPENSTACK_EXTERNAL_NETWORK_ID", "3f1c0f5e-6c3d-4c2a-9a26-7a9d0f6f1b11"),
    ("OPENSTACK_PUBLIC_NETWORK_ID", "3f1c0f5e-6c3d-4c2a-9a26-7a9d0f6f1b11"), ("OPENSTACK_DNS_NAMESERVERS", "10.10.0.53"),
    ("OPENSTACK_CLOUD_YAML_B64", "Y2xvdWRzOiB7fQ=="), ("OPENSTACK_CLOUD_CACERT_B64", "Cg=="), ("DNS_SERVER", "10.10.0.53"),
    ("REGISTRATION_VIP", "172.19.0.240"), ("CLUSTER_API_PORT", "6443"), ("CONTROL_PLANE_ENDPOINT_IP", "10.20.0.10"),
    ("PROVISIONING_NETWORK_IP_POOL_PREFIX", "24"), ("PUBLIC_NETWORK_IP_POOL_PREFIX", "24"),
    ("CIS_PROFILE", "cis"), ("POD_CIDR", "10.244.0.0/16"), ("SERVICE_CIDR", "10.96.0.0/12"),
]
PROVIDERS = {"OpenStack": "openstack", "AWS": "aws", "Azure": "azure", "OCI": "oci", "Docker": "docker", "Metal3": "metal3",
             "VSphere": "vsphere", "ROSA": "rosa"}
IS_CLUSTER = re.compile(r"^ *(?:- )?kind: Cluster$", re.M)


def value_of(name):
    return next((value for known, value in VALUES if name == known), "x-" + name.lower().replace("_", "-"))


def generated(case):
    """A set as people apply it: required variables have values, the others their defaults."""
    words = [word for name in case["required"] for word in ("--set", f"{name}={value_of(name)}")]
    run = subprocess.run([os.environ["CAPWRIGHT"], "clusterctl", "generate", "-", *words, "--isolated"],
                         input=case["template"].encode(), capture_output=True, check=True)
    return run.stdout.decode()


def sets(shared):
    """(name, text) of each set with a Cluster."""
    for line in (shared / "cases" / "clusterctl" / "dev.jsonl").open(encoding="utf-8"):
        case = json.loads(line)
        if IS_CLUSTER.search(case["template"]):
            yield case["id"], generated(case)
    for folder in sorted((shared / "examples").iterdir()):
        texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))] if folder.is_dir() else []
        whole = "\n---\n".join(texts)
        if IS_CLUSTER.search(whole):
            yield f"examples/{folder.name}", whole


def provider_of(text):
    found = re.search(r"^kind: (%s)\w*Cluster(?:Template)?$" % "|".join(PROVIDERS), text, re.M)
    return PROVIDERS[found[1]] if found else "other"


def result_of(text, shows=False):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "capwright.yaml").write_text("feature_gates: [BootstrapFormatIgnition]\n")  # one set has Ignition on AWS
        (path / "set.yaml").write_text(text, encoding="utf-8")
        command = [os.environ["CAPWRIGHT"], "import", "--prove", "--dry-run", "set.yaml"]
        run = subprocess.run([*command, "-f", "json"], cwd=path, capture_output=True, text=True, check=False)
        if shows:
            print(subprocess.run(command, cwd=path, capture_output=True, text=True, check=False).stdout)
    if run.returncode not in (0, 1):
        return {"result": "refused", "why": (run.stderr or run.stdout).removeprefix("error: ").split("\n")[0]}
    errors, actions, replaced = [], [], 0
    for cluster in json.loads(run.stdout)["clusters"]:
        errors += [cluster["error"]] if "error" in cluster else []
        actions += [f"{each['verb']} {each['target']}" for each in cluster.get("actions", [])
                    if each["verb"] not in ("in-place", "no-op")]
        replaced += cluster.get("replaced", 0)
    if errors:
        return {"result": "refused", "why": errors[0]}
    if actions:
        return {"result": "differs", "why": "; ".join(actions), "replaced": replaced}
    return {"result": "proven"}


def summary(results, providers):
    """{provider: {result: count}}"""
    counts = {}
    for name, result in results.items():
        counts.setdefault(providers[name], collections.Counter())[result["result"]] += 1
    return counts


def main():
    shared = pathlib.Path(os.environ.get("CAPWRIGHT_SHARED", HERE.parents[2] / "shared"))
    if not (shared / "cases" / "clusterctl" / "dev.jsonl").exists():
        print("skipped: the upstream templates are missing")
        return 77
    arguments = [word for word in sys.argv[1:] if word != "--write"]
    chosen = {name: text for name, text in sets(shared) if not arguments or arguments[0] in name}
    chosen = dict(list(chosen.items())[::SELECT_EVERY])
    providers = {name: provider_of(text) for name, text in chosen.items()}
    with concurrent.futures.ThreadPoolExecutor(1 if arguments else 2) as pool:
        results = dict(zip(chosen, pool.map(lambda text: result_of(text, bool(arguments)), chosen.values())))
    for name, result in results.items():
        print(f"{result['result']:8} {name}{': ' if 'why' in result else ''}{result.get('why', '')}")
    for provider, counts in sorted(summary(results, providers).items()):
        print(f"{provider:10}", ", ".join(f"{counts[word]} {word}" for word in ("proven", "differs", "refused")))
    total = collections.Counter(result["result"] for result in results.values())
    print(f"{len(results)} sets of {len(set(providers.values()))} providers: {total['proven']} proven, {total['differs']} differ, "
          f"{total['refused']} refused")
    if "--write" in sys.argv[1:]:
        RECORDED.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        return 0
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    wrong = [name for name, result in results.items() if recorded.get(name) != result]
    for name in wrong:
        print(f"another result than recorded: {name}\n  recorded {recorded.get(name)}\n  now      {results[name]}")
    if not arguments and SELECT_EVERY == 1 and (len(results) < FEWEST_SETS or len(set(providers.values())) < FEWEST_PROVIDERS):
        wrong.append("too few sets")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
