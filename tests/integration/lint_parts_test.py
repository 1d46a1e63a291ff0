#!/usr/bin/env python3
"""`lint --shard` in all parts, then `lint --merge-claims`, finds what one run finds: for the cases of every rule that
compares clusters, each cluster a source, and for fleets of random values with shared layers, templates and comments."""

import json
import os
import pathlib
import random
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPWRIGHT = str(pathlib.Path(os.environ["CAPWRIGHT"]).resolve())
PARTS = (3,) if os.environ.get("CAPWRIGHT_EFFORT") == "few" else (1, 2, 3, 7)  # fewer with sanitizers
FLEETS = 4
FIRST_LINE = re.compile(r"^```[a-z]+ ?(?:file=(\S+))?\n(.*?)^```$", re.M | re.S)
IN_CLUSTERS = re.compile(r"(?:^|/)clusters/([^/]+)/")
# Of the rules that compare clusters, and of those that judge what clusters share.
EXPECTED = {"CAP104", "CAP106", "CAP107", "CAP109", "CAP110", "CAP111", "CAP112", "CAP211", "CAP212", "CAP232", "CAP307",
            "CAP311", "CAP811", "CAP819"}
ENV = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


def run(folder, *arguments):
    done = subprocess.run([CAPWRIGHT, *arguments], cwd=folder, env=ENV, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        print(done.stdout + done.stderr)
        raise SystemExit(f"{arguments} ended with {done.returncode}")
    return done


def findings_of(folder, *arguments):
    return json.loads(run(folder, "lint", "-f", "json", *arguments).stdout)["findings"]


# What makes a finding the same in both ways. One that several clusters have says in its words, labels and repetitions
# what the first of them has, and another cluster is the first of a part.
def keys_of(finding):
    clusters = finding.get("clusters", [])
    place = [finding.get(key) for key in ("path", "start", "end")]
    if not clusters:
        return {json.dumps(finding, sort_keys=True)}
    words = re.sub(r"`[^`]*`", "``", finding["message"])
    return {json.dumps([finding["code"], finding["severity"], place, words, cluster]) for cluster in clusters}


def all_keys(findings):
    return set().union(*map(keys_of, findings)) if findings else set()


def check_parts(folder, what, *options):
    whole = findings_of(folder, *options)
    for count in PARTS:
        files = [f"part-{number}.claims" for number in range(1, count + 1)]
        parts = [findings_of(folder, "--shard", f"{number}/{count}", "--claims", file, *options)
                 for number, file in enumerate(files, 1)]
        merged = findings_of(folder, "--merge-claims", *reversed(files), *options)
        united = all_keys([finding for part in parts for finding in part] + merged)
        for key in sorted(all_keys(whole) - united):
            expect(False, f"{what}, {count} parts: missing {key[:600]}")
        for key in sorted(united - all_keys(whole)):
            expect(False, f"{what}, {count} parts: only in parts {key[:600]}")
        between = [finding for finding in merged if not finding.get("clusters")]
        order = [finding for finding in whole if finding in between]
        expect(order == between, f"{what}, {count} parts: findings between clusters have the same bytes and order")
        for file in files:
            (folder / file).unlink()
    return {finding["code"] for finding in whole}


def cases_of(rule):
    """Blocks that follow each other are one case; a block without a path is a case of its own."""
    page = (ROOT / "compiler" / "lint" / "rules" / f"{rule.replace('-', '_')}.cc").read_text()
    more = ROOT / "tests" / "spec" / "lint" / "rules" / f"{rule}.md"
    text = page + ("\n" + more.read_text() if more.exists() else "")
    cases, end = [], None
    for block in FIRST_LINE.finditer(text):
        path = block.group(1) or "clusters/one/objects.yaml"
        if end is None or text[end:block.start()].strip() or block.group(1) is None:
            cases.append({})
        cases[-1][path] = block.group(2)
        end = block.end() if block.group(1) else None
    return [case for case in cases if all(IN_CLUSTERS.search(path) for path in case)]


def fleet_rules():
    for source in sorted((ROOT / "compiler" / "lint" / "rules").glob("*.cc")):
        if ".check_fleet = " in source.read_text():
            yield source.stem.replace("_", "-")


def write(root, path, text):
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def write_cases(root, rules, most=None):
    """Each cluster of each case is a source; the cases of one rule conflict with each other, too. `most`: cases of a rule."""
    sources = []
    for rule in rules:
        cases = cases_of(rule)[:most]
        expect(cases, f"{rule} has cases")
        for number, case in enumerate(cases):
            names = set()
            for path, text in case.items():
                name = f"{rule}-{number}-{IN_CLUSTERS.search(path).group(1)}"
                names.add(name)
                write(root, f"foreign/{name}/{path}", text)
            sources += [f"  - {{name: {name}, path: foreign/{name}}}\n" for name in sorted(names)]
    write(root, "capwright.yaml", "sources:\n" + "".join(sources))


CONFIGURATION = """template: {dir: templates, main: main.j2, schema: schema.json}
layers:
  - {file: layers/all.yaml}
  - {file: layers/some.yaml, when: {path: values/*1.yaml}}
  - {file: layers/none.yaml, when: {path: other/*}}
lint: {baseline: capwright-baseline.yaml}
"""
SCHEMA = """{"properties": {
  "cluster_name": {"type": "string"}, "objects": {"type": "array"}, "cidr": {"type": "string"},
  "nested": {"properties": {"read": {}, "unread": {}}},
  "declared": {"type": "integer"}}}
"""
TEMPLATE = """{% set never_used = 1 %}
{% for name in objects %}{% set never_used = name %}{% endfor %}
{% if false %}old: 1{% endif %}
# FILE: clusters/{{ cluster_name }}/objects.yaml
{% for name in objects %}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ name }}  # capwright: ignore=CAP401 -- nothing here
  namespace: all
{% endfor %}
---
kind: Cluster
metadata: {name: {{ cluster_name }}}
spec: {infrastructureRef: {kind: OpenStackCluster, name: {{ cluster_name }}}}
---
kind: OpenStackCluster
metadata: {name: {{ cluster_name }}}
spec:
  router: {id: 0c5b7a8e-94f2-4f0a-9d0b-6f0a3d8e2b47}
  managedSubnets: [{cidr: {{ cidr }}}]
# {{ nested.read | default(1) }}{{ (extra | default({})).known | default(1) }}
"""
COMMENTS = ("", "", "  # capwright: ignore=CAP211 -- shared on purpose", "  # capwright: ignore=CAP211",
            "  # capwright: ignore=CAP401,CAP211 -- both", "  # capwright: ignore=CAP999 -- unknown")


def write_fleet(root, chance):
    write(root, "capwright.yaml", CONFIGURATION)
    write(root, "schema.json", SCHEMA)
    write(root, "templates/main.j2", TEMPLATE)
    write(root, "layers/all.yaml", "nested: {read: 1, unread: 2}\nextra: {known: 1, other: 2}  # capwright: ignore=CAP104 -- later\n"
                                   "lonely: 1\n")
    write(root, "layers/some.yaml", "only_some: 1\nnested: {more: 1}  # capwright: ignore=CAP211 -- unused\n")
    write(root, "layers/none.yaml", "unused: 1\n")
    for number in range(chance.randint(9, 40)):
        name = f"c{number:02}"
        objects = [f"  - o{chance.randint(0, 60)}{chance.choice(COMMENTS)}\n" for _ in range(chance.randint(1, 3))]
        text = f"cluster_name: {chance.choice([name] * 9 + ['twice'])}\ncidr: 10.0.{chance.randint(0, 40)}.0/24\nobjects:\n"
        text += "".join(objects)
        if chance.random() < 0.3:
            text += f"unknown_{chance.randint(0, 2)}: 1{chance.choice(COMMENTS)}\n"
        if chance.random() < 0.1:
            text += "cidr: twice\n"
        write(root, f"values/{name}.yaml", text)
    write(root, "capwright-baseline.yaml", "version: 1\nfindings: []\n")


def git(root, *arguments):
    subprocess.run(["git", "-c", "user.name=Team", "-c", "user.email=fleet@example.com", *arguments], cwd=root, env=ENV,
                   check=True, capture_output=True)


def commit(root):
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")


def main():
    seen = set()
    with tempfile.TemporaryDirectory() as scratch:
        cases = pathlib.Path(scratch) / "cases"
        write_cases(cases, fleet_rules())
        seen |= check_parts(cases, "the cases of rules")
        providers = pathlib.Path(scratch) / "providers"  # in one fleet with others, there are several releases of Cluster API
        write_cases(providers, ["provider-contract"], most=1)
        seen |= check_parts(providers, "providers")
        for seed in range(FLEETS):
            fleet = pathlib.Path(scratch) / f"fleet-{seed}"
            write_fleet(fleet, random.Random(seed))
            if seed % 2 == 0:
                commit(fleet)
            seen |= check_parts(fleet, f"fleet {seed}")
            if seed == 0:
                write(fleet, "values/new.yaml", (fleet / "values" / "c01.yaml").read_text().replace("c01", "new"))
                check_parts(fleet, "new lines", "--new-from-rev", "HEAD")
                seen |= check_parts(fleet, "some rules", "--select", "CAP211,CAP311,CAP112")
                run(fleet, "lint", "--write-baseline", "--select", "CAP211,CAP104")
                check_parts(fleet, "a baseline")
    expect(EXPECTED <= seen, f"all rules are seen, without {sorted(EXPECTED - seen)}")
    raise SystemExit(1 if failures else 0)


main()
