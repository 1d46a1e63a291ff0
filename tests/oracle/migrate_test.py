"""Migrations keep objects valid and lose nothing: for every object of the labelled manifests, of the examples and of the
golden trees that its old version accepts,

* the released schema of the new version accepts the migrated object;
* the tables applied backwards, by the interpreter below, give the object again, but for the fields that they drop.

Usage: migrate_test.py [FOLDER]     environment: CAPWRIGHT names the program, CAPWRIGHT_SHARED the cases
FOLDER: where the migrated objects stay. Exit code 77 and a reason if the cases are missing.
"""

import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = sorted((ROOT / "schemas" / "catalogue" / "migrations").glob("*.yaml"))
NEWEST = "v1beta2"
# The release that serves a version which the newest stable one doesn't.
OPENSTACK = "capo-v0.15.0-beta.0"
SHOWN_FAILURES = int(os.environ.get("CAPWRIGHT_SHOWN", "10"))
SCALE = {"h": 3600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


class Loader(yaml.CSafeLoader):
    """YAML 1.1 as Kubernetes reads it, without dates."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:timestamp"]
    for first, found in yaml.CSafeLoader.yaml_implicit_resolvers.items()}


def steps_of(path):
    return re.findall(r"\[\d*\]|[^.\[]+", path)


def moves_of(table, moves, at=""):
    """The moves of a kind with whole paths."""
    for move in moves:
        below = lambda path: ".".join(part for part in (at, path) if part)
        if "part" in move:
            yield from moves_of(table, table["parts"][move["part"]], below(move["at"]))
            continue
        word = next(iter(move))
        whole = {**move, "word": word, "from": below(move[word])}
        yield {**whole, **{key: below(move[key]) for key in ("to", "has", "lacks") if key in move}}


def conversions():
    """{(group, kind, from): (to, moves)}"""
    found = {}
    for path in TABLES:
        table = yaml.load(path.read_text(), Loader)
        for conversion in table["conversions"]:
            for kind, moves in conversion["kinds"].items():
                if "renames" not in conversion:
                    key = (conversion["group"], kind, conversion["from"])
                    found[key] = (conversion["to"], list(moves_of(table, moves)))
    return found


def type_of(document):
    group, _, version = document["apiVersion"].partition("/")
    return group, document["kind"], version


def places(value, steps, way=()):
    """The steps to each value of a pattern."""
    if not steps:
        yield way
        return
    step, rest = steps[0], steps[1:]
    if step == "[]":
        for number, item in enumerate(value if isinstance(value, list) else []):
            yield from places(item, rest, (*way, number))
    elif step.startswith("["):
        if isinstance(value, list) and value:
            yield from places(value[0], rest, (*way, 0))
    elif isinstance(value, dict) and step in value:
        yield from places(value[step], rest, (*way, step))


def get(value, way):
    for step in way:
        value = value[step]
    return value


def remove(value, way):
    """Removes a value, and the containers that are empty without it."""
    around = get(value, way[:-1])
    del around[way[-1]]
    if not around and len(way) > 1:
        remove(value, way[:-1])


def put(value, way, added):
    for step, following in zip(way[:-1], way[1:]):
        if isinstance(step, int) and step == len(value):
            value.append([] if isinstance(following, int) else {})
        value = value[step] if isinstance(step, int) else value.setdefault(step, [] if isinstance(following, int) else {})
    if isinstance(way[-1], int) and way[-1] == len(value):
        value.append(added)
    else:
        value[way[-1]] = added


def filled(pattern, way):
    """The steps of a pattern, with the items of a way that begins like it."""
    return tuple(way[i] if step == "[]" else 0 if step == "[0]" else step for i, step in enumerate(pattern))


def seconds(text):
    parts = re.findall(r"([\d.]+)(ms|us|ns|h|m|s)", text) if isinstance(text, str) else []
    return sum(float(number) * SCALE[unit] for number, unit in parts)


class Backwards:
    """Applies the moves of a conversion from the last to the first, to an object and to what it came from."""

    def __init__(self, before, after, moves):
        self.before, self.after, self.moves = copy.deepcopy(before), copy.deepcopy(after), moves

    def run(self):
        for move in reversed(self.moves):
            getattr(self, "undo_" + move["word"], lambda move: None)(move)
        return self.without_empty(self.before), self.without_empty(self.after)

    def undo_move(self, move):
        old, new = steps_of(move["from"]), steps_of(move["to"])
        if old == new:
            return
        for way in list(places(self.after, new)):
            back = filled(old, way)
            if "lacks" in move and any(True for _ in places(self.before, steps_of(move["lacks"]))) and "[]" not in move["lacks"]:
                continue
            value = get(self.after, way)
            if not self.came_from(back, value, move):
                continue
            remove(self.after, way)
            if move.get("as") == "not":
                value = not value
            if move.get("as") == "group":
                value = get(self.before, back)
            put(self.after, back, value if move.get("as") != "seconds" else self.same_duration(back, value))

    def came_from(self, back, value, move):
        """Whether the object had the field; the new one may be set, too, in an object of the old version."""
        try:
            old = get(self.before, back)
        except (KeyError, IndexError, TypeError):
            return any(other["from"].startswith(move["from"] + ".") or move["from"].startswith(other.get("to", "?") + ".")
                       or other.get("to", "?").startswith(move["from"]) for other in self.moves)
        return move.get("as") != "group" or (isinstance(old, str) and old.split("/")[0] == value)

    def same_duration(self, back, value):
        old = get(self.before, back)
        return old if seconds(old) == value else f"{value}s is not {old}"

    def undo_copy(self, move):
        for way in list(places(self.after, steps_of(move["to"]))):
            if any(True for _ in places(self.before, steps_of(move["from"]))):
                remove(self.after, way)

    def undo_drop(self, move):
        for way in list(places(self.before, steps_of(move["from"]))):
            if "is" not in move or get(self.before, way) in (None, {}):
                remove(self.before, way)

    def undo_set(self, move):
        for way in list(places(self.after, steps_of(move["from"]))):
            if not any(True for _ in places(self.before, steps_of(move["from"]))):
                remove(self.after, way)

    def undo_list(self, move):
        for way in places(self.after, steps_of(move["from"])):
            items = get(self.after, way)
            if isinstance(items, list):
                put(self.after, way, {item[move["name"]]: item[move["value"]] for item in items})

    @classmethod
    def without_empty(cls, value):
        """Containers that only have empty ones mean nothing here."""
        if isinstance(value, dict):
            kept = {key: cls.without_empty(each) for key, each in value.items()}
            return {key: each for key, each in kept.items() if each not in ({}, [], None)}
        return [cls.without_empty(item) for item in value] if isinstance(value, list) else value


def ask(requests):
    """The verdicts of schemas and CEL, in order."""
    lines = "".join(json.dumps({"id": str(i), "webhooks": False, **each}) + "\n" for i, each in enumerate(requests))
    run = subprocess.run([os.environ["CAPWRIGHT"] + "-dev", "verdicts"], input=lines, text=True, check=True,
                         encoding="utf-8", stdout=subprocess.PIPE)
    return [json.loads(line) for line in run.stdout.splitlines()]


def documents_in(text):
    """The texts of the objects of a stream that can be read."""
    for part in re.split(r"^---.*\n", text, flags=re.M):
        try:
            value = yaml.load(part, Loader)
        except yaml.YAMLError:
            continue
        if isinstance(value, dict) and isinstance(value.get("apiVersion"), str) and isinstance(value.get("kind"), str):
            yield part, value


def all_objects(shared, tables):
    """Each different object in a version that the tables convert, and which of them are published."""
    texts = []  # with whether a project or a person published them
    for name in ("dev", "fuzz-dev"):
        with open(shared / "cases" / "manifests" / f"{name}.jsonl", encoding="utf-8") as cases:
            for line in cases:
                case = json.loads(line)
                published = case.get("mutation", "").startswith(("none", "ok-"))
                texts += [(case["content"], published), (case.get("old") or "", False)]
    for folder in (shared / "examples", ROOT / "golden"):
        texts += [(path.read_text(encoding="utf-8"), True) for path in sorted(folder.glob("**/*.yaml"))]
    seen, published = {}, set()
    for text, is_published in texts:
        for part, value in documents_in(text):
            if type_of(value) in tables:
                seen.setdefault(part, value)
                published |= {part} if is_published else set()
    return seen, published


def crds_for(value):
    return {"crds": OPENSTACK} if value["kind"].startswith("OpenStack") else {}


def is_reference_changed(before, after):
    """References in other objects get the version of what they refer to; the comparison leaves it out."""
    text = lambda value: re.sub(r'("apiVersion": "[^"/]*)/v\w+', r"\1", json.dumps(value, sort_keys=True))
    return text(before) == text(after)


def differences(one, other, path=""):
    """The paths that differ, for people."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = sorted(one.keys() | other.keys())
        return "; ".join(filter(None, (differences(one.get(key), other.get(key), f"{path}.{key}") for key in keys)))
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return "; ".join(filter(None, (differences(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(one, other)))))
    return "" if one == other else f"{path}: {json.dumps(one)[:100]} and {json.dumps(other)[:100]}"


def files_with(code, report):
    """The files that have a finding."""
    text = json.dumps(json.loads(report)["findings"])
    return {file for finding in json.loads(text) if finding["code"] == code
            for file in re.findall(r"\d{5}\.yaml", json.dumps(finding))}


def main():
    shared = pathlib.Path(os.environ.get("CAPWRIGHT_SHARED", ROOT.parent / "shared"))
    if not (shared / "cases" / "manifests").is_dir():
        print("skipped: the labelled manifests are missing")
        return 77
    tables = conversions()
    objects, published = all_objects(shared, tables)
    answers = ask([{"content": part, **crds_for(value)} for part, value in objects.items()])
    valid = [(part, value) for (part, value), answer in zip(objects.items(), answers) if answer["verdict"] == "ok"]
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    (folder / "capwright.yaml").write_text(f'targets: {{capo: "{OPENSTACK.removeprefix("capo-v")}"}}\n')
    for number, (part, _) in enumerate(valid):
        (folder / f"{number:05}.yaml").write_text(part, encoding="utf-8")
    run = subprocess.run([os.environ["CAPWRIGHT"], "migrate", "--fix", "--to", NEWEST, "-f", "json", "."], cwd=folder,
                         text=True, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    undecided = files_with("K601", run.stdout)
    impossible = files_with("K603", run.stdout)
    if run.returncode not in (0, 1):
        print(run.stdout[-2000:], run.stderr[-2000:])
        return 1
    failures, counts = [], {}
    texts = [(folder / f"{number:05}.yaml").read_text(encoding="utf-8") for number in range(len(valid))]
    after = ask([{"content": text, **crds_for(value)} for text, (_, value) in zip(texts, valid)])
    for number, (text, (part, value), answer) in enumerate(zip(texts, valid, after)):
        name = f"{number:05}.yaml"
        group, kind, version = type_of(value)
        count = counts.setdefault(f"{group}/{kind} {version}", {"objects": 0, "undecided": 0, "impossible": 0})
        count["objects"] += 1
        reason = "undecided" if name in undecided else "impossible" if name in impossible else None
        if reason:
            count[reason] += 1
            # v1beta2 has no form for a bootstrap template without content.
            if part in published and Backwards.without_empty(value["spec"]).get("template"):
                failures.append(f"{name}: {kind} of a published template is {reason}")
            continue
        if answer["verdict"] != "ok":
            failures.append(f"{name}: {kind} is refused after: {answer['errors'][:2]}")
            continue
        new = yaml.load(text, Loader)
        while type_of(value)[2] != type_of(new)[2] and type_of(value) in tables:
            to, moves = tables[type_of(value)]
            break
        else:
            failures.append(f"{name}: {kind} {version} stays {new['apiVersion']}")
            continue
        if to != type_of(new)[2]:
            failures.append(f"{name}: {kind} has {new['apiVersion']}, not {to}")
            continue
        here, back = Backwards({**value, "apiVersion": ""}, {**new, "apiVersion": ""}, moves).run()
        if not is_reference_changed(here, back):
            failures.append(f"{name}: {kind} differs when converted back:\n  {differences(here, back)}")
    for name, count in sorted(counts.items()):
        rest = [f"{count[reason]} {reason}" for reason in ("undecided", "impossible") if count[reason]]
        print(", ".join([f"{count['objects']:5} {name}", *rest]))
    print(f"{len(objects)} objects in old versions, {len(valid)} valid, {sum(part in published for part, _ in valid)} of them "
          f"published; {len(failures)} failures")
    for failure in failures[:SHOWN_FAILURES]:
        print(failure)
    if len(valid) < 500:
        failures.append("too few objects")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
