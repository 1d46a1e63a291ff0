#!/usr/bin/env python3
"""The page of `capwright serve --wizard` without a browser: its files and headers, and what the API gives its form.

    CAPWRIGHT=build/dev/capwright wizard_test.py
"""

import pathlib
import re
import shutil
import tempfile

from served import FLEET, expect, finish, serving, token

VALUES = {"cluster_name": "edge-9", "provider": "openstack", "kubernetes_type": "rke2", "control_plane_count": 1,
          "worker_count": 3, "flavor_control_plane": "m1.large", "flavor_worker": "m1.xlarge",
          "image_name": "rke2-node-v1.35-20260407", "addons": ["cinder-csi"]}
CANARY = "a-canary-that-nobody-may-see"
CREDENTIAL = {"application_credential_id": "an-id", "application_credential_secret": CANARY}
VALIDATE = "/api/v1/cluster-templates/capo/validate"


def check_files(server):
    page = server.request("GET", "/wizard/", caller=None)
    expect(page.status == 200 and page.headers["Content-Type"].startswith("text/html"), f"the page: {page.status}")
    text = page.body.decode()
    expect(not re.search(r"<script(?![^>]*src=)|\son\w+=|style=|https?:", text), "the page has no inline script, style or address")
    named = set(re.findall(r'(?:href|src)="([^"]+)"', text))
    for name in sorted(named):
        answer = server.request("GET", f"/wizard/{name}", caller=None)
        expect(answer.status == 200 and len(answer.body) > 100, f"{name}: {answer.status}")
        imported = set(re.findall(r"^import .* from '\./([^']+)';", answer.body.decode(), re.M))
        expect(imported <= named, f"{name} imports files that the page preloads: {imported - named}")
        expect(not re.search(rb"innerHTML|outerHTML|insertAdjacentHTML|document\.write|https?://(?!www\.w3\.org)", answer.body),
               f"{name} makes no markup of texts, and names no other place")
    for path in ("/wizard/", "/wizard/app.js", "/wizard/nothing", "/"):
        answer = server.request("GET", path, caller=None)
        policy = answer.headers["Content-Security-Policy"] or ""
        expect("default-src 'none'" in policy and "script-src 'self';" in policy and "frame-ancestors 'none'" in policy
               and "unsafe" not in policy, f"{path}: {policy}")
        expect(answer.headers["X-Content-Type-Options"] == "nosniff" and answer.headers["X-Frame-Options"] == "DENY", f"{path}: headers")
        expect(answer.headers["Referrer-Policy"] == "no-referrer" and answer.headers["Cache-Control"] == "no-store", f"{path}: headers")
        expect(answer.headers["Set-Cookie"] is None and answer.headers["Access-Control-Allow-Origin"] is None, f"{path}: no cookie, no other origin")


def check_paths(server):
    for path in ("/", "/wizard"):
        answer = server.request("GET", path, caller=None)
        expect(answer.status == 302 and answer.headers["Location"] == "wizard/", f"{path} leads to the page: {answer.status}")
    for path in ("/wizard/nothing", "/wizard/../portal.h", "/wizard/%2e%2e/", "/wizard//", "/wizard/app.js/"):
        expect(server.request("GET", path, caller=None).status == 404, f"`{path}` isn't a file of the page")
    for method in ("POST", "PUT", "DELETE"):
        answer = server.request(method, "/wizard/", caller=None)
        expect(answer.status == 405 and answer.headers["Allow"] == "GET", f"{method}: {answer.status}")
    answer = server.request("GET", "/api/v1/cluster-templates", caller=None)
    expect(answer.status == 401, "the API needs a token as without the wizard")
    expect(server.request("GET", "/healthz", caller=None).status == 200, "other pages are answered as without it")
    expect('route="/wizard/"' in server.request("GET", "/metrics", caller=None).body.decode(), "metrics count the page as one route")


def check_templates(server):
    offer = server.request("GET", "/api/v1/cluster-templates").json()
    expect(offer["folder"] == "values/portal", f"where values go: {offer['folder']}")
    by_id = {each["id"]: each for each in offer["templates"]}
    expect(set(by_id) >= {"capa", "capo", "capoci", "capz"} and "openstack" not in by_id, f"template sets: {set(by_id)}")
    capo = by_id["capo"]
    expect(capo["provider"] == "openstack" and capo["kubernetes_types"] == ["kubeadm", "rke2", "k3s"] and capo["has_schema"], f"{capo}")
    addons = {each["id"]: each for each in capo["addons"]}
    expect(addons["cinder-csi"]["has_values"] and addons["openstack-ccm"]["implied"], "add-ons of OpenStack")
    expect("aws-ebs-csi" not in addons and "ingress-nginx" not in addons, "without those of other clouds, and retired ones")
    for each in offer["templates"]:
        expect(server.request("GET", f"/api/v1/schemas/{each['id']}").status == 200, f"the schema of {each['id']}")
    expect(offer["caller"]["name"] == "all" and "publish" in offer["caller"]["actions"], f"{offer['caller']}")
    expect("#/patches" in offer["refused"] and "#/secrets/sops" not in offer["refused"], f"{offer['refused']}")
    narrow = server.request("GET", "/api/v1/cluster-templates", caller="form").json()
    expect(narrow["caller"] == {"name": "form", "actions": ["render", "validate", "schemas"], "clusters": ["edge-*"]}, f"{narrow['caller']}")
    for pointer in narrow["refused"]:
        keys = pointer.split("/")[1:]
        value = {keys[-1]: []} if len(keys) == 1 else {keys[0]: {keys[1]: {}}}
        answer = server.request("POST", VALIDATE, VALUES | value, caller="form")
        expect(answer.status == 422 and answer.json()["errors"][0]["pointer"] == pointer, f"{pointer} is refused: {answer.body}")
    expect(server.request("GET", "/api/v1/cluster-templates", caller="blind").status == 403, "it needs the action `schemas`")


def check_missing(server):
    def missing(values):
        return sorted(each["missing"] for each in server.request("POST", VALIDATE, values).json()["findings"] if "missing" in each)

    few = {key: VALUES[key] for key in ("cluster_name", "provider", "kubernetes_type")}
    expect(missing(VALUES) == [], "complete values")
    found = missing(few)
    expect({"#/image_name", "#/control_plane_count", "#/worker_pools"} <= set(found), f"missing keys: {found}")
    expect("#/kubernetes_version" not in found and "#/openstack" not in found, f"layers set others: {found}")
    found = missing(VALUES | {"rke2": {"etcd_backup": {"bucket": "b"}}})
    expect(found == ["#/rke2/etcd_backup/endpoint"], f"a key in a map: {found}")
    pools = [{"name": "a", "count": 1, "flavor": "m1.large"}, {"name": "b", "count": 1, "taints": [{"effect": "NoSchedule"}]}]
    found = missing({key: value for key, value in VALUES.items() if key not in ("worker_count", "flavor_worker")} | {"worker_pools": pools})
    expect(found == ["#/worker_pools/1/flavor", "#/worker_pools/1/taints/0/key"], f"keys in lists: {found}")


def check_redaction(server):
    plain = VALUES | {"secrets": {"form": "plain", "management": CREDENTIAL, "workload": CREDENTIAL}}
    path = "/api/v1/cluster-templates/capo/render"
    expect(CANARY in server.request("POST", path, plain).body.decode(), "a token with `secrets` sees them")
    answer = server.request("POST", f"{path}?redact=true", plain)
    expect(answer.status == 200 and CANARY not in answer.body.decode() and answer.json()["redacted"], "the review of the wizard doesn't")
    expect(server.request("POST", f"{path}?redact=no", plain).status == 400, "another word")


def main():
    tokens = [token("all"), token("form", ("render", "validate", "schemas"), ("edge-*",)), token("blind", ("render",))]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "fleet"
        shutil.copytree(FLEET, folder)
        with serving(folder, "--folder", "values/portal", "--wizard", tokens=tokens) as server:
            check_files(server)
            check_paths(server)
            check_templates(server)
            check_missing(server)
            check_redaction(server)
        with serving(folder) as server:
            for path in ("/", "/wizard", "/wizard/", "/wizard/app.js"):
                expect(server.request("GET", path, caller=None).status == 404, f"no `{path}` without --wizard")
    finish()


main()
