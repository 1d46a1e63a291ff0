#!/usr/bin/env python3
"""How many fields of a kind the golden trees set, of those that its CRD has in the first levels (`depth`; default: two).

    coverage.py [--update]

coverage.json lists the kinds, with a floor for each: the test fails if fewer fields are set. `left_out` has fields that no
cluster should set, with the reason; they, and the fields below them, don't count. --update raises floors to the figures.
"""

import json
import pathlib
import sys

try:
    import yaml
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(__file__).with_name("coverage.json")
DEPTH = 2


class Crd:
    """A digest of schemas/crds: its README describes the definitions."""

    def __init__(self, path):
        digest = json.loads(path.read_text())
        self.definitions = digest.get("definitions", {})
        self.root = digest["schema"]

    def resolve(self, schema):
        while "$ref" in schema:
            schema = self.definitions[schema["$ref"]]
        return schema

    def at(self, path):
        schema = self.resolve(self.root)
        for name in path.split("."):
            schema = self.resolve(schema["properties"][name])
        return schema

    def fields(self, schema, depth, prefix=""):
        schema = self.resolve(schema)
        if schema.get("type") == "array":
            yield from self.fields(schema.get("items", {}), depth, prefix)
            return
        for name, below in schema.get("properties", {}).items():
            yield prefix + name
            if depth > 1:
                yield from self.fields(below, depth - 1, f"{prefix}{name}.")


def objects():
    """All objects of the golden trees; values of charts aren't objects."""
    for path in sorted(ROOT.glob("golden/*/*/clusters/**/*.yaml")) + sorted(ROOT.glob("golden/*/*/stdout.yaml")):
        for document in yaml.load_all(path.read_text(), Loader=yaml.CSafeLoader):
            if isinstance(document, dict) and "kind" in document:
                yield document


def collect(value, prefix, found):
    if isinstance(value, dict):
        for key, below in value.items():
            found.add(f"{prefix}{key}")
            collect(below, f"{prefix}{key}.", found)
    elif isinstance(value, list):
        for below in value:
            collect(below, prefix, found)


def fields_set(places):
    """For each (apiVersion, kind, path), the fields below it that some object sets."""
    found = {place: set() for place in places}
    for document in objects():
        for (version, kind, path), names in found.items():
            if (document.get("apiVersion"), document["kind"]) != (version, kind):
                continue
            value = document
            for name in path.split("."):
                value = value.get(name, {}) if isinstance(value, dict) else {}
            collect(value, "", names)
    return found


def measure(entry, found):
    """The fields that count, and those of them that the trees set."""
    version = entry["apiVersion"]
    crd = Crd(ROOT / "schemas" / "crds" / entry["release"] / f"{version.replace('/', '_')}_{entry['kind']}.json")
    left_out = entry.get("left_out", {})
    every = list(crd.fields(crd.at(entry["at"]), entry.get("depth", DEPTH)))
    unknown = sorted(set(left_out) - set(every))
    fields = [field for field in every if not any(field == name or field.startswith(name + ".") for name in left_out)]
    names = set().union(*(found[version, kind, path] for kind, path in places_of(entry)))
    return fields, [field for field in fields if field in names], unknown


def places_of(entry):
    return [(entry["kind"], entry["at"])] + [tuple(place) for place in entry.get("also", [])]


def main():
    data = json.loads(DATA.read_text())
    entries = data["kinds"]
    found = fields_set({(entry["apiVersion"], *place) for entry in entries for place in places_of(entry)})
    results = [measure(entry, found) for entry in entries]
    failures = []
    for entry, (fields, covered, unknown) in zip(entries, results):
        title = f"{entry['kind']} {entry.get('name', '')}".strip()
        missing = [field for field in fields if field not in covered and field.rpartition(".")[0] in ("", *covered)]
        print(f"{title}: {len(covered)} of {len(fields)}\n  missing: {', '.join(missing) or 'none'}")
        if "--update" in sys.argv:
            entry["floor"] = max(entry.get("floor", 0), len(covered))
        if len(covered) < entry["floor"]:
            failures.append(f"{title}: {len(covered)} fields are set, fewer than {entry['floor']}")
        failures += [f"{title}: `left_out` names {field}, which the CRD doesn't have" for field in unknown]
    if "--update" in sys.argv:
        DATA.write_text(json.dumps(data, indent=2) + "\n")
    print("\n".join(failures), file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
