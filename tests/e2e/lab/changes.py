"""Cases as data: what a cluster was, what changes, what `plan` must say and what must happen to its machines.

See tests/e2e/README.md for the fields of a case."""

import copy
import datetime
import json

import yaml

from lab import kube
from lab.places import SOURCE


def load(group, only=()):
    """{name: case}; the name is the file's up to the first dash."""
    cases = {}
    for path in sorted((SOURCE / "cases" / group).glob("*.yaml")):
        name = path.stem.partition("-")[0]
        if not only or name in only:
            cases[name] = yaml.safe_load(path.read_text())
    return cases


def merged(values, edit):
    """RFC 7386: null removes a key, lists are replaced."""
    if not isinstance(edit, dict):
        return copy.deepcopy(edit)
    result = copy.deepcopy(values) if isinstance(values, dict) else {}
    for name, value in edit.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


def step_into(value, part):
    if isinstance(value, list):
        return value[int(part)]
    return value.setdefault(part, {})


def change_field(manifest, path, operation):
    *parents, last = path.split("/")
    holder = manifest
    for part in parents:
        holder = step_into(holder, part)
    if "remove" in operation:
        holder.pop(last, None)
    elif "reverse" in operation:
        holder[last].reverse()
    elif isinstance(holder, list) and int(last) == len(holder):
        holder.append(operation["to"])
    else:
        holder[int(last) if isinstance(holder, list) else last] = operation["to"]


def patched(manifests, operations, cluster):
    """The manifests after operations: {kind, name (a part of it), set: path, to} or remove, reverse, drop."""
    # `{now}` is later than the creation of all machines, which is what `rollout.after` compares with.
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    text = json.dumps(operations).replace("{cluster}", cluster).replace("{now}", now)
    result = copy.deepcopy(manifests)
    for operation in json.loads(text):
        found = next(manifest for manifest in result if manifest["kind"] == operation["kind"]
                     and operation.get("name", "") in manifest["metadata"]["name"])
        if "drop" in operation:
            result.remove(found)
        else:
            change_field(found, operation.get("set") or operation.get("remove") or operation["reverse"], operation)
    return result


def topology_manifests(cluster):
    text = (SOURCE / "fleet" / "topology.yaml").read_text().replace("{cluster}", cluster)
    return [document for document in yaml.safe_load_all(text) if document]


def machines_text(counted):
    """{pool: (created, deleted)} as {pool: "+2 -2"}"""
    return {pool: f"+{created} -{deleted}" for pool, (created, deleted) in sorted(counted.items())}


class Predicted:
    """What `plan -f json` says about one cluster."""

    def __init__(self, said, cluster):
        self.machines = {}  # {pool: {"+": [least, most], "-": [least, most]}}
        self.orphans, self.blocked = {}, {}
        self.rejected = self.unknown = False
        for action in (said or {}).get("actions", []):
            self.unknown |= action["action"] == "unknown"
            self.rejected |= action["action"] == "rejected"
            if action["target"] in ("control-plane", "pool", "cluster"):
                pool = "control-plane" if action["target"] == "control-plane" else action["name"].removeprefix(f"{cluster}-")
                self.count(action, pool)

    def count(self, action, pool):
        least = action.get("machines") or 0
        most = least if action.get("machines_known", True) else action.get("machines_most")
        if most is None:
            self.unknown = True
            return
        word = action["action"]
        if word in ("orphan", "blocked"):
            counted = self.orphans if word == "orphan" else self.blocked
            counted[pool] = counted.get(pool, 0) + least
            return
        for sign in signs(action):
            numbers = self.machines.setdefault(pool, {"+": [0, 0], "-": [0, 0]})[sign]
            numbers[0] += least
            numbers[1] += most

    def text(self):
        """{pool: "+2 -2"}; a range is "+0..2 -0..2"."""
        shown = {pool: " ".join(sign + "..".join(str(number) for number in sorted(set(numbers)))
                                for sign, numbers in both.items()) for pool, both in sorted(self.machines.items())}
        return {pool: text for pool, text in shown.items() if text != "+0 -0"}


def signs(action):
    """Whether an action creates machines, deletes them, or both."""
    word = action["action"]
    if word == "scale":
        numbers = str(action.get("from")), str(action.get("to"))
        if not all(number.isdigit() for number in numbers):
            return "+-"  # from a number that an autoscaler set
        return "+" if int(numbers[1]) > int(numbers[0]) else "-"
    return {"roll": "+-", "upgrade": "+-", "create": "+", "delete": "-"}.get(word, "")


def limits(text):
    """[(least, most)] of "+0..2 -2": two pairs."""
    pairs = [part[1:].split("..") for part in text.split()]
    return [(int(pair[0]), int(pair[-1])) for pair in pairs]


def holds(ranges, machines):
    """Whether the numbers of each pool are within the ranges that `plan` gave."""
    for pool in ranges.keys() | machines.keys():
        said, happened = limits(ranges.get(pool, "+0 -0")), limits(machines.get(pool, "+0 -0"))
        if not all(least <= number <= most for (least, most), (number, _) in zip(said, happened)):
            return False
    return True


def totals(texts):
    numbers = [text.split() for text in texts]
    return sum(int(created) for created, _ in numbers), sum(int(deleted) for _, deleted in numbers)


def same_machines(plan, machines, cluster):
    """Whether `plan` gave the numbers of all pools, or of a whole cluster the sum."""
    return totals(plan.values()) == totals(machines.values()) if plan.keys() == {cluster} else plan == machines


def folder_of(manifests, folder):
    folder.mkdir(parents=True)
    (folder / "all.yaml").write_text(yaml.safe_dump_all(manifests, sort_keys=False))


def documents(folder):
    return kube.documents(folder) if folder.is_dir() else []
