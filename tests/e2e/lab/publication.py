"""What a publication of a portal needs: a site of `capwright serve`, and a change of a cluster that is published there.

Whatever an answer says is compared with Git, with the audit and with the machines."""

import concurrent.futures
import contextlib
import hashlib
import http.client
import json
import os
import shutil
import subprocess
import sys
import time
import uuid

from lab import gitea
from lab.places import CAPWRIGHT, REPOSITORY, ROOT, RUN, SOURCE
from lab.repository import FIXTURES, git

sys.path.insert(0, str(ROOT / "tests" / "serve"))
BRANCHES = {"main": "gitea", "direct": "git", "form": "gitea"}  # branch: how `publish` reaches it, by Gitea's API or by Git's protocol
FOLDER = "values/portal"
ATTEMPTS = 30  # of a request whose server was killed, three seconds apart


class Site:
    """A branch of the repository, a clone of it, and a server in the clone."""

    def __init__(self, branch, host):
        self.branch = branch
        self.folder = RUN / "fleets" / f"portal-{branch}" / "clone"
        self.token = self.folder.parent / "token"
        self.options = ["--folder", FOLDER, "--wizard", *(["--token-file", str(self.token)] if BRANCHES[branch] == "gitea" else [])]
        shutil.copytree(SOURCE / "fleet", self.folder)
        for name in FIXTURES:
            (self.folder / name).unlink()
        layer = self.folder / "layers" / "fleet.yaml"
        layer.write_text(layer.read_text().replace(REPOSITORY, gitea.URL))
        (self.folder / FOLDER).mkdir(parents=True)
        for kept in (FOLDER, "clusters"):
            (self.folder / kept).mkdir(exist_ok=True)
            (self.folder / kept / ".gitkeep").touch()
        settings = self.folder / "capwright.yaml"
        settings.write_text(settings.read_text() + f"publish: {{via: {BRANCHES[branch]}}}\n")
        self.token.write_text(host.token)
        git(self.folder, "init", "-q", "-b", branch)
        for key, value in {"user.name": "Portal", "user.email": "portal@example.com",
                           "credential.helper": f"!f() {{ echo username=bot; echo password={host.token}; }}; f"}.items():
            git(self.folder, "config", key, value)
        git(self.folder, "remote", "add", "origin", gitea.URL)
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "-m", "the fleet")
        git(self.folder, "push", "-q", "-u", "origin", branch)
        self.running = None
        self.start()

    def start(self):
        from served import serving
        os.environ["CAPWRIGHT"] = CAPWRIGHT
        self.running = contextlib.ExitStack()
        self.server = self.running.enter_context(serving(self.folder, *self.options))

    def kill(self):
        self.server.process.kill()
        self.server.process.wait()
        self.running.close()

    def tip(self):
        return git(self.folder, "ls-remote", "origin", f"refs/heads/{self.branch}").split()[0]

    def pull(self):
        git(self.folder, "pull", "-q", "--ff-only")

    def commits(self, since, *paths):
        """The ids of requests in the messages of the branch's commits that change the paths, oldest first."""
        form = "--format=%(trailers:key=Capwright-Request,valueonly,separator=)"
        return git(self.folder, "log", "--reverse", form, f"{since}..HEAD", "--", *paths).split()

    def text(self, path):
        return subprocess.run(["git", "show", f"HEAD:{path}"], cwd=self.folder, check=True, capture_output=True).stdout

    def blob(self, path):
        """Git's id of a file, which is the `values_id` of a response."""
        return git(self.folder, "rev-parse", f"HEAD:{path}").strip()


class Change:
    """One step of a cluster: its values, the answers of the API, and what they should be."""

    def __init__(self, name, step, site, values, values_id):
        self.name, self.step, self.site, self.values_id = name, step, site, values_id
        self.body = json.dumps(values, indent=1).encode()
        self.key, self.problems, self.note = str(uuid.uuid4()), [], ""

    def expect(self, condition, problem):
        if not condition:
            self.problems.append(problem)
        return condition

    def post(self, action, **headers):
        return self.site.server.request("POST", f"/api/v1/cluster-templates/capd/{action}", self.body, **headers)

    def publish(self, allow="", key=None, **headers):
        if not headers:
            headers = {"If_Match": f'"{self.values_id}"'} if self.values_id else {"If_None_Match": "*"}
        return self.post(f"publish?allow={allow}" if allow else "publish", Idempotency_Key=key or self.key, **headers)

    def ask(self):
        """What a portal does before the person confirms. Returns the cluster's part of the plan."""
        valid = self.post("validate")
        self.expect(valid.status == 200 and valid.json()["valid"], f"validate: {valid.status} {valid.body[:600]}")
        rendered = self.post("render")
        self.expect(rendered.status == 200, f"render: {rendered.status} {rendered.body[:600]}")
        self.files = rendered.json().get("files", {})
        plan = self.post("plan")
        self.expect(plan.status == 200, f"plan: {plan.status} {plan.body[:600]}")
        clusters = plan.json().get("clusters", [])
        return next((cluster for cluster in clusters if cluster["name"] == self.name), {})

    def run(self):
        """Publishes, with all the requests that must change nothing before and after."""
        before, allow = self.site.tip(), self.step.get("allow", "")
        if allow:
            self.refused(self.publish(), 409, "consent-required", before)
        if "killed" in self.step:
            answer = self.publish_killed(allow, self.step["killed"])
        else:
            answer = self.publish(allow)
        if not self.expect(answer.status == 200, f"publish: {answer.status} {answer.body[:600]}"):
            return
        said = answer.json()
        self.site.pull()
        self.expect(said["changed"] and said["commit"] == self.site.tip(), f"the tip is {self.site.tip()}: {said}")
        self.compare(said, before)
        again = self.publish(allow)
        self.expect(again.body == answer.body and again.headers["Idempotency-Replayed"] == "true", f"replay: {again.body[:600]}")
        stale = self.values_id or "0" * 40
        self.refused(self.publish(allow, str(uuid.uuid4()), If_Match=f'"{stale}"'), 412, "precondition-failed", said["commit"])
        self.values_id = said["values_id"]

    def refused(self, answer, status, kind, tip):
        good = answer.status == status and answer.json().get("type") == f"/problems/{kind}"
        self.expect(good and self.site.tip() == tip, f"{status} {kind}: {answer.status} {answer.body[:600]}")

    def compare(self, said, before):
        """The commit has the bytes of the request and of `render`, and there is one commit and one audit row."""
        paths = [said["values_path"], f"clusters/{self.name}"]
        found = self.site.commits(before, *paths)
        self.expect(len(found) == 1, f"{len(found)} commits: {found}")
        self.expect(self.site.text(said["values_path"]) == self.body, "the values file has other bytes")
        wrong = [path for path, text in self.files.items() if self.site.text(path).decode() != text]
        self.expect(not wrong, f"not as rendered: {wrong}")
        rows = self.site.server.request("GET", f"/api/v1/audit?cluster={self.name}&limit=100").json()["renders"]
        self.expect([row["commit"] for row in rows].count(said["commit"]) == 1, f"audit rows: {rows[:2]}")
        self.expect(len({row["commit"] for row in rows}) == len(rows), f"a commit twice in the audit: {rows}")
        recorded = self.site.server.request("GET", f"/api/v1/audit/{rows[0]['id']}").json()
        digests = {file["path"]: file.get("sha256") for file in recorded["files"]}
        expected = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in self.files.items()}
        self.expect(digests == expected, f"files of the audit: {sorted(digests)}")

    def publish_killed(self, allow, moment):
        """Kills the server with SIGKILL while it publishes, and sends the request again to another one."""
        flag = RUN / "gitea" / f"reached-{self.name}"
        flag.unlink(missing_ok=True)
        waits = gitea.hook(RUN / "gitea", moment, self.site.branch, flag) if moment != "at once" else None
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            sent = pool.submit(self.publish, allow)
            begin = time.time()
            while waits and not flag.exists() and not sent.done() and time.time() < begin + 60:
                time.sleep(0.02)
            time.sleep(0.05)
            answered = sent.done()
            self.site.kill()
            with contextlib.suppress(OSError, http.client.HTTPException):
                sent.result()
        self.expect(not answered, "the server had answered before it was killed")
        if waits:
            waits.unlink()
            self.expect(flag.exists(), f"{moment} was never reached")
        time.sleep(4)  # the host ends what it had begun
        arrived = self.site.tip() != git(self.site.folder, "rev-parse", "HEAD").strip()
        self.note = f"killed {moment}: its commit {'was' if arrived else 'was not'} on the branch"
        self.site.start()
        for _ in range(ATTEMPTS):
            answer = self.publish(allow)
            if answer.status not in (409, 503):
                break
            time.sleep(3)
        return answer
