#!/usr/bin/env python3
"""Compares `capwright inventory` with a real ansible-core, which must be on PATH:

    python3 -m venv DIR && DIR/bin/pip install ansible-core
    PATH=DIR/bin:$PATH ./dev test -R ansible_inventory

Random clusters: `-f json` must be what `ansible-inventory --list` prints for the file of `-f yaml`.
"""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

CAPWRIGHT = os.environ["CAPWRIGHT"]
SKIPPED = 77
CLUSTERS = 12
LAYER = {
    "provider": "openstack", "kubernetes_type": "kubeadm", "kubernetes_version": "v1.35.8", "image_name": "ubuntu",
    "control_plane_count": 3, "flavor_control_plane": "m1.large", "create_korc_resources": True, "addons": ["cilium"],
    "openstack": {"auth_url": "https://keystone.example.com:5000/v3", "region": "RegionOne"},
    "network": {"external_network_id": "3f1c0f5e-6c3d-4c2a-9a26-7a9d0f6f1b11", "node_cidr": "10.6.0.0/24"},
    "secrets": {"store": {"name": "vault"}}, "argocd": {"repo_url": "https://git.example.com/clusters.git"},
}
TEXTS = ["ubuntu", "yes", "0x1F", "1e3", "~", "a: b", "{{ not_a_template", "über", "two\nlines", " padded ", "", "# no comment"]


def value(rng, depth=0):
    kind = rng.randrange(6 if depth < 2 else 4)
    if kind == 0:
        return rng.choice(TEXTS)
    if kind < 3:
        return rng.choice([True, False, 0, -7, 1.5, 10**12])
    if kind == 3:
        return rng.choice(["10.0.0.1", "2026-11-26", "012"])
    if kind == 4:
        return [value(rng, depth + 1) for _ in range(rng.randrange(3))]
    return {f"key_{i}": value(rng, depth + 1) for i in range(rng.randrange(3))}


def hosts(rng, pool):
    return {f"{pool}-{i}": rng.choice([{}, {"ansible_host": f"10.6.0.{i + 10}", "extra": value(rng)}])
            for i in range(rng.randrange(3))}


def cluster(rng):
    pools = rng.sample(["general", "gpu-large", "batch", "edge"], rng.randrange(4))
    own = {"control-plane": hosts(rng, "control-plane")}
    own |= {pool: hosts(rng, pool) for pool in pools if rng.random() < 0.7}
    extensions = {"networking": {"kubeNetworkPlugin": "flannel"}, "loadBalancers": {"master": {"vip": "10.6.0.5"}}}
    return LAYER | {
        "cluster_name": "prod-a",
        "openstack": LAYER["openstack"] | ({"extensions": extensions} if rng.random() < 0.5 else {}),
        "worker_pools": [{"name": name, "flavor": "m1.large", "count": 1, "labels": {"example.com/pool": name}}
                         for name in pools],
        "inventory": {"hosts": own, "vars": {f"var_{i}": value(rng) for i in range(rng.randrange(4))}},
    }


def main():
    if shutil.which("ansible-inventory") is None:
        print("skipped: no `ansible-inventory` on PATH; it is in the package ansible-core of PyPI")
        return SKIPPED
    rng = random.Random(20261126)
    for number in range(CLUSTERS):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "prod-a.json").write_text(json.dumps(cluster(rng)))
            run = [CAPWRIGHT, "inventory", "prod-a.json", "--isolated"]
            hosts_file = folder / "hosts.yaml"
            hosts_file.write_bytes(subprocess.run(run, cwd=folder, check=True, capture_output=True).stdout)
            ours = json.loads(subprocess.run([*run, "-f", "json"], cwd=folder, check=True, capture_output=True).stdout)
            command = ["ansible-inventory", "-i", hosts_file, "--list"]
            theirs = json.loads(subprocess.run(command, cwd=folder, check=True, capture_output=True,
                                               env=dict(os.environ, HOME=str(folder))).stdout)
            theirs["_meta"].pop("profile", None)  # of ansible-core 2.19: how its own programs read the JSON
            assert ours == theirs, f"cluster {number}:\nours   {json.dumps(ours)}\ntheirs {json.dumps(theirs)}"
    print(f"{CLUSTERS} clusters: the same hosts, groups and variables")
    return 0


sys.exit(main())
