#!/usr/bin/env python3
"""The add-on catalogue is consistent, as schemas/catalogue/README.md requires: names, references, waves, templates, docs.
Every catalogue, and every part of one with its own day, states when and where its facts were looked up."""

import json
import pathlib
import re
import sys

try:
    import yaml
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(0)

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "schemas" / "catalogue" / "addons.yaml"
TEMPLATES = ROOT / "templates" / "common" / "addons"
KEYS = {"id", "title", "aliases", "role", "delivery", "chart", "repository", "extra_charts", "version", "namespace",
        "privileged", "wave", "order", "providers", "kubernetes_types", "not_on", "implied_by", "needs", "after", "conflicts",
        "retired", "management_on", "ignore_differences", "sync_options", "credentials", "manifest", "manifest_source", "versions"}
REQUIRED = {"id", "title", "delivery", "namespace", "wave", "order"}
OF_DELIVERY = {"application": {"chart", "repository", "version"}, "cluster-resource-set": set()}
OF_MANIFEST = {"manifest", "manifest_source", "version"}
UNDATED = {"argocd-health.yaml", "value-keys.yaml"}  # an object to apply, and facts about this repository's own templates
VERSION = re.compile(r"v?\d+\.\d+\.\d+")


def faults_of_entry(addon):
    for key in sorted(addon.keys() - KEYS):
        yield f"unknown key `{key}`"
    wanted = REQUIRED | OF_DELIVERY[addon["delivery"]] | (OF_MANIFEST if OF_MANIFEST & addon.keys() - {"version"} else set())
    for key in sorted(wanted - addon.keys()):
        yield f"`{key}` is missing"
    for chart in addon.get("extra_charts", []):
        if not chart.keys() <= {"chart", "repository", "version"} or "chart" not in chart:
            yield "`extra_charts` has a chart, and perhaps its repository and version"
    if not VERSION.fullmatch(addon.get("version", "0.0.0")):
        yield f"`{addon['version']}` is no exact version"
    for minor, version in addon.get("versions", {}).items():
        if not re.fullmatch(r"1\.\d+", minor) or not VERSION.fullmatch(version):
            yield f"`versions` has `{minor}: {version}`"
    if addon.get("version") != list(addon.get("versions", {"": addon.get("version")}).values())[-1]:
        yield "`version` is the last one of `versions`"
    for item in addon.get("not_on", []):
        if "why" not in item or not {"providers", "kubernetes_types"} & item.keys():
            yield "`not_on` says where and why"


def faults_of_images(addon, known):
    """Each version of a chart has its images, so that `capwright images` lists them."""
    charts = [addon, *addon.get("extra_charts", [])] if "chart" in addon else []
    for chart in charts:
        for version in {chart.get("version", addon["version"]), *addon.get("versions", {}).values()}:
            if (chart["chart"], version) not in known:
                yield f"`chart-images.yaml` has no images of {chart['chart']} {version}"


def faults_of_references(addon, by_id):
    for key in ("needs", "after"):
        for other in addon.get(key, []):
            if other not in by_id or other == addon["id"]:
                yield f"`{key}` names `{other}`"
                continue
            first = by_id[other]
            if first["order"] > addon["order"]:
                yield f"`order` puts it before `{other}`"
            # Cluster API applies manifests in no wave.
            waits = addon["delivery"] == "application"
            if waits and (first["wave"] > addon["wave"] or (key == "needs" and first["wave"] == addon["wave"])):
                yield f"`wave` lets it start before `{other}` is there"
    for conflict in addon.get("conflicts", []):
        if conflict["with"] not in by_id or "why" not in conflict:
            yield "`conflicts` names an add-on and says why"


def in_circle(addon, by_id, above=()):
    return addon["id"] in above or any(in_circle(by_id[other], by_id, (*above, addon["id"]))
                                       for other in addon.get("needs", []) if other in by_id)


def faults_of_templates(addon):
    if addon["delivery"] == "cluster-resource-set":
        wanted = [f"{addon['id']}.yaml.j2" if "manifest" in addon else f"objects/{addon['id']}.yaml.j2"]
    else:
        wanted = [f"values/{addon['id']}.yaml.j2"]
        wanted += [f"credentials/{addon['id']}.yaml.j2"] if addon.get("credentials") else []
    for path in wanted:
        if not (TEMPLATES / path).is_file():
            yield f"there is no templates/common/addons/{path}"


def faults_of_days(part, where, is_file=True):
    """A part is a map; a file has a day and a source, and what is inside has both or neither."""
    if is_file or "as_of" in part:
        if not re.fullmatch(r"20\d\d-[01]\d-[0-3]\d", str(part.get("as_of", ""))):
            yield f"{where}: `as_of` is missing, or isn't a day"
        if not part.get("source") and not part.get("sources"):
            yield f"{where}: `source` is missing"
    for key, value in part.items():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                yield from faults_of_days(item, f"{where}: {item.get('title', key)}", is_file=False)


def faults_of_sources(images):
    named = {image for tags in images["minors"].values() for image in tags}
    for image in sorted(named ^ images["sources"].keys()):
        yield f"images.yaml: `{image}` needs a tag and a source"


def has_key(schemas, key):
    """Whether one of the schemas has this path of the values; `[]` is an item of a list."""
    parts, nodes = key.replace("[]", ".[]").split("."), list(schemas)
    for part in parts:
        found = []
        for node in nodes:
            while "$ref" in node:
                name = node["$ref"].rsplit("/", 1)[-1]
                node = next((s["$defs"][name] for s in schemas if name in s.get("$defs", {})), {})
            below = node.get("items") if part == "[]" else node.get("properties", {}).get(part)
            found += [below] if isinstance(below, dict) else []
        nodes = found
    return bool(nodes)


def faults_of_value_keys(fields):
    schemas = [json.loads(path.read_text()) for path in (
        ROOT / "schemas" / "values" / "common.schema.json", *sorted((ROOT / "templates").glob("*/values.schema.json")))]
    for field in fields:
        keys = [field["key"]] if "key" in field else [line.split(":")[0] for line in field["set"]]
        for key in keys:
            if not has_key(schemas, key):
                yield f"value-keys.yaml: no schema of values has `{key}` ({field['kind']} {field['at']})"
    seen = [(field.get("rule"), field["kind"], at) for field in fields for at in field["at"]]
    for twice in sorted({str(one) for one in seen if seen.count(one) > 1}):
        yield f"value-keys.yaml: {twice} is there twice"


def main():
    catalogue = yaml.safe_load(CATALOGUE.read_text())
    addons = catalogue["addons"]
    by_id = {addon["id"]: addon for addon in addons}
    names = [name for addon in addons for name in (addon["id"], *addon.get("aliases", []))]
    faults = [f"`{name}` names two add-ons" for name in sorted({name for name in names if names.count(name) > 1})]
    charts = yaml.safe_load((CATALOGUE.parent / "chart-images.yaml").read_text())["charts"]
    known = {(chart["chart"], chart["version"]) for chart in charts}
    for addon in addons:
        found = [*faults_of_entry(addon), *faults_of_references(addon, by_id), *faults_of_templates(addon),
                 *faults_of_images(addon, known)]
        found += ["`needs` leads in a circle"] if in_circle(addon, by_id) else []
        faults += [f"{addon['id']}: {fault}" for fault in found]
    for path in sorted(CATALOGUE.parent.glob("*.yaml")):
        if path.name not in UNDATED:
            faults += faults_of_days(yaml.safe_load(path.read_text()), path.name)
    faults += faults_of_sources(yaml.safe_load((CATALOGUE.parent / "images.yaml").read_text()))
    faults += faults_of_value_keys(yaml.safe_load((CATALOGUE.parent / "value-keys.yaml").read_text())["fields"])
    table = (ROOT / "docs" / "addons.md").read_text()
    for addon in addons:
        row = next((line for line in table.splitlines() if line.startswith(f"| `{addon['id']}` |")), "")
        if f"| {addon.get('version', '')} |".replace("|  |", "| |") not in row:
            faults.append(f"{addon['id']}: docs/addons.md has no row with its version {addon.get('version')}")
    print("".join(f"{fault}\n" for fault in faults), end="")
    print(f"{len(addons)} add-ons, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
