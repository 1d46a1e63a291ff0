"""The plan of changes whose effect was measured: passes if it states what the controllers did.

Usage: plan_truth_test.py [--show] [CASE ...]     environment: CAPWRIGHT names the program
The cases are data in plan_truth/; their effects were measured once, with Cluster API itself. `plan` may state a range if
the number isn't in any manifest (`said: range`), and a rule may reject the change (`said: rule`).
"""

import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: PyYAML is missing")
    sys.exit(77)

HERE = pathlib.Path(__file__).parent / "plan_truth"
TUTORIAL = pathlib.Path(__file__).parents[2] / "docs/tutorial/capd"
LAYER = {"schema_version": "1", "provider": "docker", "kubernetes_type": "kubeadm", "kubernetes_version": "v1.34.2",
         "addons": ["canal"], "rollout": {"drain_timeout_seconds": 30}}


def capwright(folder, *arguments):
    run = subprocess.run([os.environ["CAPWRIGHT"], *arguments], cwd=folder, check=False, encoding="utf-8",
                         capture_output=True)
    if run.returncode not in (0, 1):
        sys.exit(f"capwright {' '.join(arguments)}: {run.stderr}{run.stdout}")
    return run.stdout


def cases_of(name, wanted):
    rows = yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))
    return {row["id"]: row for row in rows if not wanted or row["id"] in wanted}


def make_project(folder):
    """The tutorial's template set for containers, with machines in memory."""
    shutil.copytree(TUTORIAL / "templates", folder / "templates")
    shutil.copytree(TUTORIAL / "vendor", folder / "vendor")
    shutil.copytree(HERE / "fleet", folder, dirs_exist_ok=True)
    (folder / "values").mkdir()
    (folder / "layers").mkdir()
    (folder / "layers/fleet.yaml").write_text(yaml.safe_dump(LAYER), encoding="utf-8")
    (folder / "capwright.yaml").write_text("values: [values]\nlayers: [{file: layers/fleet.yaml}]\ndelivery: flux\n",
                                           encoding="utf-8")


def write_values(folder, name, values):
    (folder / f"values/{name}.yaml").write_text(yaml.safe_dump({"cluster_name": name, **values}), encoding="utf-8")


def plans(text):
    return {cluster["name"]: cluster["actions"] for cluster in json.loads(text)["clusters"]}


def plan_values(cases, scratch):
    old, new = scratch / "old", scratch / "new"
    old.mkdir()
    make_project(old)
    for name, case in cases.items():
        write_values(old, name, case["before"])
    capwright(old, "render", "-q")
    shutil.copytree(old, new)
    for name, case in cases.items():
        if case["after"] is None:
            (new / f"values/{name}.yaml").unlink()
            shutil.rmtree(new / "clusters" / name)
        else:
            write_values(new, name, case["after"])
    return plans(capwright(new, "plan", "--base", "../old", "-f", "json")), None


def documents(folder):
    for path in sorted(folder.rglob("*.yaml")):
        if path.name != "values.yaml":
            yield from (each for each in yaml.safe_load_all(path.read_text(encoding="utf-8")) if each)


def filled(value, cluster):
    return json.loads(json.dumps(value).replace("{cluster}", cluster))


def edit(objects, edits, cluster):
    """The objects after the edits; `in` is a kind and the beginning of a name, before all edits."""
    names = [(each["kind"], each["metadata"]["name"]) for each in objects]
    objects = copy.deepcopy(objects)
    gone = []
    for change in filled(edits, cluster):
        if "new" in change:
            objects.append(change["new"])
            continue
        kind, name = change["in"].split(" ")
        [at] = [number for number, (a, b) in enumerate(names)
                if a == kind and b.startswith(name) and len(b) - len(name) in (0, 9)]
        if "gone" in change:
            gone.append(objects[at])
            continue
        holder, steps = objects[at], [int(step) if step.isdigit() else step for step in change["at"].split(" > ")]
        for step in steps[:-1]:
            holder = holder.setdefault(step, {}) if isinstance(holder, dict) else holder[step]
        if "to" in change:
            holder[steps[-1]] = change["to"]
        else:
            del holder[steps[-1]]
    return [each for each in objects if each not in gone]


def plan_manifests(cases, scratch, objects_of):
    for name, case in cases.items():
        before = edit(objects_of(name), case.get("prepared", []), name)
        for side, objects in (("before", before), ("after", edit(before, case["edits"], name))):
            place = scratch / side / "clusters" / name
            place.mkdir(parents=True)
            (place / "all.yaml").write_text(yaml.safe_dump_all(objects, sort_keys=False), encoding="utf-8")
    said = plans(capwright(scratch, "plan", "before", "after", "-f", "json"))
    return said, json.loads(capwright(scratch, "lint", "after", "-f", "json"))["findings"]


def plan_rendered(cases, scratch):
    make_project(scratch)
    for name, case in cases.items():
        write_values(scratch, name, case["values"])
    capwright(scratch, "render", "-q")
    return plan_manifests(cases, scratch, lambda name: list(documents(scratch / "clusters" / name)))


def plan_topology(cases, scratch):
    make_project(scratch)
    text = (HERE / "class.yaml").read_text(encoding="utf-8")
    return plan_manifests(cases, scratch, lambda name: list(yaml.safe_load_all(text.replace("{cluster}", name))))


def machines_of(actions, cluster):
    """{pool: ((made, deleted) at least, (made, deleted) at most)}; the control plane is `control-plane`."""
    sums = {}
    for action in actions:
        if action["target"] not in ("control-plane", "pool", "cluster"):
            continue
        pool = "control-plane" if action["target"] == "control-plane" else action["name"].removeprefix(cluster + "-")
        least = action["machines"]
        most = least if action.get("machines_known", True) else action.get("machines_most", 1000)
        rows = sums.setdefault(pool, [[0, 0], [0, 0]])
        made = action["action"] in ("roll", "upgrade", "create")
        deleted = action["action"] in ("roll", "upgrade", "delete")
        if action["action"] == "scale":
            made = int(action.get("from") or 0) < int(action["to"])
            deleted = not made
        for row, count in zip(rows, (least, most)):
            row[0] += count * made
            row[1] += count * deleted
    return {pool: rows for pool, rows in sums.items() if rows != [[0, 0], [0, 0]]}


def outcome(case, actions, findings):
    if "rule" in case:
        hits = [each for each in findings if each["code"] == case["rule"] and f"/{case['id']}/" in json.dumps(each)]
        return "rule" if hits else "no finding"
    said = machines_of(actions, case["id"])
    happened = case["happened"]
    if any(each["action"] == "unknown" for each in actions):
        return "unknown"
    if {pool: rows[0] for pool, rows in said.items()} == happened and all(a == b for a, b in said.values()):
        return "equal"
    none = [[0, 0], [0, 0]]
    is_inside = all(least <= count <= most for pool in {*said, *happened} for least, count, most in
                    zip(said.get(pool, none)[0], happened.get(pool, [0, 0]), said.get(pool, none)[1]))
    return "range" if is_inside else f"says {said}"


def main():
    show, wanted = "--show" in sys.argv, [each for each in sys.argv[1:] if each != "--show"]
    counts, wrong = {}, []
    for name, run in (("values", plan_values), ("manifests", plan_rendered), ("topology", plan_topology)):
        cases = cases_of(name, wanted)
        with tempfile.TemporaryDirectory() as scratch:
            said, findings = run(cases, pathlib.Path(scratch)) if cases else ({}, None)
        for key, case in cases.items():
            actions = said.get(key, [])
            result = outcome(case, actions, findings)
            kind = result if result in ("equal", "range", "rule", "unknown") else "wrong"
            counts[kind] = counts.get(kind, 0) + 1
            if result != case.get("said", "equal"):
                wrong.append(f"{key} ({case['change']}): {result}, not {case.get('said', 'equal')}: "
                             f"happened {case.get('happened')}")
            if show:
                print(key, result, "|", case["change"], "|",
                      "; ".join(f"{each['action']} {each['target']} {each.get('name', '')} {each['machines']}" for each in actions))
    print("\n".join([*wrong, f"{sum(counts.values())} changes: {counts}"]))
    sys.exit(1 if wrong else 0)


main()
