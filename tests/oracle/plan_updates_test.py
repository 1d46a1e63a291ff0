"""Labelled updates: passes if `plan` marks exactly those as REJECTED that the API server rejects.

Usage: plan_updates_test.py [--show]     environment: CAPWRIGHT names the program, CAPWRIGHT_SHARED the cases
Exit code 77 and a reason if the cases are missing.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

# Unreadable texts, or objects with different names, aren't updates.
UNREADABLE = {"parse", "duplicate-key", "version", "decode", "webhook-decode"}


def misses_objects(case):
    """Whether it is rejected because a ClusterClass or its Clusters aren't on the server, independent of the update."""
    return any(error["message"].startswith("Internal error: Cluster") for error in case["errors"])


def updates(cases):
    """{id: case} of updates in which something changes, and both sides can be read."""
    with open(cases, encoding="utf-8") as lines:
        every = [json.loads(line) for line in lines]
    return {case["id"]: case for case in every
            if case["op"] == "update" and case["verdict"] in ("ok", "reject") and case["content"] != case["old"]
            and case["first_stage"] not in UNREADABLE and not misses_objects(case)}


def write(folder, pairs, key):
    for name, case in pairs.items():
        place = folder / "clusters" / name
        place.mkdir(parents=True)
        (place / "x.yaml").write_text(case[key], encoding="utf-8")


def plan(pairs):
    """The plan of all pairs, each as a separate cluster: {id: its actions}."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        write(folder / "before", pairs, "old")
        write(folder / "after", pairs, "content")
        run = subprocess.run([os.environ["CAPWRIGHT"], "plan", "before", "after", "-f", "json"], cwd=scratch,
                             check=False, encoding="utf-8", stdout=subprocess.PIPE)
        return {cluster["name"]: cluster["actions"] for cluster in json.loads(run.stdout)["clusters"]}


def is_same_object(actions):
    return all(action["action"] not in ("create", "delete") for action in actions)


def main():
    shared = pathlib.Path(os.environ.get("CAPWRIGHT_SHARED", "")) / "cases" / "manifests" / "dev.jsonl"
    if not shared.is_file():
        print(f"skipped: the labelled manifests are not there ({shared})")
        return 77
    pairs = updates(shared)
    plans = plan(pairs)
    compared, differing = 0, []
    for name, case in pairs.items():
        actions = plans.get(name, [])
        if not is_same_object(actions):
            continue
        compared += 1
        rejected = any(action["action"] == "rejected" for action in actions)
        if rejected != (case["verdict"] == "reject"):
            differing.append((case, actions))
    refused = sum(case["verdict"] == "reject" for case in pairs.values())
    print(f"{compared} updates, {refused} of them refused: {len(differing)} differ")
    for case, actions in differing[: None if "--show" in sys.argv else 10]:
        told = [(action["action"], [reason.get("path") for reason in action["reasons"]]) for action in actions]
        print("---", case["id"], case["kinds"], case["mutation"], case["at"], "want", case["verdict"], case["first_stage"])
        print([(error["path"], error["message"][:100]) for error in case["errors"][:2]], "got", told[:3])
    return 0 if compared and not differing else 1


if __name__ == "__main__":
    sys.exit(main())
