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


def count_action(action, machines, orphans):
    """Adds what an action of `plan -f json` says to {pool: (created, deleted)} or {pool: orphans}."""
    if action["target"] not in ("control-plane", "pool", "cluster"):
        return
    pool = "control-plane" if action["target"] == "control-plane" else action["name"]
    number = action.get("machines") or 0
    created, deleted = machines.get(pool, (0, 0))
    if action["action"] == "orphan":
        orphans[pool] = orphans.get(pool, 0) + number
        return
    grows = action["action"] == "create"
    if action["action"] == "scale":
        numbers = str(action.get("from")), str(action.get("to"))
        grows = not all(number.isdigit() for number in numbers) or int(numbers[1]) > int(numbers[0])
    if action["action"] in ("roll", "upgrade"):
        machines[pool] = (created + number, deleted + number)
    elif action["action"] in ("create", "scale", "delete"):
        machines[pool] = (created + number, deleted) if grows else (created, deleted + number)


def predicted(said, cluster):
    """(machines, orphans, unknown) of one cluster of a plan."""
    machines, orphans, unknown = {}, {}, False
    for action in (said or {}).get("actions", []):
        shown = dict(action, name=action["name"].removeprefix(f"{cluster}-"))
        unknown = unknown or action["action"] == "unknown" or action.get("machines_known") is False
        count_action(shown, machines, orphans)
    return machines_text({pool: n for pool, n in machines.items() if n != (0, 0)}), {
        pool: n for pool, n in orphans.items() if n}, unknown


def folder_of(manifests, folder):
    folder.mkdir(parents=True)
    (folder / "all.yaml").write_text(yaml.safe_dump_all(manifests, sort_keys=False))


def documents(folder):
    return kube.documents(folder) if folder.is_dir() else []
