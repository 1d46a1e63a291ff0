#!/usr/bin/env python3
"""Round trip of `import`: a golden tree, imported, must prove that no machine is replaced and render the same objects.

    CAPWRIGHT=build/dev/capwright import_test.py [CASE...]

Compares the objects of the render that follows with those of the tree, except for Secrets, which aren't imported.
Prints the cases by provider, and each difference. The names of machine templates may differ only where
`existing_names` keeps them.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import yaml

from render_case import GOLDEN

CAPWRIGHT = pathlib.Path(os.environ["CAPWRIGHT"]).resolve()
STEPS = {"all": 1, "few": 30}  # the import of a case takes some thousand renders, so the others are a sample
FLEET = "capo/production-kubeadm"  # a case that is imported three times in one run, with other names
SKIPPED_BY_ARGO_CD = "+argocd:skip-file-rendering"


def objects(folder):
    """The objects below a folder, by kind and name."""
    found = {}
    for path in sorted(folder.rglob("*.yaml")):
        text = path.read_text()
        if SKIPPED_BY_ARGO_CD in text:
            continue
        for document in yaml.safe_load_all(text):
            if isinstance(document, dict) and document.get("kind") not in (None, "Secret") and "metadata" in document:
                found[document["kind"], document["metadata"]["name"]] = without_finalizers(document)
    return found


def without_finalizers(document):
    """Without what `import` drops: finalizers of controllers."""
    kept = [each for each in document["metadata"].pop("finalizers", []) if not each.partition("/")[0].endswith("cluster.x-k8s.io")]
    if kept:
        document["metadata"]["finalizers"] = kept
    return document


def run(*words, cwd):
    return subprocess.run([CAPWRIGHT, *words], cwd=cwd, capture_output=True, text=True, timeout=600, check=False)


def problem(case):
    """Why a case doesn't survive the round trip, and its counts; the first is empty if it does."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(case / "clusters", folder / "manifests")
        imported = run("import", "--prove", "-f", "json", "manifests", cwd=folder)
        if not imported.stdout:
            return f"exit code {imported.returncode}: {imported.stderr.strip()[:300]}", {}
        cluster = json.loads(imported.stdout)["clusters"][0]
        if "error" in cluster:
            return cluster["error"], {}
        counts = cluster["fields"]
        if not cluster["proven"]:
            actions = ", ".join(f"{each['verb']} {each['target']}" for each in cluster["actions"])
            return f"{cluster['replaced']} machines replaced; {actions}", counts
        rendered = run("render", cwd=folder)
        if rendered.returncode != 0:
            return f"render: {rendered.stderr.strip()[:300]}", counts
        # A patch of `import` over a value of `import`. Only a required key may keep an example, with a comment.
        if "K516" in rendered.stderr:
            return f"a patch hides a value: {rendered.stderr.strip()[:300]}", counts
        before, after = objects(folder / "manifests"), objects(folder / "clusters")
        different = [f"{kind} {name}" for kind, name in sorted(before.keys() | after.keys())
                     if before.get((kind, name)) != after.get((kind, name))]
        return (f"other objects: {', '.join(different)}" if different else ""), counts


def fleet_problem(case):
    """Whether the clusters of one run get other values than each gets alone, because the search remembers earlier ones."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        own = next((case / "clusters").iterdir()).name
        clusters = ["first", "second", "third"]
        for cluster in clusters:
            text = "".join(path.read_text() + "\n---\n" for path in sorted((case / "clusters" / own).rglob("*.yaml"))
                           if SKIPPED_BY_ARGO_CD not in path.read_text())
            (folder / f"{cluster}.yaml").write_text(text.replace(own, cluster))
        values = {}
        for run_of in (clusters, clusters[2:]):
            imported = run("import", "--force", *(f"{each}.yaml" for each in run_of), cwd=folder)
            if imported.returncode != 0:
                return f"exit code {imported.returncode}: {imported.stderr.strip()[:300]}"
            values[len(run_of)] = (folder / "values/third.yaml").read_text()
        return "" if values[3] == values[1] else "the third cluster of a run gets other values than alone"


def has_topology(clusters):
    return any("\n  topology:\n" in path.read_text() for path in clusters.glob("*/cluster.yaml"))


def main(names):
    step = 1 if names else STEPS.get(os.environ.get("CAPWRIGHT_EFFORT"), 8)
    # `import` doesn't support Clusters of a class.
    cases = sorted(path.parent for path in GOLDEN.glob("*/*/clusters") if not has_topology(path))[::step]
    failed = 0
    for provider in sorted({case.parent.name for case in cases}):
        good, all_of, fields, by_values = 0, 0, 0, 0
        for case in cases:
            title = f"{case.parent.name}/{case.name}"
            if case.parent.name != provider or (names and title not in names):
                continue
            why, counts = problem(case)
            all_of += 1
            good += not why
            fields += sum(counts.get(key, 0) for key in ("values", "patch", "resource", "lost"))
            by_values += counts.get("values", 0)
            if why:
                print(f"{title}: {why}")
        failed += all_of - good
        if all_of:
            share = 100 * by_values // max(fields, 1)
            print(f"{provider}: {good} of {all_of} cases prove 0 machines replaced and render the same objects; "
                  f"values say {share} % of {fields} fields")
    is_short = os.environ.get("CAPWRIGHT_EFFORT") == "few"  # with sanitizers, an import takes half a minute
    if not names and not is_short and (why := fleet_problem(GOLDEN / FLEET)):
        print(f"{FLEET}: {why}")
        failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
