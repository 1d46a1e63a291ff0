"""A stream above the size limit of files is linted in bounded memory, with the lines of the whole stream."""

import json
import pathlib
import re
import tempfile

import streams
from bounded import MIB, Checks, run

LONG = 70 * MIB  # Limits::input_bytes are 64
CODE, WORDS = "K405", "should be a non-negative integer"


def lines_of(text, name):
    return [int(line) for line in re.findall(rf"^{re.escape(name)}:(\d+):\d+: error\[{CODE}\]", text, re.M)]


def check_long(check, folder):
    with open(folder / "long.yaml", "w", encoding="ascii") as file:
        documents, mistakes = streams.bulk(LONG, file.write)
    said = f"{len(mistakes)} errors in {documents} documents"
    note = "document by document: rules about several objects don't run"

    took = run("lint", "long.yaml", "--isolated", "--format", "concise", cwd=folder)
    check(took.code == 1 and lines_of(took.out, "long.yaml") == mistakes, "a long file has its findings", took)
    check(said in took.err and note in took.err, "it is said what was looked at, and what wasn't", took)
    check(took.memory < 96 * MIB, "a long file takes little memory", took)

    with open(folder / "long.yaml", "rb") as stdin:
        took = run("lint", "-", "--isolated", "--format", "json", cwd=folder, stdin=stdin)
    found = [finding["start"]["line"] for finding in json.loads(took.out)["findings"]]
    check(took.code == 1 and found == mistakes, "findings in a form that is one document have the same lines", took)
    check(took.memory < 192 * MIB, "what is kept of standard input is no more than a file may have", took)

    took = run("lint", "long.yaml", "--isolated", "--statistics", "--exit-zero", "--quiet", cwd=folder)
    check(took.code == 0 and took.out.split()[:2] == [str(len(mistakes)), CODE], "findings are counted", took)

    (folder / "other.yaml").write_text(streams.POOL.format(number=1, replicas=3))
    took = run("lint", "long.yaml", "other.yaml", "--isolated", cwd=folder)
    check(took.code == 2 and "name it alone" in took.err, "a short file beside a long one is refused", took)


def check_like_short(check, folder):
    """The same documents, as a short stream and after a long one: the same findings, except those about other documents."""
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: A_b}\nstringData: {token: not-to-be-shown}\nstrange: 1\n"
    (folder / "short.yaml").write_text("---\n" + secret)
    short = run("lint", "short.yaml", "--isolated", "--format", "concise", cwd=folder)
    with open(folder / "long.yaml", "w", encoding="ascii") as file:
        _, places = streams.bulk(LONG, file.write, secret)
    long = run("lint", "long.yaml", "--isolated", "--format", "concise", cwd=folder)
    wanted = [(place - 2 + int(line), rest) for place in places
              for line, rest in re.findall(r"^short\.yaml:(\d+):(.*)$", short.out, re.M)]
    found = [(int(line), rest) for line, rest in re.findall(r"^long\.yaml:(\d+):(.*)$", long.out, re.M)]
    check(len(wanted) > len(places) and found == wanted, f"the same findings: {wanted[:3]} and {found[:3]}", long)
    for form in ("text", "sarif", "markdown"):
        took = run("lint", "long.yaml", "--isolated", "--format", form, cwd=folder)
        check(took.code == 1 and "not-to-be-shown" not in took.out + took.err, f"no secret is shown as {form}", took)


def check_loose_secrets(check, folder):
    """Keys and random passwords outside of Secrets are found and redacted as in a short file."""
    documents = """apiVersion: v1
kind: ConfigMap
metadata: {name: key, labels: {a: yes}}
data:
  k: ["-----BEGIN RSA PRIVATE KEY-----\\nMIIEnot-to-be-shown\\n-----END RSA PRIVATE KEY-----"]
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: RKE2Config
metadata: {name: registries}
spec: {privateRegistriesConfig: {configs: {a: {auth: {password: Xk29vLq8ZtR4mW-not-to-be-shown}}}}}
---
apiVersion: v1
kind: Secret
metadata:
  name: applied
  annotations: {Bad_key!: a, kubectl.kubernetes.io/last-applied-configuration: '{"kind": "Secret", "data": {"a": "bm90LXRvLWJlLXNob3du"}}'}
data: {a: "${A}"}
"""
    (folder / "short.yaml").write_text(documents)
    with open(folder / "long.yaml", "w", encoding="ascii") as file:
        file.write(documents + "---\n")
        streams.bulk(LONG, file.write)
    short = run("lint", "short.yaml", "--isolated", "--format", "concise", cwd=folder)
    codes = {code: short.out.count(f"[{code}]") for code in ("CAP101", "CAP703", "CAP707", "K401", "K402")}
    check(codes == {"CAP101": 1, "CAP703": 1, "CAP707": 2, "K401": 1, "K402": 2}, f"all is found: {codes}", short)
    long = run("lint", "long.yaml", "--isolated", "--format", "text", cwd=folder)
    found = {code: len(re.findall(rf"^\w+\[{code}\]", long.out, re.M)) for code in codes}
    check(found == codes, f"the same findings: {found}", long)
    everything = run("lint", "long.yaml", "--isolated", "--format", "text", "--select", "K", cwd=folder)
    for took in (long, everything):
        shown = re.search("not-to-be-shown|bm90LXRv", took.out + took.err)
        check(took.code == 1 and shown is None, "no secret is shown", took)


def check_other_objects(check, folder):
    """Findings that depend on objects that may be elsewhere are not reported, for any order of rules."""
    cluster = """apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod, namespace: default}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: AWSManagedControlPlane, name: prod}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: AWSManagedCluster, name: prod}
  clusterNetwork: {pods: {cidrBlocks: [10.96.0.0/16]}, services: {cidrBlocks: [10.96.0.1/12, 10.97.0.0/24]}}
"""
    (folder / "short.yaml").write_text(cluster)
    took = run("lint", "short.yaml", "--isolated", "--select", "CAP3", "--format", "concise", cwd=folder)
    check("CAP301" in took.out and "CAP302" in took.out, "ranges that overlap are found", took)
    with open(folder / "long.yaml", "w", encoding="ascii") as file:
        streams.bulk(LONG, file.write, cluster)
    took = run("lint", "long.yaml", "--isolated", "--select", "CAP3", "--format", "concise", cwd=folder)
    check(took.code == 0 and took.out == "", "in a stream they may be others'", took)
    pool = """apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: general
  annotations:
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "5"
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "3"
"""
    with open(folder / "long.yaml", "w", encoding="ascii") as file:
        file.write(pool + "---\n")
        streams.bulk(LONG, file.write)
    took = run("lint", "long.yaml", "--isolated", "--select", "CAP408", "--format", "concise", cwd=folder)
    check(took.out.count("CAP408") == 1 and "above the maximum" in took.out, "what one object shows is said first", took)


def check_long_documents(check, folder):
    with open(folder / "long.yaml", "w", encoding="ascii") as file:
        file.write("kind: ConfigMap\ndata:\n  text: |\n")
        for _ in range(LONG // 8):
            file.write("    xxx\n")
        file.write("---\n" + streams.POOL.format(number=1, replicas=-1))
    took = run("lint", "long.yaml", "--isolated", "--format", "concise", cwd=folder)
    check(took.code == 1 and "long.yaml:1:1: error[X007]" in took.out, "a document that is too long is refused", took)
    check(len(lines_of(took.out, "long.yaml")) == 1, "the one behind it is looked at", took)
    check(took.memory < 96 * MIB, "a document that is too long takes little memory", took)

    with open(folder / "long.json", "w", encoding="ascii") as file:
        for number in range(LONG // (MIB // 2)):
            file.write(json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"n-{number}"},
                                   "data": {"braces": "}{\"" * (MIB // 8)}}) + "\n")
        file.write('{"apiVersion": "v1", "kind": "ConfigMap",\n"metadata": {"name": "A_b"}}')
    took = run("lint", "long.json", "--isolated", "--format", "concise", cwd=folder)
    last = LONG // (MIB // 2) + 2
    check(took.code == 1 and f"long.json:{last}:" in took.out and took.out.count("\n") == 1,
          "concatenated JSON is cut between objects", took)
    check(took.memory < 128 * MIB, "concatenated JSON takes little memory", took)


def main():
    check = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        check_long(check, folder)
        check_like_short(check, folder)
        check_loose_secrets(check, folder)
        check_other_objects(check, folder)
        check_long_documents(check, folder)
    check.finish("streams are linted in bounded memory")


main()
