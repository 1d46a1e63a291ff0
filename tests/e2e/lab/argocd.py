"""Cases of the real Argo CD: commits to one repository, with the ApplicationSet and the health checks of docs/argocd.md.

Every case is a cluster. Step N of all cases is one commit; then each case's expectation is polled until it holds, and must
hold for HOLD_SECONDS more."""

import datetime
import json
import re
import shutil
import subprocess
import time

import yaml

from lab import changes, kube, machines, services, truth
from lab.places import CAPWRIGHT, REPOSITORY, RESULTS, ROOT, RUN, SOURCE

HOLD_SECONDS = 15
WITHIN_SECONDS = 420
APPLICATION = "argoproj.io/v1alpha1"
APPROVED = "argocd.argoproj.io/deletion-approved"


def page_manifests():
    """The AppProject and the ApplicationSet as docs/argocd.md prints them, with this repository's URL."""
    page = (ROOT / "docs" / "argocd.md").read_text()
    block = next(text for text in re.findall(r"```yaml\n(.*?)```", page, re.S) if "kind: ApplicationSet" in text)
    return block.replace("https://git.example.com/platform/clusters.git", REPOSITORY)


def git(folder, *arguments):
    identity = ["-c", "user.name=e2e", "-c", "user.email=e2e@example.com"]
    return subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


class Repository:
    def __init__(self, cases):
        self.folder = RUN / "fleets" / "argocd"
        bare = RUN / "argocd" / "repositories" / "clusters.git"
        for folder in (self.folder, bare):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(SOURCE / "fleet", self.folder)
        (self.folder / "topology.yaml").unlink()
        (self.folder / "values").mkdir()
        self.values = {name: dict(case["values"], cluster_name=name) for name, case in cases.items()}
        git(self.folder, "init", "-q", "-b", "main")
        git(RUN, "init", "-q", "--bare", "-b", "main", str(bare))
        git(self.folder, "remote", "add", "origin", str(bare))

    def write(self, name, step):
        """Values of one cluster after a step; None where the step takes the cluster out of Git."""
        if step.get("remove"):
            self.values.pop(name)
            (self.folder / "values" / f"{name}.yaml").unlink()
            shutil.rmtree(self.folder / "clusters" / name)
            return
        if "edit" in step:
            self.values[name] = changes.merged(self.values[name], step["edit"])
        if name in self.values:
            (self.folder / "values" / f"{name}.yaml").write_text(yaml.safe_dump(self.values[name], sort_keys=False))

    def files(self, name, step):
        folder = self.folder / "clusters" / name
        if step.get("only"):
            shutil.rmtree(folder)
        for path, text in (step.get("only") or step.get("files") or {}).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text.replace("{cluster}", name))

    def commit(self, steps, message):
        rendered = []
        for name, step in steps.items():
            self.write(name, step)
            if not step.get("remove") and not step.get("only") and ("edit" in step or message == "step 0"):
                rendered.append(name)
        if rendered:
            subprocess.run([CAPWRIGHT, "render", "-q", *rendered], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        for name, step in steps.items():
            self.files(name, step)
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "--allow-empty", "-m", message)
        git(self.folder, "push", "-q", "origin", "main")


def applications():
    return {item["metadata"]["name"]: item for item in kube.listed(APPLICATION, "Application", "argocd")}


def refresh():
    """Argo CD asks Git now instead of at its next turn."""
    for name in applications():
        services.kubectl("-n", "argocd", "annotate", "--overwrite", f"application/{name}",
                         "argocd.argoproj.io/refresh=normal", check=False)


def state_of(application):
    status = (application or {}).get("status") or {}
    operation = status.get("operationState") or {}
    return {"sync": (status.get("sync") or {}).get("status"), "health": (status.get("health") or {}).get("status"),
            "phase": operation.get("phase"), "message": operation.get("message") or ""}


def names_of(kind, namespace, cluster):
    api = machines.CONTROL_PLANE if kind == "KubeadmControlPlane" else machines.CLUSTER
    return sorted(item["metadata"]["name"].removeprefix(f"{cluster}-") for item in kube.listed(api, kind, namespace))


def observed(name, expect, watch, present):
    """The same keys as the expectation, with what is the case."""
    namespace = expect.get("namespace", name)
    counted = {}
    for entry in watch.alive(namespace):
        if entry["runs"] and not entry["leaving"]:
            counted[entry["pool"]] = counted.get(entry["pool"], 0) + 1
    application = state_of(present.get(name))
    everything = {"machines": counted, "application": f"{application['sync']}/{application['health']}",
                  "exists": name in present, "addons": state_of(present.get(f"{name}-addons"))["sync"],
                  "namespace": namespace}
    for key in expect:
        if key in ("MachineDeployment", "MachineHealthCheck", "Cluster", "KubeadmControlPlane"):
            everything[key] = names_of(key, namespace, name)
        elif key == "message":
            everything[key] = expect[key] if expect[key] in application["message"] else application["message"]
        elif key == "changed":
            everything[key] = changes.machines_text(watch.count(namespace, expect[key].pop("since", 0)))
    return {key: everything[key] for key in expect}


def act(name, step):
    """What a person does after the commit."""
    for command in step.get("kubectl") or []:
        services.kubectl(*[word.replace("{cluster}", name) for word in command])
    if step.get("confirm"):
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        services.kubectl("-n", "argocd", "annotate", "--overwrite", f"application/{name}", f"{APPROVED}={now}")


def wait(steps, watch, begin):
    """{case: (seconds until it held for good, None)} or {case: (None, what was observed)}"""
    held, done, seen = {}, {}, {}
    deadline = {name: begin + step.get("within", WITHIN_SECONDS) for name, step in steps.items()}
    next_refresh = 0
    while len(done) < len(steps):
        if time.time() > next_refresh:
            refresh()
            next_refresh = time.time() + 15
        present = applications()
        for name, step in steps.items():
            if name in done:
                continue
            expect = json.loads(json.dumps(step["expect"]))
            if "changed" in expect:
                expect["changed"]["since"] = begin
            seen[name] = observed(name, expect, watch, present)
            if seen[name] != step["expect"]:
                held.pop(name, None)
                if time.time() > deadline[name]:
                    done[name] = (None, seen[name])
            elif time.time() - held.setdefault(name, time.time()) >= HOLD_SECONDS:
                done[name] = (round(held[name] - begin), None)
        time.sleep(2)
    return done


def run(only=()):
    cases = changes.load("argocd", only)
    snippet = subprocess.run([CAPWRIGHT, "addons", "health-snippet"], check=True, capture_output=True, text=True).stdout
    (RUN / "argocd" / "health.yaml").write_text(snippet)
    services.kubectl("-n", "argocd", "patch", "configmap", "argocd-cm", "--patch-file", str(RUN / "argocd" / "health.yaml"))
    RESULTS.mkdir(parents=True, exist_ok=True)
    repository = Repository(cases)
    watch = machines.Watch()
    rows = {name: {"case": name, "change": case["claim"], "verdict": "not asked", "as_expected": True, "steps": []}
            for name, case in cases.items()}
    for number in range(max(len(case["steps"]) for case in cases.values())):
        steps = {name: case["steps"][number] for name, case in cases.items() if number < len(case["steps"])}
        begin = time.time()
        repository.commit(steps, f"step {number}")
        if number == 0:
            services.kubectl("apply", "-f", "-", data=page_manifests())
        waits = [step["pause"] for step in steps.values() if "pause" in step]
        time.sleep(max(waits, default=0))
        for name, step in steps.items():
            act(name, step)
        for name, (seconds, seen) in wait(steps, watch, begin).items():
            rows[name]["steps"].append({"seconds": seconds, "expected": steps[name]["expect"], "seen": seen})
            rows[name]["as_expected"] &= seen is None
            if seen:
                rows[name]["happened"], rows[name]["expected"] = seen, steps[name]["expect"]
        print(f"step {number}: {len(steps)} cases, {time.time() - begin:.0f} s", flush=True)
    truth.keep("argocd", list(rows.values()))
    return list(rows.values())
