#!/usr/bin/env python3
"""The add-on catalogue is consistent, as schemas/catalogue/README.md requires: names, references, waves, templates, docs."""

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
        "retired", "management_on", "ignore_differences", "sync_options", "credentials", "manifest", "manifest_source"}
REQUIRED = {"id", "title", "delivery", "version", "namespace", "wave", "order"}
OF_DELIVERY = {"application": {"chart", "repository"}, "cluster-resource-set": {"manifest", "manifest_source"}}
VERSION = re.compile(r"v?\d+\.\d+\.\d+")


def faults_of_entry(addon):
    for key in sorted(addon.keys() - KEYS):
        yield f"unknown key `{key}`"
    for key in sorted((REQUIRED | OF_DELIVERY[addon["delivery"]]) - addon.keys()):
        yield f"`{key}` is missing"
    for chart in addon.get("extra_charts", []):
        if not chart.keys() <= {"chart", "repository", "version"} or "chart" not in chart:
            yield "`extra_charts` has a chart, and perhaps its repository and version"
    if not VERSION.fullmatch(addon["version"]):
        yield f"`{addon['version']}` is no exact version"
    for item in addon.get("not_on", []):
        if "why" not in item or not {"providers", "kubernetes_types"} & item.keys():
            yield "`not_on` says where and why"


def faults_of_references(addon, by_id):
    for key in ("needs", "after"):
        for other in addon.get(key, []):
            if other not in by_id or other == addon["id"]:
                yield f"`{key}` names `{other}`"
                continue
            first = by_id[other]
            if first["order"] > addon["order"]:
                yield f"`order` puts it before `{other}`"
            if first["wave"] > addon["wave"] or (key == "needs" and first["wave"] == addon["wave"]):
                yield f"`wave` lets it start before `{other}` is there"
    for conflict in addon.get("conflicts", []):
        if conflict["with"] not in by_id or "why" not in conflict:
            yield "`conflicts` names an add-on and says why"


def in_circle(addon, by_id, above=()):
    return addon["id"] in above or any(in_circle(by_id[other], by_id, (*above, addon["id"]))
                                       for other in addon.get("needs", []) if other in by_id)


def faults_of_templates(addon):
    if addon["delivery"] == "cluster-resource-set":
        wanted = [f"{addon['id']}.yaml.j2"]
    else:
        wanted = [f"values/{addon['id']}.yaml.j2"]
        wanted += [f"credentials/{addon['id']}.yaml.j2"] if addon.get("credentials") else []
    for path in wanted:
        if not (TEMPLATES / path).is_file():
            yield f"there is no templates/common/addons/{path}"


def main():
    catalogue = yaml.safe_load(CATALOGUE.read_text())
    addons = catalogue["addons"]
    by_id = {addon["id"]: addon for addon in addons}
    names = [name for addon in addons for name in (addon["id"], *addon.get("aliases", []))]
    faults = [f"`{name}` names two add-ons" for name in sorted({name for name in names if names.count(name) > 1})]
    for addon in addons:
        found = [*faults_of_entry(addon), *faults_of_references(addon, by_id), *faults_of_templates(addon)]
        found += ["`needs` leads in a circle"] if in_circle(addon, by_id) else []
        faults += [f"{addon['id']}: {fault}" for fault in found]
    table = (ROOT / "docs" / "addons.md").read_text()
    for addon in addons:
        row = next((line for line in table.splitlines() if line.startswith(f"| `{addon['id']}` |")), "")
        if f"| {addon['version']} |" not in row:
            faults.append(f"{addon['id']}: docs/addons.md has no row with its version {addon['version']}")
    print("".join(f"{fault}\n" for fault in faults), end="")
    print(f"{len(addons)} add-ons, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
