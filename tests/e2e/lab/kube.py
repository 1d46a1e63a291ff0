"""A client of the laboratory's API server, and a sync that treats a tree as Argo CD does.

The sync goes by waves, applies on the server's side with the field manager of Argo CD, and deletes tracked objects that left
the tree, but for those that have an ownerReference: Argo CD 3.5 never prunes these. tests/e2e/cases/argocd holds the real
Argo CD to the same behaviour."""

import http.client
import json
import pathlib
import ssl
import threading
import time

import yaml

from lab.places import API

TRUST = ssl._create_unverified_context()  # the certificate is the laboratory's own, made a minute ago
TRACKING = "argocd.argoproj.io/tracking-id"
OPTIONS = "argocd.argoproj.io/sync-options"
HOOK = "argocd.argoproj.io/hook"
FIRST_KINDS = ["Namespace", "ResourceQuota", "ServiceAccount", "Secret", "ConfigMap"]
MADE_BY_CONTROLLERS = {"Machine", "MachineSet", "DevMachine"}
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(f"{status} {message}")
        self.status = status


def connection(timeout=60):
    return http.client.HTTPSConnection("127.0.0.1", API, context=TRUST, timeout=timeout)


LOCAL = threading.local()


def call(method, path, body=None, content="application/json"):
    for attempt in range(5):
        try:
            # A connection a thread: a TLS handshake costs more than the request.
            LOCAL.client = getattr(LOCAL, "client", None) or connection()
            LOCAL.client.request(method, path, body and json.dumps(body), {
                "Authorization": "Bearer e2e", "Content-Type": content, "Accept": "application/json"})
            response = LOCAL.client.getresponse()
            data = response.read()
            break
        except (OSError, http.client.HTTPException):
            LOCAL.client = None
            if attempt == 4:
                raise
            time.sleep(attempt)
    if response.status >= 300:
        try:
            message = json.loads(data).get("message")
        except ValueError:
            message = data[:300].decode("utf-8", "replace")
        raise Refused(response.status, message)
    return json.loads(data) if data else {}


class Kinds:
    """Where the API server serves each kind: (apiVersion, kind) -> (path, plural, namespaced)."""

    def __init__(self):
        self.found = {}

    def discover(self):
        bases = ["/api/v1"]
        for group in call("GET", "/apis")["groups"]:
            bases += [f"/apis/{version['groupVersion']}" for version in group["versions"]]
        for base in bases:
            listed = call("GET", base)
            for resource in listed.get("resources", []):
                if "/" not in resource["name"]:
                    key = (listed["groupVersion"], resource["kind"])
                    self.found[key] = (base, resource["name"], resource["namespaced"])

    def url(self, api, kind, namespace=None, name=None):
        if not self.found:
            self.discover()
        if (api, kind) not in self.found:
            raise Refused(404, f"no matches for kind {kind!r} in version {api!r}")
        base, plural, namespaced = self.found[(api, kind)]
        place = f"/namespaces/{namespace}" if namespaced and namespace else ""
        return f"{base}{place}/{plural}" + (f"/{name}" if name else "")

    def api_of(self, kind):
        """The newest API version of a kind of Cluster API, Argo CD or the core."""
        if not self.found:
            self.discover()
        ours = [api for api, _ in self.found if ".x-k8s.io/" in api or api in ("v1", "argoproj.io/v1alpha1")]
        return max((api for api in ours if (api, kind) in self.found), default="v1")


KINDS = Kinds()


def listed(api, kind, namespace):
    try:
        return call("GET", KINDS.url(api, kind, namespace)).get("items", [])
    except Refused:
        return []


def find(kind, namespace, name):
    """An object, or {}."""
    try:
        return call("GET", KINDS.url(KINDS.api_of(kind), kind, namespace, name))
    except Refused as error:
        if error.status == 404:
            return {}
        raise


def documents(folder):
    """The manifests of a folder, but for values files."""
    found = []
    for path in sorted(pathlib.Path(folder).rglob("*.yaml")):
        if path.name != "values.yaml":
            found += [document for document in yaml.load_all(path.read_text(), LOADER) if document]
    return found


def annotations(manifest):
    return manifest["metadata"].get("annotations") or {}


def key(manifest):
    group = manifest["apiVersion"].rpartition("/")[0]
    metadata = manifest["metadata"]
    return group, manifest["kind"], metadata.get("namespace", ""), metadata["name"]


def tracking(application, manifest):
    group, kind, namespace, name = key(manifest)
    return f"{application}:{group}/{kind}:{namespace}/{name}"


def order(manifest):
    kind = manifest["kind"]
    rank = FIRST_KINDS.index(kind) if kind in FIRST_KINDS else len(FIRST_KINDS)
    return int(annotations(manifest).get("argocd.argoproj.io/sync-wave", "0")), rank, manifest["metadata"]["name"], kind


def apply(manifest):
    metadata = manifest["metadata"]
    url = KINDS.url(manifest["apiVersion"], manifest["kind"], metadata.get("namespace"), metadata["name"])
    return call("PATCH", url + "?fieldManager=argocd-controller&force=true&fieldValidation=Strict", manifest,
                "application/apply-patch+yaml")


def tracked(application, namespace):
    """The live objects of an application, by key."""
    found = {}
    for (api, kind), (base, plural, namespaced) in KINDS.found.items():
        ours = ".x-k8s.io/" in api or (api == "v1" and kind in ("ConfigMap", "Secret"))
        stored = "v1beta1" not in api or (api.replace("v1beta1", "v1beta2"), kind) not in KINDS.found
        if not namespaced or not ours or not stored or kind in MADE_BY_CONTROLLERS:
            continue
        for item in listed(api, kind, namespace):
            item |= {"apiVersion": api, "kind": kind}
            if annotations(item).get(TRACKING) == tracking(application, item):
                found[key(item)] = item
    return found


def prune(manifest, named):
    """What Argo CD does with an object that left the tree; a confirmation counts as given."""
    kept = manifest["metadata"].get("ownerReferences") and not named
    if kept or "Prune=false" in annotations(manifest).get(OPTIONS, ""):
        return
    metadata = manifest["metadata"]
    url = KINDS.url(manifest["apiVersion"], manifest["kind"], metadata.get("namespace"), metadata["name"])
    call("DELETE", url, {"propagationPolicy": "Background"})


def sync(application, manifests, namespace):
    """Applies and prunes; returns what the API server refused, as {"Kind/name": message}. An object that has an owner is
    pruned only if a manifest with a hook names it."""
    known = True
    try:
        call("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
        known = False
    except Refused as error:
        if error.status != 409:
            raise
    refused = {}
    wanted, removed = {}, set()
    for manifest in manifests:
        if HOOK in annotations(manifest):
            removed.add(key(manifest))
        elif not manifest["apiVersion"].startswith("argoproj.io"):
            copy = json.loads(json.dumps(manifest))
            copy["metadata"].setdefault("annotations", {})[TRACKING] = tracking(application, copy)
            wanted[key(copy)] = copy
    live = tracked(application, namespace) if known else {}
    for manifest in sorted(wanted.values(), key=order):
        try:
            apply(manifest)
        except Refused as error:
            refused[f"{manifest['kind']}/{manifest['metadata']['name']}"] = str(error)
    for found, manifest in live.items():
        if found not in wanted and not manifest["metadata"].get("deletionTimestamp"):
            prune(manifest, found in removed)
    return refused
