"""Counts machines by UID: every Machine that existed since the watch began, when it came and when it went."""

import json
import threading
import time

from lab import kube

CLUSTER = "cluster.x-k8s.io/v1beta2"
CONTROL_PLANE = "controlplane.cluster.x-k8s.io/v1beta2"
MACHINES = f"/apis/{CLUSTER}/machines"


def pool_of(labels, cluster):
    """`control-plane`, or the pool's name without the cluster's."""
    if "cluster.x-k8s.io/control-plane" in labels:
        return "control-plane"
    topology = labels.get("topology.cluster.x-k8s.io/deployment-name")
    return topology or labels.get("cluster.x-k8s.io/deployment-name", "?").removeprefix(f"{cluster}-")


class Watch(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.machines = {}
        self.lock = threading.Lock()
        self.ready = threading.Event()
        self.start()
        self.ready.wait()

    def note(self, item, gone=False):
        metadata = item["metadata"]
        labels = metadata.get("labels") or {}
        status = item.get("status") or {}
        with self.lock:
            entry = self.machines.setdefault(metadata["uid"], {"created": time.time(), "deleted": None})
            entry["namespace"] = metadata["namespace"]
            entry["name"] = metadata["name"]
            entry["pool"] = pool_of(labels, labels.get("cluster.x-k8s.io/cluster-name"))
            entry["runs"] = status.get("phase") == "Running" and bool(status.get("nodeRef"))
            entry["leaving"] = bool(metadata.get("deletionTimestamp"))
            if gone:
                entry["deleted"] = time.time()

    def follow(self):
        machines = kube.call("GET", MACHINES)
        for item in machines["items"]:
            self.note(item)
        present = {item["metadata"]["uid"] for item in machines["items"]}
        with self.lock:
            for uid, entry in self.machines.items():
                if uid not in present and not entry["deleted"]:
                    entry["deleted"] = time.time()
        self.ready.set()
        client = kube.connection(timeout=400)
        version = machines["metadata"]["resourceVersion"]
        client.request("GET", f"{MACHINES}?watch=1&resourceVersion={version}&timeoutSeconds=300", None,
                       {"Authorization": "Bearer e2e"})
        for line in client.getresponse():
            event = json.loads(line)
            if event["type"] == "ERROR":
                return
            if event["type"] != "BOOKMARK":
                self.note(event["object"], gone=event["type"] == "DELETED")

    def run(self):
        while True:
            try:
                self.follow()
            except Exception:  # the server restarts, or a watch expires: list again
                time.sleep(1)

    def alive(self, namespace):
        with self.lock:
            return [dict(entry) for entry in self.machines.values()
                    if entry["namespace"] == namespace and not entry["deleted"]]

    def count(self, namespace, since):
        """{pool: (created, deleted)} since a time, without pools to which nothing happened."""
        counted = {}
        with self.lock:
            for entry in self.machines.values():
                if entry["namespace"] != namespace or (entry["deleted"] and entry["deleted"] < since):
                    continue
                created, deleted = counted.get(entry["pool"], (0, 0))
                counted[entry["pool"]] = (created + (entry["created"] >= since), deleted + bool(entry["deleted"]))
        return {pool: numbers for pool, numbers in counted.items() if numbers != (0, 0)}


def by_namespace():
    """{namespace: [object]} of everything that a settled cluster depends on: three requests for any number of clusters."""
    found = {}
    for api, kind in ((CONTROL_PLANE, "KubeadmControlPlane"), (CLUSTER, "MachineDeployment"), (CLUSTER, "Cluster")):
        for item in kube.listed(api, kind, None):
            found.setdefault(item["metadata"]["namespace"], []).append(item | {"kind": kind})
    return found


def is_available(cluster):
    conditions = (cluster.get("status") or {}).get("conditions") or []
    return any(condition["type"] == "Available" and condition["status"] == "True" for condition in conditions)


def unsettled(items, entries, new):
    """Why a cluster isn't settled yet, or None, from its objects and its machines. A new one must also be available: the
    topology controller makes control plane and pools some time after the Cluster."""
    for item in items:
        status, name = item.get("status") or {}, item["metadata"]["name"]
        if item["metadata"].get("deletionTimestamp"):
            return f"{item['kind']} {name} is being deleted"
        if item["kind"] == "Cluster":
            if new and not is_available(item):
                return "the cluster isn't available"
            continue
        if status.get("observedGeneration") != item["metadata"]["generation"]:
            return f"{name} wasn't reconciled"
        wanted = item["spec"].get("replicas", 1)
        for field in ("replicas", "upToDateReplicas", "availableReplicas"):
            if status.get(field, 0) != wanted:
                return f"{name} has {status.get(field, 0)} of {wanted} {field}"
    for entry in entries:
        if entry["leaving"] or not entry["runs"]:
            return f"{entry['name']} {'is being deleted' if entry['leaving'] else 'does not run yet'}"
    return None


def settle(namespaces, watch, quiet, seconds, new=False):
    """Waits until each namespace has been settled for `quiet` seconds; {namespace: reason} of those that never were."""
    begin = time.time()
    settled_since, reasons, left = {}, {}, set(namespaces)
    while left and time.time() - begin < seconds:
        items = by_namespace()
        for namespace in sorted(left):
            reasons[namespace] = unsettled(items.get(namespace, []), watch.alive(namespace), new)
            if reasons[namespace]:
                settled_since.pop(namespace, None)
            elif time.time() - settled_since.setdefault(namespace, time.time()) >= quiet:
                left.discard(namespace)
        time.sleep(2)
    return {namespace: reasons[namespace] or "was never quiet" for namespace in left}
