"""Clusters that people created by kubectl or clusterctl, and that `capwright import` takes over: export, import, commit."""

import copy
import json
import os
import subprocess

import yaml

from lab import changes, kube, places, services
from lab.places import BIN, CAPWRIGHT, KUBECONFIG, RUN, SOURCE
from lab.repository import Repository

# Of Cluster API's own end-to-end tests. All three make the template that they publish for a control plane by kubeadm.
UPSTREAM = ("crs.yaml", "cluster-with-kcp.yaml", "md.yaml")
EXPORTED = "cluster-api,configmap"  # all kinds of Cluster API and its providers, and what a ClusterResourceSet refers to
EXPORTS = RUN / "exports"


def upstream_template():
    """Upstream's template. Only its backend is another one: `inMemory` in place of `docker`."""
    module = places.pathlib.Path(places.module("cluster-api", "sigs.k8s.io/cluster-api/test", "{{.Dir}}"))
    folder = module / "e2e" / "data" / "infrastructure-docker" / "main" / "bases"
    documents = []
    for name in UPSTREAM:
        for document in (folder / name).read_text().split("\n---\n"):
            head, backend, _ = document.partition("backend:\n")
            indent = " " * (len(head) - len(head.rstrip(" ")) + 2)
            in_memory = f"{indent}inMemory: {'{}' if 'kind: DevCluster' in head else json.dumps(MACHINE)}\n"
            documents.append(head + backend + in_memory if backend else document)
    return "\n---\n".join(documents)


MACHINE = {part: {"provisioning": {"startupDuration": "1s"}} for part in ("vm", "node", "apiServer", "etcd")}


def generated(name, variables):
    """What the real clusterctl and capwright's make of upstream's template."""
    template = EXPORTS / f"{name}-template.yaml"
    template.write_text(upstream_template())
    env = dict(os.environ, HOME=str(EXPORTS), CLUSTER_NAME=name, **{key: str(value) for key, value in variables.items()})
    commands = ([BIN / "clusterctl", "generate", "yaml", "--from", template], [CAPWRIGHT, "clusterctl", "generate", template, "--env"])
    return [subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout for command in commands]


def objects(text):
    """Objects of a stream in a fixed order: clusterctl sorts them, and their keys."""
    documents = (document for document in yaml.safe_load_all(text) if document)
    return sorted(documents, key=lambda document: json.dumps(document, sort_keys=True))


class Adoption(Repository):
    def __init__(self, cases):
        super().__init__(cases)
        EXPORTS.mkdir(parents=True, exist_ok=True)
        self.uids = {}  # {cluster: {(apiVersion, kind, name): UID before its import}}

    def step(self, steps, number):
        said = super().step(steps, number)  # of an imported cluster, only `import` knows what is there already
        return {name: cluster for name, cluster in said.items() if "values" in steps.get(name, {})}

    def change(self, name, step, number):
        if "by_hand" in step or "clusterctl" in step:
            self.create(name, step)
        elif step.get("import"):
            self.take_over(name)
        elif "values" in step:
            values = copy.deepcopy(self.values[name])
            for operation in step["values"]:
                changes.change_field(values, operation["set"], operation)
            self.set_values(name, values)
            self.render(name)
            self.commits[name] = self.commit(f"{name}: step {number}")
        else:
            super().change(name, step, number)

    def create(self, name, step):
        if "clusterctl" in step:
            text, ours = generated(name, step["clusterctl"])
            if objects(text) != objects(ours):
                self.problems[name].append("`capwright clusterctl generate` gives other objects than clusterctl")
        else:
            text = (SOURCE / step["by_hand"]).read_text().replace("{cluster}", name)
        services.kubectl("create", "namespace", name)
        services.kubectl("apply", "-n", name, *step.get("options", []), "-f", "-", data=text)

    def take_over(self, name):
        export = EXPORTS / f"{name}.yaml"
        export.write_text(services.kubectl("get", EXPORTED, "-n", name, "-o", "yaml", "--show-managed-fields"))
        self.uids[name] = uids(name, {(item["apiVersion"], item["kind"]) for item in yaml.safe_load(export.read_text())["items"]})
        run = self.capwright("import", "--prove", "-f", "json", export)
        if run.returncode > 1 or not run.stdout:
            raise RuntimeError(f"capwright import {export}: {run.stdout}{run.stderr}")
        report = json.loads(run.stdout)
        (EXPORTS / f"{name}.json").write_text(run.stdout)
        cluster = report["clusters"][0]
        if cluster.get("error") or not cluster["proven"]:
            raise RuntimeError(f"capwright import {export}: {cluster.get('error') or cluster['actions']}")
        fields = cluster["fields"]
        if fields["lost"] or cluster["replaced"]:
            self.problems[name].append(f"import: {fields['lost']} fields lost, {cluster['replaced']} machines replaced")
        self.notes[name].append(", ".join(f"{number} {word}" for word, number in fields.items()))
        self.values[name] = yaml.safe_load(self.values_file(name).read_text())
        self.render(name)
        self.commits[name] = self.commit(f"{name}: import")

    def capwright(self, *arguments):
        return subprocess.run([CAPWRIGHT, *arguments], cwd=self.folder, capture_output=True, text=True, check=False,
                              env=dict(os.environ, KUBECONFIG=str(KUBECONFIG)))

    def observed(self, name, key):
        if key != "recreated":
            return super().observed(name, key)
        known = self.uids[name]
        now = uids(name, {(api, kind) for api, kind, _ in known})
        return sorted(f"{kind} {one}" for (api, kind, one), uid in known.items() if now.get((api, kind, one)) != uid)


def uids(namespace, kinds):
    """{(apiVersion, kind, name): UID} of all objects of these kinds, and of Secrets: kubeconfigs and certificates."""
    return {(api, kind, item["metadata"]["name"]): item["metadata"]["uid"]
            for api, kind in kinds | {("v1", "Secret")} for item in kube.listed(api, kind, namespace)}
