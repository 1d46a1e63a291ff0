#!/usr/bin/env python3
"""Clusters that clients publish: one commit with values and files, keys that are sent again, refusals, and a server that is
killed at any time.

    CAPWRIGHT=build/dev/capwright publish_test.py [NAME...]     # cases whose name has one of these words
"""

import concurrent.futures
import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import random
import subprocess
import sys
import threading
import time
import uuid

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "publish"), str(TESTS / "integration")]

from audit_test import postgres, postgres_programs
from gitea_site import TOKEN, begin, bodies
from served import expect, failures, serving, token
from site_of_fleet import Site

CLIENTS = 4
LOAD_KILLS = {"few": 3, "all": 30}.get(os.environ.get("CAPWRIGHT_EFFORT"), 8)
KILLS = {"few": 6, "all": 40}.get(os.environ.get("CAPWRIGHT_EFFORT"), 14)
VALUES = {"cluster_name": "edge-9", "provider": "openstack", "kubernetes_type": "rke2", "control_plane_count": 3,
          "worker_count": 3, "flavor_control_plane": "m1.large", "flavor_worker": "m1.xlarge",
          "image_name": "rke2-node-v1.35-20260407", "addons": ["cinder-csi"]}
PATH = "/api/v1/cluster-templates/capo/publish"


def publish(server, values=None, key=None, query="", caller="all", **headers):
    return server.request("POST", PATH + query, values or VALUES, caller=caller, Idempotency_Key=key or str(uuid.uuid4()), **headers)


@contextlib.contextmanager
def portal(site, *arguments, tokens=None):
    with serving(site.clone, "--folder", "values/portal", *arguments, tokens=tokens, variables=site.env) as server:
        yield server


def refused(answer, status, kind):
    said = answer.json()
    good = answer.status == status and said.get("type") == f"/problems/{kind}"
    return expect(good and answer.headers["Content-Type"] == "application/problem+json", f"{status} {kind}, not {answer.status} {said}")


def commits(site, key_of=None):
    """The ids of requests in the messages of the branch, oldest first."""
    log = site.git("log", "--reverse", "--format=%(trailers:key=Capwright-Request,valueonly,separator=)", "main", at=site.bare)
    return [line for line in log.splitlines() if line]


def show(site, path):
    return subprocess.run(["git", "show", f"main:{path}"], cwd=site.bare, capture_output=True, check=True).stdout


def state_of_clone(site):
    return site.git("rev-parse", "HEAD"), site.git("status", "--porcelain"), site.git("branch", "-a", "--format=%(refname)")


def test_new_cluster(site):
    site.publish()
    site.git("pull", "-q")
    before = site.there()
    with portal(site) as server:
        clone = state_of_clone(site)
        body = json.dumps(VALUES, indent=1).encode()
        answer = publish(server, body, "one", If_None_Match="*")
        said = answer.json()
        if not expect(answer.status == 200, f"a new cluster: {said} {server.log}"):
            return
        expect(said["changed"] and said["commit"] == site.there() and said["branch"] == "main", f"the commit: {said}")
        expect(site.git("rev-parse", "main^", at=site.bare) == before, "one commit on the branch")
        expect(show(site, said["values_path"]) == body, "the values file has the bytes of the body")
        expect(said["values_path"] == "values/portal/edge-9.json", f"where the values are: {said}")
        expect(site.git("rev-parse", "main:values/portal/edge-9.json", at=site.bare) == said["values_id"], "their id")
        expect("clusters/edge-9/cluster.yaml" in said["files"], f"rendered files: {said}")
        rendered = server.render("capo", body).json()["files"]
        for path, text in rendered.items():
            expect(show(site, path).decode() == text, f"{path} is what `render` answers")
        expect(sorted(rendered) == sorted(said["files"]), f"all of them are listed: {said['files']}")
        expect(state_of_clone(site) == clone, "the checkout isn't changed")
        changed = site.git("show", "--format=", "--name-only", "main", at=site.bare).split()
        expect(set(changed) == set(rendered) | {said["values_path"], "clusters/edge-9/.capwright-index"}, f"no other file: {changed}")
        row = server.request("GET", "/api/v1/audit?cluster=edge-9").json()["renders"]
        expect(len(row) == 1 and row[0]["commit"] == row[0]["source"] == said["commit"], f"a row of the audit: {row}")
        expect(row[0]["who"] == "all via Team <fleet@example.com>", f"who: {row}")
        again = publish(server, body, '"one"', If_None_Match="*")
        expect(again.body == answer.body and again.headers["Idempotency-Replayed"] == "true", "the same answer again")
        expect(site.there() == said["commit"], "and nothing more")
        refused(publish(server, VALUES | {"worker_count": 4}, "one", If_None_Match="*"), 422, "key-reused")
        refused(publish(server, body, "two", If_None_Match="*"), 412, "precondition-failed")
        same = publish(server, body, "three").json()
        expect(same["changed"] is False and same["commit"] == said["commit"], f"nothing to change: {same}")
        body = json.dumps(VALUES | {"worker_count": 5}).encode()
        refused(publish(server, body, "four", If_Match=f'"{"0" * 40}"'), 412, "precondition-failed")
        more = publish(server, body, "five", If_Match=f'"{said["values_id"]}"').json()
        expect(more.get("changed") and site.git("rev-parse", "main^", at=site.bare) == said["commit"], f"other values: {more}")
    site.check_whole()
    site.git("pull", "-q")
    verified = site.run("audit", "verify", "edge-9")
    expect(verified.returncode == 0, f"the audit renders it again: {verified.stdout}{verified.stderr}")


def test_first_cluster(site):
    """The repository has no folder for values yet."""
    site.git("rm", "-rq", "values")
    site.commit("Remove all clusters")
    site.git("push", "-q", "origin", "main")
    with portal(site) as server:
        answer = publish(server, If_None_Match="*")
        expect(answer.status == 200 and answer.json()["values_path"] == "values/portal/edge-9.json", f"it is made: {answer.json()}")


def test_values_file_of_another_form(site):
    with portal(site) as server:
        said = publish(server, b"# by hand\n" + json.dumps(VALUES).encode(), Content_Type="application/yaml").json()
        expect(said["values_path"] == "values/portal/edge-9.yaml", f"YAML: {said}")
        said = publish(server).json()
        expect(said["values_path"] == "values/portal/edge-9.json", f"JSON: {said}")
        files = site.git("ls-tree", "-r", "--name-only", "main", "values/portal", at=site.bare).split()
        expect([path for path in files if "edge-9" in path] == ["values/portal/edge-9.json"], f"one file: {files}")


def test_folder_in_repository(site):
    """capwright.yaml isn't at the root of the repository."""
    below = site.clone / "fleets" / "eu"
    below.mkdir(parents=True)
    for path in list(site.clone.iterdir()):
        if path.name not in (".git", "fleets"):
            path.rename(below / path.name)
    layer = below / "layers" / "fleet.yaml"
    layer.write_text(layer.read_text().replace("argocd:\n", "argocd:\n  path: fleets/eu\n"))
    site.commit("Move")
    site.git("push", "-q", "origin", "main")
    with serving(below, "--folder", "values/portal", variables=site.env) as server:
        said = publish(server).json()
        expect(said.get("values_path") == "values/portal/edge-9.json", f"from the folder of capwright.yaml: {said}")
        expect("fleets/eu/clusters/edge-9/cluster.yaml" in said["files"], f"from the root: {said}")
        expect(json.loads(show(site, "fleets/eu/values/portal/edge-9.json")) == VALUES, "the values are in that folder")
        changed = site.git("show", "--format=", "--name-only", "main", at=site.bare).split()
        expect(all(path.startswith("fleets/eu/") for path in changed), f"and nothing outside of it: {changed}")


def test_files_of_other_names(site):
    """`cluster_name` decides which file is a cluster's, not the name of the file."""
    text = (site.clone / "values" / "prod-a.yaml").read_text()
    (site.clone / "values" / "edge-9.yaml").write_text(text.replace("prod-a", "prod-z"))
    (site.clone / "values" / "other.yaml").write_text(text.replace("prod-a", "edge-8"))
    site.commit("Names")
    site.git("push", "-q", "origin", "main")
    before = site.there()
    with portal(site) as server:
        answer = publish(server)
        refused(answer, 409, "conflict")
        expect("`values/edge-9.yaml` has the values of cluster `prod-z`" in answer.json()["detail"], f"whose file it is: {answer.body}")
        refused(publish(server, VALUES | {"cluster_name": "edge-8"}, If_None_Match="*"), 412, "precondition-failed")
        expect(site.there() == before, "nothing is published")


def test_refusals(site):
    with portal(site, "--max-roll", "1", tokens=[token("all"), token("edge", ["publish"], ["edge-*"]), token("reader", ["render"])]) as server:
        before = site.there()
        refused(server.request("POST", PATH, VALUES), 400, "malformed-request")
        for key in ("", "x" * 256, 'a"b', "a\\b"):
            refused(publish(server, key=key) if key else server.request("POST", PATH, VALUES, Idempotency_Key=""), 400, "malformed-request")
        refused(publish(server, query="?allow=everything"), 400, "malformed-request")
        refused(publish(server, If_Match="W/x"), 400, "malformed-request")
        refused(publish(server, If_None_Match='"x"'), 400, "malformed-request")
        refused(publish(server, If_Match=""), 400, "malformed-request")
        refused(publish(server, If_Match=f'"{"0" * 40}"', If_None_Match="*"), 400, "malformed-request")
        refused(publish(server, caller="reader"), 403, "forbidden")
        refused(publish(server, caller=None), 401, "unauthorized")
        refused(publish(server, VALUES | {"cluster_name": "prod-z"}, caller="edge"), 403, "forbidden")
        refused(publish(server, b"[1]"), 400, "malformed-values")
        refused(publish(server, VALUES | {"provider": "aws"}), 422, "invalid-values")
        answer = publish(server, VALUES | {"worker_count": "3"}, "again")
        refused(answer, 422, "invalid-values")
        expect([error.get("pointer") for error in answer.json()["errors"]] == ["#/worker_count"], f"the field: {answer.json()}")
        secret = {"secrets": {"management": {"application_credential_id": "x", "application_credential_secret": "a-canary"}}}
        answer = publish(server, VALUES | secret)
        expect(answer.status == 422 and "a-canary" not in answer.body.decode(), f"a secret in the values: {answer.body}")
        for more in ({"extends": ["../prod-a.yaml"]}, {"existing_names": []}):
            refused(publish(server, VALUES | more), 422, "invalid-values")
        for more in ({"sealed": {"certificate": "values/x.yaml"}}, {"sops": {"age": ["age1x"]}}):
            answer = publish(server, VALUES | {"secrets": more}, caller="edge")
            refused(answer, 422, "invalid-values")
            expect("belongs into a layer" in answer.json()["detail"], f"why: {answer.body}")
        expect(site.there() == before, "nothing is published")
        expect(publish(server, key="again").status == 200, "a refused request leaves its key")
        site.publish()
        answer = publish(server, VALUES | {"flavor_worker": "m1.small"}, "roll")
        refused(answer, 409, "consent-required")
        expect(answer.json()["errors"][0]["allow"] == "roll", f"what it needs: {answer.json()}")
        refused(publish(server, VALUES | {"flavor_worker": "m1.small"}, "roll", "?allow=roll"), 422, "limit-exceeded")
        answer = publish(server, VALUES | {"worker_count": 1}, "scale")
        refused(answer, 409, "consent-required")
        expect(publish(server, VALUES | {"worker_count": 1}, "scale", "?allow=scale").status == 200, "an allowed one")
    site.check_whole()


def test_remotes(site):
    site.setting("publish: {lock: {wait: 1}}\n")
    site.publish()
    site.serve()
    site.hook("update", 'test "$1" != refs/heads/main || { echo "main is a protected branch" >&2; exit 1; }\n')
    with portal(site) as server:
        before = site.there()
        refused(publish(server, key="k"), 409, "protected-branch")
        hook = site.hook("update", 'test "$1" != refs/heads/main || { echo "no changes on fridays" >&2; exit 1; }\n')
        answer = publish(server, key="k")
        refused(answer, 502, "remote")
        expect("no changes on fridays" in answer.body.decode(), f"the words of the host: {answer.json()}")
        refused(publish(server, VALUES | {"worker_count": 4}, key="k"), 422, "key-reused")
        hook.unlink()
        expect(site.there() == before and not commits(site), "nothing arrived")
        expect(publish(server, key="k").status == 200, "the same key, when the host accepts it")
        site.processes[0].kill()
        refused(publish(server, VALUES | {"worker_count": 4}), 502, "remote")
        site.git("remote", "set-url", "origin", f"file://{site.bare}")
        lock = site.git("commit-tree", "-m",
                        "capwright publishes main\n\nHolder: Bo <bo@example.com>\nHost: build-7\nProcess: 1\nRun: x\n"
                        f"Since: {int(time.time()) - 5}\nUntil: {int(time.time()) + 600}", "HEAD^{tree}")
        site.git("push", "-q", "origin", f"{lock}:refs/capwright/lock/main")
        answer = publish(server, VALUES | {"worker_count": 4}, "locked")
        refused(answer, 503, "locked")
        expect("Bo <bo@example.com> on build-7" in answer.body.decode() and "Retry-After" in answer.headers, f"{answer.json()}")
        site.git("push", "-q", "origin", ":refs/capwright/lock/main")
        expect(publish(server, VALUES | {"worker_count": 4}, "locked").status == 200, "when the lock is gone")
    site.check_whole()


def test_configurations(site):
    """Where one commit can't have values and files, and where a server can't start."""
    for setting, word in (("publish: {branch: rendered}\n", "publish.branch"), ("publish: {pull_request: always}\n", "pull_request")):
        path = site.clone / "capwright.yaml"
        text = path.read_text()
        path.write_text(text + setting)
        with portal(site) as server:
            answer = publish(server)
            refused(answer, 500, "repository")
            expect(word in answer.json()["detail"], f"{setting}: {answer.json()}")
        path.write_text(text)
    secret = site.folder / "tokens.json"
    secret.write_text(json.dumps({"tokens": [token("all")]}))
    done = site.run("serve", "--listen", "127.0.0.1:0", "--tokens", str(secret), "--set", "worker_count=3")
    expect(done.returncode == 2 and "`--set`" in done.stderr, f"values that no commit would have: {done.stderr}")


def test_gitea(site):
    """The host makes the commit: values and files in one request."""
    begin(site)
    with portal(site) as server:
        answer = publish(server, key="k")
        if not expect(answer.status == 200, f"by the API: {answer.json()} {server.log}"):
            return
        said = answer.json()
        expect(said["commit"] == site.there() and said["changed"], f"the host's commit: {said}")
        sent = bodies(site)
        paths = {file["path"] for file in sent[0]["files"]}
        expect(len(sent) == 1 and set(said["files"]) | {said["values_path"]} <= paths, f"one request: {len(sent)} {paths}")
        expect(publish(server, key="k").headers["Idempotency-Replayed"] == "true", "the same answer again")
        expect(TOKEN not in "".join(server.log), "no token in the log")


def test_postgres(site):
    programs = postgres_programs()
    if programs is None:
        print("PostgreSQL is not installed: only SQLite was tested")
        return
    with postgres(programs, site.folder) as url:
        site.setting(f"audit: {{database: '{url}'}}\n")
        with portal(site) as server:
            first = publish(server, key="k")
            expect(first.status == 200, f"a publication: {first.json()} {server.log}")
            expect(publish(server, key="k").body == first.body, "its answer again")
            refused(publish(server, VALUES | {"worker_count": 4}, key="k"), 422, "key-reused")
            refused(publish(server, VALUES | {"worker_count": "x"}, key="l"), 422, "invalid-values")
            expect(publish(server, VALUES | {"worker_count": 4}, key="l").status == 200, "a key after a refusal")
            rows = server.request("GET", "/api/v1/audit?cluster=edge-9").json()["renders"]
            expect(len(rows) == 2, f"rows: {rows}")
        # Another clone uses the same keys, and may not take over what the first one works on.
        other = site.new_clone("other")

        def sql(statement):
            return subprocess.run([programs / "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", statement, url],
                                  capture_output=True, text=True, check=True).stdout

        with serving(other, "--folder", "values/portal", variables=site.env) as server:
            expect(publish(server, key="k").body == first.body, "the answer of the other clone")
            sql("UPDATE publish_requests SET state = 'running', answer = '' WHERE answer LIKE '%" + first.json()["commit"] + "%'")
            refused(publish(server, key="k"), 409, "request-in-progress")
            sql("UPDATE publish_requests SET held_until = 1 WHERE state = 'running'")
            answer = publish(server, VALUES, key="k", query="")
            expect(answer.status == 200 and answer.json()["commit"] == first.json()["commit"], f"after its time: {answer.json()}")


def test_moved_branch(site):
    """Somebody pushes while the request runs: it is rendered again, on top."""
    site.setting("publish: {lock: {remote: false}}\n")
    site.serve()
    flag = site.folder / "held"
    hook = site.hook("pre-receive", f"""test ! -e {flag} || exit 0
touch {flag}
unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
export GIT_AUTHOR_NAME=Bo GIT_AUTHOR_EMAIL=bo@example.com GIT_COMMITTER_NAME=Bo GIT_COMMITTER_EMAIL=bo@example.com
git update-ref refs/heads/main $(git commit-tree -m faster -p main main^{{tree}})
""")
    with portal(site) as server:
        answer = publish(server)
        expect(answer.status == 200, f"the second attempt: {answer.json()}")
    hook.unlink()
    expect(site.git("log", "-2", "--format=%an", "main", at=site.bare).split() == ["Team", "Bo"], "on top of the other commit")


def test_many_at_once(site):
    with portal(site) as server:
        keys = [str(uuid.uuid4()) for _ in range(4)]

        def send(number):
            values = VALUES | {"cluster_name": f"edge-{number % 4 + 20}"}
            return keys[number % 4], publish(server, values, keys[number % 4])

        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            renders = pool.submit(lambda: [server.render("capo", VALUES).status for _ in range(40)])
            answers = list(pool.map(send, range(12)))
            expect(set(renders.result()) == {200}, "renders go on")
        for key, answer in answers:
            if answer.status == 409:
                refused(answer, 409, "request-in-progress")
                expect("Retry-After" in answer.headers, "when to try again")
            else:
                expect(answer.status == 200, f"{key}: {answer.json()}")
        for key in keys:
            expect(any(one == key and answer.status == 200 for one, answer in answers), f"{key} is published")
        expect(len(commits(site)) == len(set(commits(site))) == 4, f"four commits: {commits(site)}")
    site.check_whole() if site.publish().returncode == 0 else expect(False, "the rest is published")


def test_killed_at_any_time(site):
    """The same key is sent until there is an answer, to servers that are killed meanwhile."""
    expect(site.publish().returncode == 0, "the fleet is published")
    acknowledged = {}
    with portal(site) as server:
        started = time.time()
        expect(publish(server, VALUES).status == 200, "a first publication")
        length = (time.time() - started) * 1.2
    for i in range(KILLS):
        values, key = VALUES | {"worker_count": i + 10}, f"key-{i}"
        answer = None
        for attempt in range(4):
            with portal(site) as server, concurrent.futures.ThreadPoolExecutor(1) as pool:
                sent = pool.submit(publish, server, values, key)
                if attempt == i % 2 or attempt == 0:
                    time.sleep(length * (i + 0.5) / KILLS)
                    server.process.kill()
                    server.process.wait()
                with contextlib.suppress(OSError, concurrent.futures.CancelledError):
                    answer = sent.result()
                    if answer.status == 200:
                        acknowledged.setdefault(key, answer.body)
            for lock in site.bare.rglob("*.lock"):  # of a killed writer, in a folder: G220 says what to do
                lock.unlink()
        if not expect(answer is not None and answer.status == 200, f"{key}: {answer and answer.json()}"):
            continue
        expect(answer.body == acknowledged[key], f"{key}: the first answer stays")
        said = answer.json()
        expect(said["commit"] == site.there() and said["changed"], f"{key}: its commit is the tip: {said}")
        rows = json.loads(site.run("audit", "list", "edge-9", "-f", "json").stdout)["renders"]
        expect(len([row for row in rows if row["commit"] == said["commit"]]) == 1, f"{key}: one row: {rows[:2]}")
    expect(len(commits(site)) == len(set(commits(site))) == KILLS + 1, f"each is published once: {len(commits(site))}")
    with portal(site) as server:  # a kill after the answer was stored leaves the lock to the next publication
        expect(publish(server, VALUES | {"worker_count": 99}).status == 200, "a last publication")
    expect(not site.there("refs/capwright/lock/main"), "no lock is left")
    site.git("fsck", "--strict", "--no-dangling", at=site.bare)
    print(f"{KILLS} publications, killed within {length:.2f} s", flush=True)


class Client:
    """Publishes new values of one cluster again and again; each request is sent until it is answered."""

    def __init__(self, number, servers, stopping):
        self.cluster, self.servers, self.stopping = f"edge-{number + 30}", servers, stopping
        self.acknowledged = {}  # by key: the values and the answer
        self.sent = 0

    def run(self):
        while not self.stopping.is_set():
            values, key = VALUES | {"cluster_name": self.cluster, "worker_count": len(self.acknowledged) + 1}, str(uuid.uuid4())
            while key not in self.acknowledged:
                with contextlib.suppress(OSError, http.client.HTTPException):  # the server was killed
                    self.sent += 1
                    answer = publish(self.servers[-1], values, key)
                    if answer.status == 200:
                        self.acknowledged[key] = values, answer.json()
                    elif answer.json()["type"] not in ("/problems/request-in-progress", "/problems/locked", "/problems/busy", "/problems/conflict"):
                        raise AssertionError(f"{self.cluster}: {answer.status} {answer.json()}")
                time.sleep(0.02)


def test_killed_under_load(site):
    """Servers are killed at random moments while clients publish: each acknowledged publication is in the history, once."""
    expect(site.publish().returncode == 0, "the fleet is published")
    chance, stopping, servers = random.Random(23), threading.Event(), []
    clients = [Client(number, servers, stopping) for number in range(CLIENTS)]
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        running = []
        try:
            for number in range(LOAD_KILLS + 1):
                with portal(site) as server:
                    servers.append(server)
                    running = running or [pool.submit(client.run) for client in clients]
                    if number == LOAD_KILLS:  # the last one answers what is open
                        stopping.set()
                        concurrent.futures.wait(running, timeout=120)
                        break
                    time.sleep(chance.uniform(0.1, 2.5))
                    server.process.kill()
                    server.process.wait()
                for lock in site.bare.rglob("*.lock"):  # of a killed writer, in a folder: G220 says what to do
                    lock.unlink()
        finally:
            stopping.set()
        for client in running:
            client.result()
    requests = commits(site)
    expect(len(requests) == len(set(requests)), "no request is published twice")
    history = set(site.git("rev-list", "main", at=site.bare).split())
    total = 0
    for client in clients:
        for key, (values, said) in client.acknowledged.items():
            total += 1
            request = hashlib.sha256(f"all\n{key}".encode()).hexdigest()[:32]
            expect(requests.count(request) == 1 and said["commit"] in history, f"{client.cluster}, {values['worker_count']} workers: {said}")
            there = site.git("show", f"{said['commit']}:{said['values_path']}", at=site.bare)
            expect(json.loads(there) == values, f"{client.cluster}: the commit has the acknowledged values: {there}")
        rows = json.loads(site.run("audit", "list", client.cluster, "-f", "json", "-n", "0").stdout)["renders"]
        expect(sorted(row["commit"] for row in rows) == sorted(said["commit"] for _, said in client.acknowledged.values()),
               f"{client.cluster}: a row of the audit for each: {len(rows)}")
        expect(client.acknowledged, f"{client.cluster} is published")
    expect(len(requests) == total, f"each commit was acknowledged in the end: {len(requests)}, {total}")
    site.git("fsck", "--strict", "--no-dangling", at=site.bare)
    print(f"{total} publications of {CLIENTS} clients with {sum(client.sent for client in clients)} requests, {LOAD_KILLS} servers killed", flush=True)


def main():
    words = sys.argv[1:]
    for name, case in list(globals().items()):
        if not name.startswith("test_") or (words and not any(word in name for word in words)):
            continue
        site = Site()
        before = len(failures)
        try:
            case(site)
        finally:
            site.close()
        print(f"{name}: {'failed' if len(failures) > before else 'as expected'}", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
