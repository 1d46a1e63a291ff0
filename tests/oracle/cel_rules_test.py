"""Every CEL rule of the recorded CRDs compiles against its schema, and so does its message.

Usage: cel_rules_test.py      environment: CAPWRIGHT names the program, CAPWRIGHT_SHARED the CRDs
Exit code 77 and a reason if the CRDs or PyYAML are missing.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def without_rules(schema):
    """A schema for the compiler, without rules, and without prose to save time. `properties` contains names."""
    if isinstance(schema, list):
        return [without_rules(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: {name: without_rules(below) for name, below in value.items()} if key == "properties"
            else without_rules(value)
            for key, value in schema.items() if key not in ("x-kubernetes-validations", "description")}


def expressions(schema, is_root=True):
    """(schema, expression) for each rule and message in a schema and below."""
    for rule in schema.get("x-kubernetes-validations", []):
        for key in ("rule", "messageExpression"):
            if key in rule:
                yield {"expression": rule[key], "schema": without_rules(schema), "root": is_root}
    below = list(schema.get("properties", {}).values())
    below += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
    for one in below:
        yield from expressions(one, False)


def main():
    crds = pathlib.Path(os.environ.get("CAPWRIGHT_SHARED", HERE.parents[2] / "shared")) / "crds"
    if not (crds / "CEL.tsv").exists():
        print("skipped: the recorded CRDs are not there")
        sys.exit(77)
    try:
        import yaml
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    requests = []
    for path in sorted(crds.glob("*/*.yaml")):
        if "x-kubernetes-validations" not in path.read_text(encoding="utf-8"):
            continue
        for document in yaml.load_all(path.read_text(encoding="utf-8"), loader):
            if not document or document.get("kind") != "CustomResourceDefinition":
                continue
            for version in document["spec"]["versions"]:
                requests += expressions(version["schema"]["openAPIV3Schema"])
    with (crds / "CEL.tsv").open(encoding="utf-8") as table:
        listed = {row["rule"] for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)}
    missing = listed - {request["expression"] for request in requests}
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    answers = subprocess.run([os.environ["CAPWRIGHT"] + "-dev", "cel"], input=lines, capture_output=True, text=True,
                             check=True).stdout.splitlines()
    refused = [(request["expression"], answer) for request, answer in zip(requests, map(json.loads, answers))
               if "type" not in answer]
    for expression, answer in refused[:10]:
        print(expression, json.dumps(answer))
    print(f"{len(requests)} uses of {len({request['expression'] for request in requests})} expressions: "
          f"{len(refused)} refused, {len(missing)} listed rules not found")
    if refused or missing or len(answers) != len(requests):
        sys.exit(1)


main()
