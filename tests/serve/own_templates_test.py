#!/usr/bin/env python3
"""A repository with templates of its own: requests to `own`, files outside of `clusters/`, and publications.

    CAPWRIGHT=build/dev/capwright own_templates_test.py
"""

import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "publish"))

from served import expect, finish, serving
from site_of_fleet import Site

FILES = {
    "capwright.yaml": """values: [values]
layers: [{file: layers/all.yaml}]
template:
  dir: my-templates
  main: main.yaml.j2
  schema: values.schema.json
  outputs: ["inventory/${cluster_name}.ini"]
""",
    "layers/all.yaml": "namespace: fleet\n",
    "values/lab.yaml": "cluster_name: lab\npatches: 1\n",
    "values.schema.json": json.dumps({"type": "object", "required": ["cluster_name", "patches"],
                                      "properties": {"cluster_name": {"type": "string"}, "namespace": {"type": "string"},
                                                     "patches": {"type": "integer"}}, "additionalProperties": False}),
    "my-templates/main.yaml.j2": """# FILE: clusters/{{ cluster_name }}/map.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ cluster_name }}", namespace: "{{ namespace }}"}
data: {patches: "{{ patches }}"}
# FILE: inventory/{{ cluster_name }}.ini
[{{ cluster_name }}]
""",
}
NEW = {"cluster_name": "edge-1", "patches": 2}
TEMPLATE = "/api/v1/cluster-templates/own"


def check(site, server):
    answer = server.render("own", NEW)
    if not expect(answer.status == 200, f"a render: {answer.body!r}"):
        return
    files = answer.json()["files"]
    expect(sorted(files) == ["clusters/edge-1/map.yaml", "inventory/edge-1.ini"], f"files: {files}")
    values = site.clone / "values" / "edge-1.json"
    values.write_text(json.dumps(NEW))
    site.run("render", "-o", str(site.folder / "out"), "edge-1")
    for path, text in files.items():
        expect((site.folder / "out" / path).read_text() == text, f"{path} has the bytes of `capwright render`")
    values.unlink()
    answer = server.render("own", NEW | {"patches": "two"})
    expect(answer.status == 422 and answer.json()["errors"][0]["pointer"] == "#/patches", f"the schema: {answer.body!r}")
    expect(server.request("POST", f"{TEMPLATE}/validate", NEW).status == 200, "a validation")
    plan = server.request("POST", f"{TEMPLATE}/plan", NEW)
    expect(plan.status == 200 and "edge-1" in plan.body.decode(), f"a plan: {plan.body!r}")
    expect(server.request("GET", "/api/v1/schemas/own").json() == json.loads(FILES["values.schema.json"]), "the schema")
    for path in ("/api/v1/schemas/capo", "/api/v1/clusters/addon-defaults/cilium?cluster=lab"):
        expect(server.request("GET", path).status == 404, f"{path} isn't there")
    for template in ("capo", "my-templates"):
        expect(server.render(template, NEW).status == 404, f"template `{template}` isn't there")


def check_changes(site, server):
    """Templates are read again."""
    path = site.clone / "my-templates" / "main.yaml.j2"
    path.write_text(path.read_text().replace("[{{ cluster_name }}]", "[all:{{ cluster_name }}]"))
    time.sleep(1.2)
    text = server.render("own", NEW).json()["files"]["inventory/edge-1.ini"]
    expect(text == "[all:edge-1]", f"a changed template: {text!r}")
    site.git("checkout", "-q", "my-templates")


def check_publish(site, server):
    answer = server.request("POST", f"{TEMPLATE}/publish", NEW, Idempotency_Key="k")
    if not expect(answer.status == 200, f"a publication: {answer.body!r}"):
        return
    changed = site.git("show", "--format=", "--name-only", "main", at=site.bare).split()
    expect(changed == ["clusters/edge-1/.capwright-index", "clusters/edge-1/map.yaml", "inventory/edge-1.ini", "values/edge-1.json"],
           f"one commit: {changed}")
    expect(answer.json()["files"] == ["clusters/edge-1/map.yaml", "inventory/edge-1.ini"], f"the files: {answer.json()}")


def main():
    site = Site()
    try:
        site.replace_files(FILES, "Use templates of our own")
        with serving(site.clone, variables=site.env) as server:
            check(site, server)
            check_changes(site, server)
            check_publish(site, server)
    finally:
        site.close()
    finish()


if __name__ == "__main__":
    main()
