"""A fleet is linted cluster by cluster: the memory for each one is little more than its text, and rules about several
clusters have the same findings as in a fleet of only the affected clusters."""

import pathlib
import re
import shutil
import tempfile

import streams
from bounded import Checks, run

CLUSTERS, FEW = 450, 150  # more than any run keeps open
MOST_BYTES = 5  # of memory per byte of text; objects with their places take about fifteen
NETWORK = """apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {{name: {name}}}
spec:
  infrastructureRef: {{apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackCluster, name: {name}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {{name: {name}}}
spec:
  router: {{id: 0c5b7a8e-94f2-4f0a-9d0b-6f0a3d8e2b47}}
  managedSubnets: [{{cidr: {cidr}}}]
"""
TWICE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice, namespace: all}\n"
# By cluster: the clusters that affect each other.
SAME_ADDRESSES = {40: "10.200.0.0/22", 120: "10.200.1.0/24", 430: "10.200.0.0/16"}
SAME_OBJECT = (60, 350)


def name_of(number):
    return f"c{number:04}"


def write_cluster(root, number):
    folder = root / "clusters" / name_of(number)
    folder.mkdir(parents=True)
    cidr = SAME_ADDRESSES.get(number, f"10.{number // 250}.{number % 250}.0/24")
    (folder / "cluster.yaml").write_text(NETWORK.format(name=name_of(number), cidr=cidr))
    pools = (streams.POOL.format(number=f"{number}-{pool}", replicas=3) for pool in range(24))
    (folder / "pools.yaml").write_text("---\n".join(pools))
    if number in SAME_OBJECT:
        (folder / "twice.yaml").write_text(TWICE)
    return sum(file.stat().st_size for file in folder.iterdir())


def lint(root, *form):
    return run("lint", "clusters", "--isolated", "--select", "CAP211,CAP311", "--exit-zero", "-j", "2", *form, cwd=root)


def about_fleet(took):
    return sorted(line for line in took.out.splitlines() if re.search(r"\[CAP(211|311)\]", line))


def main():
    check = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        fleet, small, some = (pathlib.Path(scratch) / name for name in ("fleet", "small", "some"))
        size = sum(write_cluster(fleet, number) for number in range(CLUSTERS))
        small_size = sum(write_cluster(small, number) for number in range(FEW))
        for number in sorted({*SAME_ADDRESSES, *SAME_OBJECT}):
            shutil.copytree(fleet / "clusters" / name_of(number), some / "clusters" / name_of(number))

        large, few = lint(fleet, "--statistics"), lint(small, "--statistics")
        grown = large.memory - few.memory
        check(grown < MOST_BYTES * (size - small_size), f"{grown / (size - small_size):.1f} bytes for a byte", large)

        everything, alone = lint(fleet, "-f", "concise"), lint(some, "-f", "concise")
        check(len(about_fleet(alone)) == 4, "three clusters overlap, and two have an object of one name", alone)
        check(about_fleet(everything) == about_fleet(alone), "clusters are judged as if they were alone", everything)
    check.finish(f"{CLUSTERS} clusters are linted one after the other")


main()
