"""Compares the objects that `plan` calls DELETE or ORPHAN with those that are there."""

from lab import kube


def look(kind, namespace, name):
    """An object that `plan` names, or {}. It calls a pool of a topology by its name there."""
    found = kube.find(kind, namespace, name)
    if not found and kind == "MachineDeployment":
        items = kube.listed(kube.KINDS.api_of(kind), kind, namespace)
        label = "topology.cluster.x-k8s.io/deployment-name"
        found = next((item for item in items if (item["metadata"].get("labels") or {}).get(label) == name), {})
    return found


class Promises:
    """What `plan` says becomes of a case's objects."""

    def __init__(self, name):
        self.name, self.problems, self.commands = name, [], []
        self.gone, self.there = set(), set()  # objects that must be gone at the end, and there after this step
        self.deleted, self.kept = set(), set()  # all objects of both kinds, to count them

    def note(self, said):
        """To be called before the commit is pushed: what the API server refused earlier can't be an orphan."""
        self.there = set()
        for action in (said or {}).get("actions", []):
            key = (action["kind"], action.get("namespace", self.name), action["name"])
            if action["action"] == "create":
                self.gone.discard(key)
            elif action["action"] == "delete":
                self.gone.add(key)
                self.deleted.add(key)
            elif action["action"] == "orphan" and look(*key):
                self.there.add(key)
                self.kept.add(key)

    def after_step(self):
        for key in sorted(self.there):
            if "deletionTimestamp" in look(*key).get("metadata", {"deletionTimestamp": "gone"}):
                self.problems.append(f"ORPHAN {key[0]} {key[2]}, but it is gone")

    def at_the_end(self):
        self.problems += [f"DELETE {key[0]} {key[2]}, but it is there" for key in sorted(self.gone) if look(*key)]
