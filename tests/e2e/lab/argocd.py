"""Cases of the real Argo CD: commits to one repository, with the ApplicationSet and the health checks of `capwright argocd`.
The commits come from people (`argocd`), from requests of a portal (`portal`), or take over running clusters (`adoption`).

Every case is a cluster. Step N of all cases is pushed at once; then each case's expectation is polled until it holds, and it
must hold for HOLD_SECONDS more. Each step is planned, too: what `plan` calls ORPHAN must be there after the step, and
what it calls DELETE must be gone at the end of the case."""

import datetime
import json
import os
import re
import subprocess
import time

import yaml

from lab import adoption, changes, charts, form, kube, machines, portal, services, truth
from lab.places import BIN, CAPWRIGHT, KUBECONFIG, REPOSITORY, RESULTS, ROOT, RUN
from lab.promises import Promises
from lab.repository import Repository, printed

SOURCES = {"argocd": Repository, "adoption": adoption.Adoption, "portal": portal.Portal}
HOLD_SECONDS = 15
WITHIN_SECONDS = 420
APPLICATION = "argoproj.io/v1alpha1"
LOOP = 3  # syncs of the same commit; one or two follow a change by hand or a deletion that takes its time
POOL_OF_TOPOLOGY = "topology.cluster.x-k8s.io/deployment-name"  # Cluster API adds a random end to the names of its objects
APPROVED = "argocd.argoproj.io/deletion-approved"


def plugin_application():
    """The Application that docs/argocd.md prints for the plugin."""
    page = (ROOT / "docs" / "argocd.md").read_text()
    block = next(text for text in re.findall(r"```yaml\n(.*?)```", page, re.S) if re.search("^kind: Application$", text, re.M))
    return block.replace("https://git.example.com/platform/clusters.git", REPOSITORY)


def own_application(name, case):
    """The Application of a case that isn't the ApplicationSet's: the template's, without its `path`, and what the case sets.
    With `plugin: true` it is the one that the page prints for the plugin; with `root: true` it reads the rendered pair."""
    template = yaml.safe_load(printed("applicationset", "--revision", "main"))["spec"]["template"]
    source = {"repoURL": REPOSITORY, "targetRevision": "main", "path": f"own/{name}"}
    result = {"apiVersion": APPLICATION, "kind": "Application", "metadata": {"name": name, "namespace": "argocd"},
              "spec": dict(template["spec"], source=source)}
    result["spec"]["destination"]["namespace"] = name
    changed = dict(case["application"])
    if changed.pop("root", False):
        result["metadata"]["name"] = f"{name}-root"
        directory = {"recurse": True, "include": "*/argocd/*.yaml"}
        result["spec"] |= {"project": "default", "source": dict(source, path="root/clusters", directory=directory)}
    if changed.pop("plugin", False):
        page = yaml.safe_load(plugin_application().replace("prod-a", name))
        page.pop("apiVersion")
        result = changes.merged(result, page)
    return changes.merged(result, json.loads(json.dumps(changed).replace("{cluster}", name)))


def applications():
    return {item["metadata"]["name"]: item for item in kube.listed(APPLICATION, "Application", "argocd")}


def refresh():
    """Argo CD asks Git now instead of at its next turn."""
    for name in applications():
        services.kubectl("-n", "argocd", "annotate", "--overwrite", f"application/{name}",
                         "argocd.argoproj.io/refresh=normal", check=False)


def state_of(application):
    """(sync, health, messages of the last sync and of all conditions)"""
    status = (application or {}).get("status") or {}
    messages = [operation(application).get("message") or ""]
    messages += [condition.get("message", "") for condition in status.get("conditions") or []]
    return (status.get("sync") or {}).get("status"), (status.get("health") or {}).get("status"), "\n".join(messages)


def operation(application):
    """The state of an Application's last sync."""
    return ((application or {}).get("status") or {}).get("operationState") or {}


def retries(present, cluster):
    """How often the last syncs of a cluster's two Applications failed before they succeeded."""
    return sum(operation(present.get(name)).get("retryCount", 0) for name in (cluster, f"{cluster}-addons"))


def loops(application):
    """Whether Argo CD syncs the same commit again and again, and still sees a difference."""
    heals = ((operation(application).get("operation") or {}).get("sync") or {}).get("autoHealAttemptsCount", 0)
    return heals >= LOOP and state_of(application)[0] == "OutOfSync"


def synced(application, since):
    """The number of commits that Argo CD applied since a time."""
    history = ((application or {}).get("status") or {}).get("history") or []
    begin = datetime.datetime.fromtimestamp(since, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return len({entry["revision"] for entry in history if entry.get("deployStartedAt", "") >= begin})


def names_of(kind, namespace, cluster, present):
    """Names of a kind without the cluster's and without a template's digest, or of the Applications of its add-ons."""
    if kind == "Application":
        found = [name for name, item in present.items() if name not in (cluster, f"{cluster}-addons")
                 and (item["metadata"].get("labels") or {}).get("cluster.x-k8s.io/cluster-name") == cluster]
    else:
        found = [(item["metadata"].get("labels") or {}).get(POOL_OF_TOPOLOGY) or item["metadata"]["name"]
                 for item in kube.listed(kube.KINDS.api_of(kind), kind, namespace)]
    digest = r"-[0-9a-f]{8}$" if kind.endswith("Template") else "$^"
    return sorted(re.sub(digest, "", name.removeprefix(f"{cluster}-")) for name in found)


def observed(name, expect, watch, present, since, repository):
    """The same keys as the expectation, with what is the case."""
    namespace = expect.get("namespace", name)
    counted = {}
    for entry in watch.alive(namespace):
        if entry["runs"] and not entry["leaving"]:
            counted[entry["pool"]] = counted.get(entry["pool"], 0) + 1
    sync, health, messages = state_of(present.get(name))
    addons_sync, addons_health, _ = state_of(present.get(f"{name}-addons"))
    seen = {"machines": counted, "application": f"{sync}/{health}", "exists": name in present, "namespace": namespace,
            "addons": f"{addons_sync}/{addons_health}", "root": state_of(present.get(f"{name}-root"))[0], "retries": retries(present, name),
            "phase": operation(present.get(name)).get("phase"), "loops": loops(present.get(name)),
            "synced": synced(present.get(name), since)}
    for key, wanted in expect.items():
        if key[0].isupper():
            seen[key] = names_of(key, namespace, name, present)
        elif key == "message":
            seen[key] = wanted if wanted in messages else messages
        elif key == "changed":
            seen[key] = changes.machines_text(watch.count(namespace, since))
        elif key == "addons" and "/" not in wanted:
            seen[key] = addons_sync
        elif key not in seen:
            seen[key] = repository.observed(name, key)
    return {key: seen[key] for key in expect}


def commands_of(said):
    """The commands that delete what `plan` calls ORPHAN."""
    return [command for action in (said or {}).get("actions", []) for command in action.get("commands") or []]


def act(name, step, commands):
    """What a person does after the commit. `commands` are those that `plan` printed for the commit before."""
    for command in step.get("kubectl") or []:
        services.kubectl(*[word.replace("{cluster}", name) for word in command], check=False)
    for command in commands if step.get("finish") else []:
        unattended = command.replace("kubectl delete", "kubectl delete --wait=false")
        subprocess.run(["sh", "-c", unattended], check=False, env=environment(), stdout=subprocess.DEVNULL)
    if step.get("confirm"):
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        services.kubectl("-n", "argocd", "annotate", "--overwrite", f"application/{name}", f"{APPROVED}={now}")


def wait(steps, watch, begin, repository):
    """{case: (seconds until it held for good, None)} or {case: (None, what was observed)}"""
    held, done = {}, {}
    next_refresh = 0
    while len(done) < len(steps):
        if time.time() > next_refresh:
            refresh()
            next_refresh = time.time() + 15
        present = applications()
        for name in steps.keys() - done.keys():
            expect = steps[name]["expect"]
            seen = observed(name, expect, watch, present, begin, repository)
            if seen != expect:
                held.pop(name, None)
                if time.time() > begin + steps[name].get("within", WITHIN_SECONDS):
                    done[name] = (None, seen)
            elif time.time() - held.setdefault(name, time.time()) >= steps[name].get("hold", HOLD_SECONDS):
                done[name] = (round(held[name] - begin), None)
        time.sleep(2)
    return done


def prepare(cases, repository):
    """What docs/argocd.md does once, and the charts and Applications of the cases."""
    snippet = subprocess.run([CAPWRIGHT, "argocd", "health"], check=True, capture_output=True, text=True).stdout
    (RUN / "argocd" / "health.yaml").write_text(snippet)
    services.kubectl("-n", "argocd", "patch", "configmap", "argocd-cm", "--patch-file", str(RUN / "argocd" / "health.yaml"))
    charts.build()
    RESULTS.mkdir(parents=True, exist_ok=True)
    own = [own_application(name, case) for name, case in cases.items() if name in repository.own - repository.listed]
    return "---\n".join([*repository.argocd(), ""]) + yaml.safe_dump_all(own)


def environment():
    return dict(os.environ, KUBECONFIG=str(KUBECONFIG), PATH=f"{BIN}:{os.environ['PATH']}")


def leftovers(folder, names):
    """{namespace: what `capwright leftovers` lists there}, without templates: each roll-out leaves one on purpose."""
    options = {"cwd": folder, "capture_output": True, "text": True, "env": environment()}
    command = subprocess.run([CAPWRIGHT, "leftovers", "--command"], check=True, **options).stdout
    live = RUN / "argocd" / "live.json"
    live.write_text(subprocess.run(["sh", "-c", command], check=True, **options).stdout)
    run = subprocess.run([CAPWRIGHT, "leftovers", live, "-f", "json"], check=False, **options)
    if run.returncode > 1:
        return dict.fromkeys(names, [run.stderr])
    found = {}
    for item in json.loads(run.stdout)["leftovers"]:
        if item["what"] != "template":
            found.setdefault(item["namespace"], []).append(f"{item['kind']} {item['name']}")
    return found


def judge(row, name, step, said, promises, result, counted):
    """Adds a step to a case's row. `counted`: what happened to its machines."""
    seconds, seen = result
    predicted = changes.Predicted(said, name).text()
    row["steps"].append({"seconds": seconds, "expected": step["expect"], "seen": seen, "plan": predicted, "happened": counted})
    if seen:
        row["as_expected"], row["happened"], row["expected"] = False, seen, step["expect"]
    promises.after_step()
    if "changed" in step["expect"] and said is not None and not changes.same_machines(predicted, step["expect"]["changed"], name):
        promises.problems.append(f"machines {predicted}")


def finish(rows, cases, promises, repository):
    """What must be the case after the last step."""
    left = {}
    for folder, names in repository.folders().items():
        left |= {name: found for name, found in leftovers(folder, names).items() if name in names}
    looping = {name for name, item in applications().items() if loops(item)}
    for name, row in rows.items():
        promise = promises[name]
        promise.at_the_end()
        promise.problems += repository.problems[name]
        if "loops" not in cases[name]["steps"][-1]["expect"]:
            found = looping & {name, f"{name}-addons", f"{name}-root"}
            promise.problems += [f"Application {loop} is synced again and again" for loop in sorted(found)]
        if name not in repository.own and sorted(left.get(name, [])) != sorted(cases[name].get("leftovers", [])):
            promise.problems.append(f"leftovers {left.get(name, [])}")
        row |= {"deleted": len(promise.deleted), "orphans": len(promise.kept), "problems": promise.problems,
                "notes": repository.notes[name], "verdict": "wrong" if promise.problems else "equal"}


def run(group, only=()):
    cases = changes.load(group, only)
    for name, why in form.skipped(cases).items():
        print(f"skip {name} {cases.pop(name)['claim']} | {why}", flush=True)
    if not cases:
        return []
    repository = SOURCES[group](cases)
    manifests = prepare(cases, repository)
    watch = machines.Watch()
    rows = {name: {"case": name, "change": case["claim"], "as_expected": True, "steps": []} for name, case in cases.items()}
    promises = {name: Promises(name) for name in cases}
    for number in range(max(len(case["steps"]) for case in cases.values())):
        steps = {name: case["steps"][number] for name, case in cases.items() if number < len(case["steps"])}
        said = repository.step(steps, number)
        for name in steps:
            promises[name].note(said.get(name) if number else None)
        begin = time.time()
        repository.push()
        if number == 0:
            services.kubectl("apply", "-f", "-", data=manifests)
        time.sleep(max(step.get("pause", 0) for step in steps.values()))
        for name, step in steps.items():
            act(name, step, promises[name].commands)
            promises[name].commands = commands_of(said.get(name))
        for name, result in wait(steps, watch, begin, repository).items():
            asked = not {"kubectl", "confirm", "finish"} & steps[name].keys() and name not in repository.own
            counted = changes.machines_text(watch.count(steps[name]["expect"].get("namespace", name), begin))
            judge(rows[name], name, steps[name], said.get(name, {}) if asked else None, promises[name], result, counted)
        failed = [name for name in steps if rows[name]["steps"][-1]["seen"]]
        seconds = time.time() - begin
        print(f"step {number}: {len(steps)} cases, {seconds:.0f} s, not as expected: {failed or 'none'}", flush=True)
    finish(rows, cases, promises, repository)
    truth.keep(group, list(rows.values()))
    return list(rows.values())
