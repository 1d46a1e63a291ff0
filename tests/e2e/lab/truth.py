"""Compares `capwright plan` with the controllers: every case is a cluster, and all of them change at once."""

import concurrent.futures
import json
import shutil
import subprocess
import time

import yaml

from lab import changes, kube, machines
from lab.places import CAPWRIGHT, RESULTS, RUN, SOURCE
from lab.promises import Promises
from lab.repository import FIXTURES, git

UP_SECONDS, CHANGE_SECONDS, QUIET_SECONDS = 600, 300, 20
RESTLESS_SECONDS = 150  # for cases that never settle: enough for an endless replacement to show
DURING_SECONDS = 8  # a pool of three has replaced about one machine by then
ENDLESS = 6  # more machines than any case needs


class Fleet:
    """A repository of capwright whose clusters are the cases of one group, and a folder of manifests for each state."""

    def __init__(self, group, cases):
        self.group, self.cases = group, cases
        self.folder = RUN / "fleets" / group
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(SOURCE / "fleet", self.folder / "repository")
        for name in FIXTURES:
            (self.folder / "repository" / name).unlink()
        (self.folder / "repository" / "values").mkdir()
        git(self.folder / "repository", "init", "-q")
        self.values = {name: dict(case.get("before", {}), cluster_name=name) for name, case in cases.items()}

    def render(self):
        repository = self.folder / "repository"
        for name, values in self.values.items():
            (repository / "values" / f"{name}.yaml").write_text(yaml.safe_dump(values, sort_keys=False))
        subprocess.run([CAPWRIGHT, "render", "-q"], cwd=repository, check=True, stdout=subprocess.DEVNULL)
        git(repository, "add", "-A")
        git(repository, "commit", "-q", "--allow-empty", "-m", "render")  # the next render reads its generations from here

    def edit(self, field):
        for name, case in self.cases.items():
            if case.get(field):
                self.values[name] = changes.merged(self.values[name], case[field])

    def snapshot(self, state):
        """The rendered tree as it is now, without clusters that the change removes."""
        target = self.folder / state / "clusters"
        shutil.copytree(self.folder / "repository" / "clusters", target)
        for name, case in self.cases.items():
            if state == "after" and case.get("remove"):
                shutil.rmtree(target / name)
        return target

    def patch(self, source, state, field):
        """A state whose manifests are those of another one, patched; {} cases start from fleet/topology.yaml."""
        target = self.folder / state / "clusters"
        for name, case in self.cases.items():
            if self.group == "topology" and not source:
                manifests = changes.topology_manifests(name)
            else:
                manifests = kube.documents(source / name)
            changes.folder_of(changes.patched(manifests, case.get(field) or [], name), target / name)
        return target

    def states(self):
        """The trees before the change, after it, and after what follows while it is under way."""
        if self.group == "values":
            self.render()
            trees = [self.snapshot("up")]
            for state, field in (("before", "first"), ("after", "edit"), ("end", "then")):
                self.edit(field)
                self.render()
                trees.append(self.snapshot(state))
            return trees
        start = None
        if self.group != "topology":
            self.render()
            start = self.snapshot("rendered")
        up = self.patch(start, "up", "prepare")
        before = self.patch(up, "before", "first")
        return [up, before, before, before]

    def plan(self, before, after):
        run = subprocess.run([CAPWRIGHT, "plan", before.parent, after.parent, "-f", "json"], cwd=self.folder / "repository",
                             capture_output=True, text=True, check=False)
        (RESULTS / f"{self.group}-plan.json").write_text(run.stdout)
        return {cluster["name"]: cluster for cluster in json.loads(run.stdout)["clusters"]}


def sync_one(name, tree):
    if not (tree / name).is_dir():  # the ApplicationSet deletes its Applications, and keeps what they installed
        return {}
    manifests = changes.documents(tree / name)
    namespace = manifests[0]["metadata"]["namespace"] if manifests else name
    if namespace != name:  # the same application: what is in the old namespace leaves the tree
        kube.sync(name, [], name)
    return kube.sync(name, manifests, namespace)


def sync_all(names, tree):
    """{case: what the API server refused}"""
    kube.KINDS.discover()
    names = list(names)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        return dict(zip(names, pool.map(lambda name: sync_one(name, tree), names)))


def touch(names):
    """Makes the topology controller reconcile now; without a change it does so after ten minutes."""
    for name in names:
        url = kube.KINDS.url(machines.CLUSTER, "Cluster", name, name)
        kube.call("PATCH", url, {"metadata": {"annotations": {"e2e/touched": "true"}}}, "application/merge-patch+json")


def happened(name, watch, since):
    total = {}
    for namespace in (name, f"{name}-new"):
        for pool, (created, deleted) in watch.count(namespace, since).items():
            before = total.get(pool, (0, 0))
            total[pool] = (before[0] + created, before[1] + deleted)
    return {pool: "endless" if numbers[0] > ENDLESS else text
            for (pool, text), numbers in zip(changes.machines_text(total).items(), (total[p] for p in sorted(total)))}


def agrees(case, row):
    """Whether `plan` says what the case says: the exact numbers, the range of `plan`, a rejection or a finding."""
    if "finding" in case:
        return case["finding"] in row["findings"]
    if case.get("refused"):
        return row["rejected"] and not row["plan"]
    if row["orphans"] != case.get("orphans", {}) or row["blocked"] != case.get("blocked", {}):
        return False
    return row["plan"] == case.get("plan") or changes.same_machines(row["plan"], case["machines"], row["case"])


def verdict(case, row):
    """`equal`, `range` (which holds the number), `reported` (by a rule), `unknown` (plan says so) or `wrong`; and whether
    the machines are those that the case expects."""
    if "runs" in case:
        return "not asked", row["runs"] == case["runs"]
    as_expected = row["happened"] == case["machines"] and bool(row["refused"]) == bool(case.get("refused"))
    if row["unknown"]:
        return "unknown", as_expected
    if row["problems"] or not agrees(case, row):
        return "wrong", as_expected
    if "plan" in case:
        return ("range" if changes.holds(case["plan"], case["machines"]) else "wrong"), as_expected
    return ("reported" if "finding" in case else "equal"), as_expected


def running(name, watch):
    counted = {}
    for entry in watch.alive(name):
        counted[entry["pool"]] = counted.get(entry["pool"], 0) + 1
    return dict(sorted(counted.items()))


def keep(group, rows):
    """Records rows; those of cases that didn't run this time stay."""
    path = RESULTS / f"{group}.json"
    kept = {row["case"]: row for row in json.loads(path.read_text())} if path.exists() else {}
    kept |= {row["case"]: row for row in rows}
    path.write_text(json.dumps([kept[name] for name in sorted(kept)], indent=1))


def lint_errors(tree):
    """The errors that `lint` reports in a tree."""
    run = subprocess.run([CAPWRIGHT, "lint", tree, "-f", "json"], cwd=RUN, capture_output=True, text=True, check=False)
    return [finding for finding in json.loads(run.stdout)["findings"] if finding["severity"] == "error"]


def row_of(name, case, said, errors):
    """A case's row, without what happened."""
    plan = changes.Predicted(said, name)
    return {"case": name, "change": case["change"], "plan": plan.text(), "orphans": plan.orphans, "blocked": plan.blocked,
            "rejected": plan.rejected, "unknown": plan.unknown, "expected": case.get("machines"),
            "findings": sorted({finding["code"] for finding in errors if f"/{name}/" in finding["path"]}),
            "actions": [f"{a['action']} {a['target']} {a['name']}" for a in (said or {}).get("actions", [])]}


def run(group, only=()):
    cases = changes.load(group, only)
    fleet = Fleet(group, cases)
    watch = machines.Watch()
    RESULTS.mkdir(parents=True, exist_ok=True)
    up, before, after, end = fleet.states()
    begin = time.time()
    for name, errors in sync_all(cases, up).items():
        for which, message in errors.items():
            print(f"{name}: {which} was refused: {message}")
    left = machines.settle(cases, watch, 5, UP_SECONDS, new=True)
    print(f"{len(cases)} clusters are up after {time.time() - begin:.0f} s; not up: {left or 'none'}", flush=True)
    first = [name for name, case in cases.items() if case.get("first")]
    sync_all(first, before)
    time.sleep(QUIET_SECONDS if first else 0)
    machines.settle([name for name in first if "pause" not in cases[name]["change"]], watch, 5, 180)
    if group != "values":
        after = fleet.patch(before, "after", "patch")
    said = fleet.plan(before, after)
    promises = {name: Promises(name) for name in cases}
    for name in cases:
        promises[name].note(said.get(name))
    begin = time.time()
    refused = sync_all(cases, after)
    touch(name for name, case in cases.items() if case.get("touch"))
    then = [name for name, case in cases.items() if case.get("then")]
    if then:
        time.sleep(DURING_SECONDS)
        sync_all(then, end)
    moved = [case["edit"]["namespace"] for case in cases.values() if "namespace" in case.get("edit", {})]
    restless = {name for name, case in cases.items() if not case.get("settles", True)}
    stuck = machines.settle([*cases.keys() - restless, *moved], watch, QUIET_SECONDS, CHANGE_SECONDS)
    time.sleep(max(0, begin + RESTLESS_SECONDS - time.time()) if restless else 0)
    print(f"changed within {time.time() - begin:.0f} s; not settled: {stuck or 'none'}", flush=True)
    errors = lint_errors(after)
    rows = []
    for name, case in cases.items():
        row = row_of(name, case, said.get(name), errors)
        row |= {"happened": happened(name, watch, begin), "runs": running(name, watch), "refused": refused[name],
                "stuck": stuck.get(name)}
        if "then" not in case:
            promises[name].after_step()
            promises[name].at_the_end()
        row["problems"] = promises[name].problems
        row["verdict"], row["as_expected"] = verdict(case, row)
        rows.append(row)
    keep(group, rows)
    return rows
