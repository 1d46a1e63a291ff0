#!/usr/bin/env python3
"""The page of `capwright serve --wizard` in headless Chromium: from an empty repository to a commit, refusals, lost connections,
hostile texts, accessibility, screenshots.

    CAPWRIGHT=build/dev/capwright wizard_browser_test.py

support/browser.py says what it needs.
"""

import contextlib
import json
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "publish"), str(TESTS / "support")]

import browser
from served import expect, finish, serving, token
from site_of_fleet import Site

EMPTY = {"capwright.yaml": "values: [values]\n", "README.md": "No cluster yet.\n"}
HOSTILE = "</script><script>hit()</script><img src=x onerror=hit()><svg onload=hit()>{{7*7}}\u202e\"'" + "x" * 300
LONG = HOSTILE + "y" * 10000
OWN = {
    "capwright.yaml": "values: [values]\ntemplate: {dir: templates-of-ours, main: main.yaml.j2, schema: values.schema.json}\n",
    "values.schema.json": json.dumps({
        "type": "object", "required": ["cluster_name"], "additionalProperties": False,
        "properties": {
            "cluster_name": {"type": "string", "title": HOSTILE, "description": HOSTILE, "examples": [HOSTILE]},
            "note": {"type": "string", "default": HOSTILE, "x-expected": HOSTILE},
            "choice": {"enum": [HOSTILE, "other"]},
            "token": {"type": "string", "x-secret": True},
            "refused": False,
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "pools": {"type": "array", "items": {"type": "object", "required": ["size"], "properties": {
                "size": {"type": "integer"}, "spot": {"type": "boolean"}}}},
            "disk": {"title": "Disk", "oneOf": [{"title": "Size", "type": "integer"},
                                                {"title": "Details", "type": "object", "properties": {"size": {"type": "integer"}}}]}}}),
    "templates-of-ours/main.yaml.j2": "# FILE: clusters/{{ cluster_name }}/map.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: "
                                      "{{ cluster_name }}, namespace: default}\ndata:\n  note: {{ note | default('') | tojson }}\n"
                                      "  all: {{ {'labels': labels | default({}), 'pools': pools | default([]), 'disk': disk | default('')}"
                                      " | tojson | tojson }}\n",
}


def drive(part, server, images, **settings):
    origin = f"http://127.0.0.1:{server.port}/"
    errors = browser.drive(pathlib.Path(__file__).with_name("wizard.mjs"), part, f"{origin}wizard/", images, allowed=origin, **settings)
    expect(not errors, errors)


@contextlib.contextmanager
def wizard_for(files, *options, tokens=None):
    """A server for a repository with these files, or with the tutorial's fleet."""
    site = Site()
    try:
        if files:
            site.replace_files(files, "Begin")
        with serving(site.clone, "--wizard", *options, tokens=tokens, variables=site.env) as server:
            yield site, server
    finally:
        site.close()


def check_created(images):
    with wizard_for(EMPTY) as (site, server):
        for part in ("create", "refusals", "dark", "phone", "phoneDark"):
            drive(part, server, images, hostile=HOSTILE)
        commits = site.git("log", "--reverse", "--format=%H", "main", "--", "values/first.json", at=site.bare).split()
        expect(len(commits) == 2, f"the creation and the change are one commit each: {commits}")
        changed = site.git("show", "--format=", "--name-only", commits[0], at=site.bare).split()
        expect("values/first.json" in changed and "clusters/first/cluster.yaml" in changed, f"values and files: {changed}")
        values = json.loads(site.git("show", f"{commits[0]}:values/first.json", at=site.bare))
        expect(values["control_plane_count"] == 3 and values["network"]["dns_nameservers"] == ["10.10.0.53"], f"{values}")
        expect(values["addons"] == ["cinder-csi"] and "replicas" in values["addon_values"]["cinder-csi"], f"add-ons: {values}")
        site.git("pull", "-q")
        checked = site.run("render", "--check")
        expect(checked.returncode == 0, f"a render changes nothing: {checked.stdout}{checked.stderr}")


def check_hostile(images):
    with wizard_for(OWN, tokens=[token("all", ("render", "validate", "plan", "schemas", "publish"))]) as (site, server):
        for part, name in (("hostile", "hostile"), ("hostilePhone", "hostile-phone-dark")):
            drive(part, server, images, hostile=HOSTILE, long=LONG)
            values = json.loads(site.git("show", f"main:values/{name}.json", at=site.bare))
            expected = {"cluster_name": name, "note": LONG, "choice": HOSTILE, "labels": {HOSTILE: HOSTILE, "__proto__": "polluted"},
                        "disk": {"size": 5}, "pools": [{"size": 3, "spot": True}]}
            expect(values == expected, f"hostile values are committed as they are: {values}")


def check_keyboard(images):
    with wizard_for(None, "--folder", "values/portal") as (site, server):
        drive("keyboard", server, images)
        values = json.loads(site.git("show", "main:values/portal/keys.json", at=site.bare))
        expect(values["kubernetes_type"] == "rke2" and values["worker_count"] == 3, f"by keys alone: {values}")


def main():
    browser.skip_without_browser()
    with browser.screenshots() as images:
        check_created(images)
        check_hostile(images)
        check_keyboard(images)
    finish()


main()
