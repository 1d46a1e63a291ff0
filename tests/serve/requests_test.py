#!/usr/bin/env python3
"""What a portal asks and gets: renders, field errors with JSON Pointers, scopes of tokens, and files that change meanwhile.

    CAPWRIGHT=build/dev/capwright requests_test.py
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from served import FLEET, expect, finish, serving, token

CAPWRIGHT = os.path.abspath(os.environ["CAPWRIGHT"])
WIZARD = {"cluster_name": "edge-9", "provider": "openstack", "kubernetes_type": "rke2", "control_plane_count": 1,
          "worker_count": 3, "flavor_control_plane": "m1.large", "flavor_worker": "m1.xlarge",
          "image_name": "rke2-node-v1.35-20260407", "addons": ["cinder-csi"]}
FOLDER = ("--folder", "values/portal")  # where layers/portal.yaml applies
CANARY = "a-canary-that-nobody-may-see"
CREDENTIAL = {"application_credential_id": "an-id", "application_credential_secret": CANARY}
SECRET = {"secrets": {"form": "plain", "management": CREDENTIAL, "workload": CREDENTIAL}}


def run(folder, *arguments):
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    return subprocess.run([CAPWRIGHT, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)


def pointers(answer):
    return sorted(error.get("pointer", "") for error in answer.json()["errors"])


def check_render(folder, server):
    answer = server.render("capo", WIZARD)
    expect(answer.status == 200, f"a wizard's values render: {answer.body!r}")
    expect(answer.headers["Content-Type"] == "application/json", "the result is JSON")
    expect(answer.headers["Cache-Control"] == "no-store", "results aren't kept by caches")
    file = folder / "values" / "portal" / "edge-9.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(WIZARD))
    listed = run(folder, "render", "edge-9", "--list").stdout.split()
    expect(sorted(answer.json()["files"]) == sorted(listed), "the files are those of `render --list`")
    file.unlink()
    for template in ("capo-rke2", "capo-rke2-default", "capo-default"):
        expect(server.render(template, WIZARD).body == answer.body, f"`{template}` is the same template")
    expect(not (folder / "clusters").exists(), "nothing is written")


def check_errors(server):
    answer = server.render("capo", WIZARD | {"worker_count": "3", "addons": ["cinder-cs"]})
    expect(answer.status == 422, f"invalid values: {answer.status}")
    expect(answer.headers["Content-Type"] == "application/problem+json", "errors are problem details")
    expect(answer.json()["type"] == "/problems/invalid-values", "the problem has a type")
    expect(server.request("GET", answer.json()["type"], caller=None).json()["title"] == answer.json()["title"],
           "the type has a page")
    expect(pointers(answer) == ["#/addons/0", "#/worker_count"], f"pointers to fields: {pointers(answer)}")
    answer = server.render("capo", WIZARD | {"addons": ["cinder-cs"]})
    expect(pointers(answer) == ["#/addons/0"], f"a pointer into a list: {pointers(answer)}")
    answer = server.render("capo", WIZARD | {"network": {"node_cidr": "10.6.0.0/99"}})
    expect(pointers(answer) == ["#/network/node_cidr"], f"a pointer into a map: {pointers(answer)}")
    answer = server.render("capo", WIZARD | {"addon_values": {"cinder-csi": "a: [\n"}})
    expect(pointers(answer) == ["#/addon_values/cinder-csi"], f"a pointer to a text: {pointers(answer)}")
    answer = server.render("capo", b'{"cluster_name": "edge-9",')
    expect(answer.status == 400 and answer.json()["type"] == "/problems/malformed-values", "malformed JSON")
    answer = server.render("capo", {key: value for key, value in WIZARD.items() if key != "cluster_name"})
    expect(answer.status == 422 and pointers(answer) == ["#"], "a missing name")
    answer = server.render("capo", WIZARD | {"cluster_name": "../../etc"})
    expect(answer.status == 422 and pointers(answer) == ["#/cluster_name"], "a name that is a path")
    answer = server.render("capo", WIZARD | {"provider": "aws"})
    expect(answer.status == 422 and pointers(answer) == ["#/provider"], f"values of another provider: {answer.body!r}")
    answer = server.render("capo-kubeadm-default", WIZARD)
    expect(answer.status == 422 and pointers(answer) == ["#/kubernetes_type"], "values of another type")
    for template in ("capx", "capo-k0s", "..", "capo%2f.."):
        expect(server.render(template, WIZARD).status == 404, f"an unknown template: {template}")
    expect(server.render("capo", WIZARD, Content_Type="text/plain").status == 415, "another media type")
    answer = server.request("GET", "/api/v1/cluster-templates/capo/render")
    expect(answer.status == 405 and answer.headers["Allow"] == "POST", "another method")
    expect(server.request("GET", "/api/v1/nothing").status == 404, "an unknown path")
    expect(server.request("GET", "/healthz", caller=None).json() == {"status": "ok"}, "health")


def check_validate(server):
    path = "/api/v1/cluster-templates/capo/validate"
    answer = server.request("POST", path, WIZARD).json()
    expect(answer["valid"] is True, f"valid values: {answer}")
    answer = server.request("POST", path, WIZARD | {"control_plane_count": 2}).json()
    found = [finding for finding in answer["findings"] if finding["code"] == "CAP401"]
    expect(found and found[0]["pointer"] == "#/control_plane_count", f"a rule's finding points to the field: {answer}")
    answer = server.request("POST", path, WIZARD | {"worker_count": "3"}).json()
    expect(answer["valid"] is False and answer["findings"][0]["pointer"] == "#/worker_count", "an error of the values")
    expect(server.request("POST", path, WIZARD).json()["valid"] is True, "the session goes on after errors")


def check_forms(folder, server):
    for query, options in (("", ()), ("?for=values", ("--for", "values")), ("?for=layer", ("--for", "layer"))):
        answer = server.request("GET", f"/api/v1/schemas/capo{query}")
        expected = run(folder, "schema", "print", "--template-set", "capo", *options).stdout
        expect(answer.body.decode() == expected, f"the schema is that of `schema print {' '.join(options)}`")
    expect(server.request("GET", "/api/v1/schemas/capo?for=x").status == 400, "an unknown parameter")
    expect(server.request("GET", "/api/v1/schemas/openstack").status == 404, "a provider isn't a template set")
    path = "/api/v1/clusters/addon-defaults/cinder-csi"
    answer = server.request("GET", f"{path}?cluster=prod-a")
    printed = json.loads(run(folder, "addons", "defaults", "cinder-csi", "--cluster", "prod-a", "-f", "json").stdout)
    expect(answer.json() == printed, f"chart values of a cluster: {answer.body[:500]!r}")
    answer = server.request("POST", path, WIZARD)
    expect(answer.status == 200 and answer.json()["cluster"] == "edge-9", f"chart values of a form: {answer.body[:500]!r}")
    expect(server.request("GET", path).status == 400, "without a cluster")
    expect(server.request("GET", f"{path}?cluster=nothing").status == 404, "an unknown cluster")
    expect(server.request("GET", "/api/v1/clusters/addon-defaults/nothing?cluster=prod-a").status == 404, "an unknown add-on")


def check_plan(folder, server):
    answer = server.request("POST", "/api/v1/cluster-templates/capo/plan", WIZARD)
    file = folder / "values" / "portal" / "edge-9.json"
    file.write_text(json.dumps(WIZARD))
    printed = run(folder, "plan", "edge-9", "-f", "json").stdout
    file.unlink()
    expect(answer.body.decode() == printed, f"the plan of a new cluster: {answer.body!r} {printed}")
    answer = server.request("POST", "/api/v1/cluster-templates/capo/plan", WIZARD | {"worker_count": "3"})
    expect(answer.status == 422 and pointers(answer) == ["#/worker_count"], f"a plan of invalid values: {answer.body!r}")


def check_operation(server):
    expect(server.request("GET", "/readyz", caller=None).json() == {"status": "ready"}, "a repository that can be used")
    answer = server.request("GET", "/metrics", caller=None)
    expect(answer.headers["Content-Type"].startswith("text/plain"), "metrics are text")
    counts = {name: float(value) for name, value in re.findall(r"^(capwright\S*?(?:\{.*\})?) (\S+)$", answer.body.decode(), re.M)}
    route = "/api/v1/cluster-templates/{id}/render"
    for status in (200, 400, 404, 415, 422):
        name = f'capwright_http_requests_total{{method="POST",route="{route}",status="{status}"}}'
        expect(counts.get(name, 0) > 0, f"{name} is counted")
    total = sum(count for name, count in counts.items() if name.startswith("capwright_http_requests_total") and route in name)
    expect(counts[f'capwright_http_request_duration_seconds_count{{route="{route}"}}'] == total, "each request has a duration")
    expect("edge-9" not in answer.body.decode() and "nothing" not in answer.body.decode(), "metrics name no path of a request")


def check_scopes(folder):
    tokens = [token("edge", ["render"], ["edge-*"]), token("forms", ["schemas"]), token("secrets", ["render", "secrets"])]
    with serving(folder, *FOLDER, tokens=tokens) as server:
        expect(server.render("capo", WIZARD, caller="edge").status == 200, "a token in its scope")
        expect(server.render("capo", WIZARD | {"cluster_name": "prod-z"}, caller="edge").status == 403, "another cluster")
        answer = server.request("POST", "/api/v1/cluster-templates/capo/validate", WIZARD, caller="edge")
        expect(answer.status == 403, "another action")
        for keys, pointer in (({"namespace": "prod-a"}, "#/namespace"), ({"argocd": {"destination": "prod-a"}}, "#/argocd/destination"),
                              ({"argocd": {"project": "platform"}}, "#/argocd/project"), ({"namespace": 3}, "#/namespace"),
                              ({"secrets": {"management": {"name": "prod-a-cloud-config"}}}, "#/secrets/management/name")):
            answer = server.render("capo", WIZARD | keys, caller="edge")
            expect(answer.status == 422 and pointers(answer) == [pointer], f"{keys} is another cluster's: {answer.body[:300]!r}")
        answer = server.render("capo", WIZARD | {"namespace": "edge-all"}, caller="edge")
        expect(answer.status == 200, f"a namespace that fits the token: {answer.body[:300]!r}")
        expect(server.render("capo", WIZARD, caller="forms").status == 403, "no render for forms")
        expect(server.request("GET", "/api/v1/schemas/capo", caller="forms").status == 200, "a schema for forms")
        for caller in (None, "nobody"):
            answer = server.render("capo", WIZARD, caller=caller)
            expect(answer.status == 401 and answer.headers["WWW-Authenticate"] == "Bearer", f"the token {caller}")
        answer = server.render("capo", WIZARD | SECRET, caller="edge")
        expect(answer.status == 200 and CANARY.encode() not in answer.body, f"secrets are redacted: {answer.body[:300]!r}")
        expect(answer.json()["redacted"] != [], "the redacted files are listed")
        answer = server.render("capo", WIZARD | SECRET, caller="secrets")
        expect(CANARY.encode() in answer.body and answer.json()["redacted"] == [], "secrets for a token with `secrets`")
        broken = WIZARD | SECRET | {"worker_count": CANARY}
        expect(CANARY.encode() not in server.render("capo", broken, caller="edge").body, "errors repeat no secret")
        log = server.log
    lines = [json.loads(line) for line in log if line.startswith("{")]
    expect({line.get("token") for line in lines} == {"edge", "forms", "secrets", None}, "the log names tokens")
    expect(all(CANARY not in line and "edge-edge" not in line for line in log), "the log has no secret and no token")
    expect(lines[0]["route"] == "/api/v1/cluster-templates/{id}/render" and lines[0]["cluster"] == "edge-9",
           f"the log names route and cluster: {lines[0]}")


def check_changes(folder):
    """Layers count at once, other files within two seconds."""
    with serving(folder, *FOLDER) as server:
        before = server.render("capo", WIZARD).json()
        layers = sorted((folder / "layers").rglob("*.yaml"))
        texts = {layer: layer.read_text() for layer in layers}
        for layer in layers:
            layer.write_text(layer.read_text() + "\nextensions: {changed: true}\nnamespace: elsewhere\n")
        after = server.render("capo", WIZARD).json()
        expect(before["files"] != after["files"], "a changed layer counts")
        for layer, text in texts.items():
            layer.write_text(text)
        expect(server.render("capo", WIZARD).json() == before, "a layer that is as it was counts")
        expect(run(folder, "eject", "capo").returncode == 0, "eject")
        template = folder / "templates" / "capo" / "cluster" / "health-checks.yaml.j2"
        template.write_text(template.read_text() + "# ours\n")
        for _ in range(40):
            subprocess.run(["sleep", "0.1"], check=True)
            if "# ours" in "".join(server.render("capo", WIZARD).json().get("files", {}).values()):
                break
        else:
            expect(False, "a changed template counts")
        (folder / "capwright.yaml").write_text("nothing: [\n")
        for _ in range(40):
            subprocess.run(["sleep", "0.1"], check=True)
            if server.render("capo", WIZARD).status == 500:
                expect(server.request("GET", "/readyz", caller=None).status == 503, "a broken repository isn't ready")
                break
        else:
            expect(False, "a broken configuration is reported")


def check_names(folder):
    """A name that the command line sets can't widen the scope of a token."""
    tokens = [token("edge", ["render", "validate", "plan", "schemas"], ["edge-*"])]
    with serving(folder, *FOLDER, "--set", "cluster_name=prod-z", tokens=tokens) as server:
        for path in ("cluster-templates/capo/render", "cluster-templates/capo/validate", "cluster-templates/capo/plan",
                     "clusters/addon-defaults/cinder-csi"):
            answer = server.request("POST", f"/api/v1/{path}", WIZARD, caller="edge")
            expect(answer.status == 422 and pointers(answer) == ["#/cluster_name"], f"{path}: {answer.body[:300]!r}")


def check_existing(folder, server):
    """Values replace those of the cluster's file, as JSON or YAML."""
    text = (folder / "values" / "prod-a.yaml").read_bytes()
    as_it_is = server.render("capo", text, Content_Type="application/yaml")
    expect(as_it_is.status == 200, f"an existing cluster: {as_it_is.body[:500]!r}")
    listed = run(folder, "render", "prod-a", "--list").stdout.split()
    expect(sorted(as_it_is.json()["files"]) == sorted(listed), "the files of an existing cluster")
    answer = server.render("capo", WIZARD | {"cluster_name": "prod-a"})
    paths = {error.get("path") for error in answer.json().get("errors", [])}
    expect("values/prod-a.yaml" not in paths, f"JSON isn't read under the name of a YAML file: {answer.body[:500]!r}")


def check_command(folder):
    done = run(folder, "serve")
    expect(done.returncode == 2 and "--tokens" in done.stderr, f"tokens are required: {done.stderr}")
    done = run(folder, "serve", "--anonymous", "--listen", "0.0.0.0:0")
    expect(done.returncode == 2 and "loopback" in done.stderr, f"anonymous requests from elsewhere: {done.stderr}")
    (folder.parent / "bad.yaml").write_text("tokens: [{name: a, sha256: 12, actions: [everything]}]\n")
    done = run(folder, "serve", "--tokens", "../bad.yaml")
    expect(done.returncode == 2 and "everything" in done.stderr, f"invalid tokens: {done.returncode} {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "fleet"
        shutil.copytree(FLEET, folder)
        with serving(folder, *FOLDER) as server:
            check_render(folder, server)
            check_errors(server)
            check_validate(server)
            check_forms(folder, server)
            check_plan(folder, server)
            check_existing(folder, server)
            check_operation(server)
        check_scopes(folder)
        check_names(folder)
        check_command(folder)
        check_changes(folder)
    finish()


if __name__ == "__main__":
    main()
