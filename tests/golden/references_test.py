#!/usr/bin/env python3
"""The objects of every golden tree are consistent with each other.

References lead to an object of the tree, or to one that the case lists as existing; no object occurs twice; the objects
of a cluster are in one namespace, and in sync waves with which Argo CD doesn't wait for ever; files that Applications name
exist, and names leave room for Helm's suffixes.
"""

import pathlib
import sys

try:
    import yaml
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAVE = "argocd.argoproj.io/sync-wave"
KEPT_BY_FLUX = "kustomize.toolkit.fluxcd.io/prune"
CLUSTER_LABEL = "cluster.x-k8s.io/cluster-name"
CREDENTIAL_FROM = "serviceoperator.azure.com/credential-from"
HELM_RELEASE_LENGTH = 53  # Helm leaves room for its own suffixes below the 63 of a label

# Objects that a case deliberately expects to exist: credentials of the form `ref`, identities and groups.
EXTERNALS = {
    "capa/eks-existing-network": {("AWSClusterRoleIdentity", "account-444455556666")},
    "capa/secrets-ref": {("Secret", "team-aws-credentials")},
    "capa/like-giant-swarm": {("AWSClusterRoleIdentity", "default")},
    "capo/like-default-template": {("Secret", "demo-cloud-config"), ("Secret", "demo-workload-cloud-config")},
    "capo/many-pools": {("ServerGroup", "fleet-1-masters"), ("ServerGroup", "fleet-1-workers")},
    "capo/shared-identity": {("OpenStackClusterIdentity", "team-openstack"), ("ServerGroup", "gateways")},
    "capo/secrets-ref": {("Secret", "team-cloud-config"), ("Secret", "team-workload-cloud-config"), ("Secret", "team-etcd-s3")},
    "capo/topology": {("ServerGroup", "prod-a-control-plane")},
    "capo/topology-class": {("OpenStackClusterTemplate", "openstack-v3"), ("KubeadmControlPlaneTemplate", "openstack-v3"),
                            ("OpenStackMachineTemplate", "openstack-v3-control-plane"),
                            ("OpenStackMachineTemplate", "openstack-v3-worker"),
                            ("KubeadmConfigTemplate", "openstack-v3-worker")},
    "capoci/existing-network-kubeadm": {("Secret", "spoke-o-oci-credential")},
    "capoci/many-pools-oke": {("Secret", "shared-oci-credential")},
    "capoci/secrets-ref": {("Secret", "team-oci-credential")},
    "capz/fips-existing-network-kubeadm": {("Secret", "fips-k-azure-credential")},
    "capz/many-pools-aks": {("Secret", "shared-aso-credential")},
    "capz/secrets-ref": {("Secret", "team-aso-credential")},
    "capz/upstream-aks": {("Secret", "demo-aso-credentials")},
}
# Created by the provider, or a service of the management cluster.
EVERYWHERE = {("AWSClusterControllerIdentity", "default")}
OF_THE_SITE = {"ClusterSecretStore", "SecretStore"}

ORC = "openstack.k-orc.cloud"  # all of its kinds are in the wave of ServerGroup
WAVES = {"Namespace": "-3", "Secret": "-2", "ExternalSecret": "-2", "SealedSecret": "-2", "ConfigMap": "-1",
         "ServerGroup": "-1", "AppProject": "-1", "AWSClusterRoleIdentity": "-1", "AWSClusterStaticIdentity": "-1",
         "AzureClusterIdentity": "-1", "OCIClusterIdentity": "-1"}
CLASS_WAVE = "-1"  # of a ClusterClass and of all templates beside it: the Cluster moves to it later
UNTIMED = {"HelmRelease", "HelmRepository", "HelmChartProxy"}  # Flux and Cluster API's add-on provider order them themselves
CLUSTER_SCOPED = {"Namespace", "AWSClusterRoleIdentity", "AWSClusterStaticIdentity"}
ARGO_CD = {"Application", "AppProject"}
FIRST_WAVE_OF_ADDONS = 10


def group_of(document):
    return document["apiVersion"].rpartition("/")[0]


def walk(value, path=""):
    """All maps below `value`, with their paths."""
    if isinstance(value, dict):
        yield path, value
        for key, item in value.items():
            yield from walk(item, f"{path}.{key}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from walk(item, f"{path}[{number}]")


def orc_references(spec):
    """References between objects of the OpenStack resource controller, whose keys name the kind."""
    for path, item in walk(spec, ".spec"):
        for key, value in item.items():
            if key == "secretName":
                yield f"{path}.{key}", "Secret", value, None
            elif key.endswith(("Ref", "Refs")) and not isinstance(value, dict):
                kind = key.removesuffix("s").removesuffix("Ref").removeprefix("floating")
                for name in value if isinstance(value, list) else [value]:
                    yield f"{path}.{key}", kind[0].upper() + kind[1:], name, None


def own_references(document):
    """References with an implied kind: (path, kind, name, namespace or None)."""
    kind, spec = document["kind"], document.get("spec", {})
    if kind in {"OpenStackCluster", "OpenStackFloatingIPPool"}:
        reference = spec["identityRef"]
        named = "OpenStackClusterIdentity" if reference.get("type") == "ClusterIdentity" else "Secret"
        yield ".spec.identityRef", named, reference["name"], None
    elif kind == "AWSClusterStaticIdentity":
        yield ".spec.secretRef", "Secret", spec["secretRef"], None
    elif group_of(document) == ORC:
        yield from orc_references(spec)
    for key in ("clientSecret", "principalSecret"):
        if key in spec:
            yield f".spec.{key}", "Secret", spec[key]["name"], spec[key]["namespace"]
    for path, item in walk(spec, ".spec"):
        if "classRef" in item:
            yield f"{path}.classRef", "ClusterClass", item["classRef"]["name"], item["classRef"].get("namespace")
        if "clusterName" in item:
            yield f"{path}.clusterName", "Cluster", item["clusterName"], None
        if kind == "OpenStackMachineTemplate" and "filter" in item.get("serverGroup", {}):
            yield f"{path}.serverGroup", "ServerGroup", item["serverGroup"]["filter"]["name"], None
        if kind == "OpenStackMachineTemplate" and "imageRef" in item:
            yield f"{path}.imageRef", "Image", item["imageRef"]["name"], None
        if CREDENTIAL_FROM in item:
            yield path, "Secret", item[CREDENTIAL_FROM], None


def references(document):
    """(path, kind, name, namespace or None) of every reference to an object of Kubernetes."""
    yield from own_references(document)
    if document["kind"] in ARGO_CD:
        return
    for path, item in walk(document.get("spec", {}), ".spec"):
        if {"kind", "name"} <= item.keys() and item["kind"] not in OF_THE_SITE and "group" not in item:
            yield path, item["kind"], item["name"], item.get("namespace")


def made_objects(document):
    """(kind, name) of a document and of the objects it creates: a Secret, or Azure resources."""
    yield document["kind"], document["metadata"]["name"]
    if document["kind"] == "ExternalSecret":
        yield "Secret", document["spec"]["target"]["name"]
    elif document["kind"] == "SealedSecret":
        yield "Secret", document["spec"]["template"]["metadata"]["name"]
    elif document["kind"] == "ServerGroup":
        yield "ServerGroup", document["spec"].get("resource", {}).get("name", document["metadata"]["name"])


class Tree:
    """The documents of one cluster, and the errors in them. A stream has neither `folder` nor `files`."""

    def __init__(self, case, folder, documents, files):
        self.folder = folder
        self.documents = documents
        self.files = files
        self.made = {item for _, document in documents for item in made_objects(document)}
        self.external = set(EXTERNALS.get(case, ()))
        self.used = set()
        clusters = [document for _, document in documents if document["kind"] == "Cluster"]
        self.cluster = clusters[0]["metadata"] if len(clusters) == 1 else None
        self.namespace = self.cluster and self.cluster["namespace"]
        self.has_class = any(document["kind"] == "ClusterClass" for _, document in documents)

    def faults(self):
        if self.cluster is None:
            yield "", "not one Cluster"
            return
        if self.folder not in (None, self.cluster["name"]):
            yield "", f"the folder {self.folder} holds the cluster {self.cluster['name']}"
        seen = set()
        for file, document in self.documents:
            metadata = document["metadata"]
            identity = (group_of(document), document["kind"], metadata.get("namespace"), metadata["name"])
            where = f"{file}: {document['kind']} {metadata['name']}"
            if identity in seen:
                yield where, "is there twice"
            seen.add(identity)
            for check in (self.dangling, self.mislabelled, self.misplaced, self.mistimed, self.of_application, self.of_azure):
                yield from ((where, fault) for fault in check(document))
        for kind, name in sorted(self.external - self.used):
            yield "", f"nothing refers to the external {kind} {name}"

    def dangling(self, document):
        for path, kind, name, namespace in references(document):
            if (kind, name) in self.external:
                self.used.add((kind, name))
            elif (kind, name) not in self.made | EVERYWHERE:
                yield f"{path} refers to the {kind} {name}, which isn't there"
            if namespace not in (None, self.namespace):
                yield f"{path} refers into the namespace {namespace}"

    def mislabelled(self, document):
        of = document["metadata"].get("labels", {}).get(CLUSTER_LABEL)
        if of != self.cluster["name"]:
            yield f"is labelled as the cluster {of}'s"
        if document["kind"] == "ClusterResourceSet":
            wanted = document["spec"]["clusterSelector"]["matchLabels"]
            if not wanted.items() <= self.cluster["labels"].items():
                yield "doesn't select the Cluster"

    def misplaced(self, document):
        kind, namespace = document["kind"], document["metadata"].get("namespace")
        if kind in CLUSTER_SCOPED:
            if namespace is not None:
                yield "has a namespace, but its kind has none"
        elif kind in ARGO_CD:
            if namespace != "argocd":
                yield f"is in the namespace {namespace}, where Argo CD doesn't look"
        elif namespace != self.namespace and not self.is_read_by_static_identity(document):
            yield f"is in the namespace {namespace}, the cluster in {self.namespace}"

    def is_read_by_static_identity(self, document):
        """Cluster API's AWS provider reads the access key only from its own namespace."""
        keys = {other["spec"]["secretRef"] for _, other in self.documents if other["kind"] == "AWSClusterStaticIdentity"}
        return any(kind == "Secret" and name in keys for kind, name in made_objects(document))

    def mistimed(self, document):
        kind, annotations = document["kind"], document["metadata"].get("annotations", {})
        wave = annotations.get(WAVE)
        if kind == "Namespace" and KEPT_BY_FLUX in annotations:  # Flux applies it before all other kinds
            return
        if kind == "Application":
            if wave is None or int(wave) < FIRST_WAVE_OF_ADDONS:
                yield f"is in wave {wave}, among the objects of the cluster"
        elif group_of(document) == ORC:
            if wave != WAVES["ServerGroup"]:
                yield f"is in wave {wave}, not in {WAVES['ServerGroup']}"
        elif kind in UNTIMED:
            if wave is not None:
                yield f"is in wave {wave}, which has no effect"
        elif not (kind in WAVES or group_of(document).endswith("cluster.x-k8s.io")):
            yield "is of a kind for which no wave is specified"
        elif self.has_class and (kind == "ClusterClass" or kind.endswith("Template")):
            if wave != CLASS_WAVE:
                yield f"is in wave {wave}, not before the Cluster, in {CLASS_WAVE}"
        elif wave != WAVES.get(kind, "0"):
            yield f"is in wave {wave}, not in {WAVES.get(kind, '0')}"

    def of_application(self, document):
        if document["kind"] != "Application":
            return
        if len(document["metadata"]["name"]) > HELM_RELEASE_LENGTH:
            yield f"has a name of more than {HELM_RELEASE_LENGTH} characters"
        for source in document["spec"]["sources"]:
            helm = source.get("helm", {})
            if len(helm.get("releaseName", "")) > HELM_RELEASE_LENGTH:
                yield f"has a release of more than {HELM_RELEASE_LENGTH} characters"
            for path in helm.get("valueFiles", []):
                if self.files is not None and path[path.index("clusters/"):] not in self.files:
                    yield f"names {path}, which isn't there"

    def of_azure(self, document):
        """Azure resources embedded in the document: their owners and subnets must be embedded in some document, too."""
        embedded = {resource["metadata"]["name"] for _, other in self.documents
                    for resource in other.get("spec", {}).get("resources", []) if "metadata" in resource}
        for resource in document.get("spec", {}).get("resources", []):
            for path, item in walk(resource.get("spec", {})):
                name = item["name"] if {"group", "kind", "name"} <= item.keys() else item.get("owner", {}).get("name")
                if name is not None and name not in embedded:
                    yield f"{path} names the Azure resource {name}, which isn't there"


def documents_of(path):
    return [(path.name, document) for document in yaml.safe_load_all(path.read_text()) if document is not None]


def trees():
    """Every stored tree or stream of the golden cases, and every tree of the tutorials."""
    for folder in sorted([*ROOT.glob("golden/*/*/clusters/*/"), *ROOT.glob("docs/tutorial/*/clusters/*/")]):
        root = folder.parents[1]
        case = f"{root.parent.name}/{root.name}"
        files = {str(path.relative_to(root)): path for path in sorted(folder.rglob("*.yaml"))}
        documents = [found for path in files.values() if path.name != "values.yaml" for found in documents_of(path)]
        yield case, Tree(case, folder.name, documents, files)
    for path in sorted(ROOT.glob("golden/*/*/stdout.yaml")):
        case = f"{path.parents[1].name}/{path.parent.name}"
        yield case, Tree(case, None, documents_of(path), None)


def main():
    documents, failed, checked = 0, 0, set()
    for name, tree in trees():
        checked.add(name)
        documents += len(tree.documents)
        for where, fault in tree.faults():
            failed += 1
            print(f"{name}: {where}{': ' if where else ''}{fault}")
    for name in sorted(EXTERNALS.keys() - checked):
        failed += 1
        print(f"{name} has externals, but there is no such case")
    print(f"{documents} objects of {len(checked)} cases, {failed} faults")
    sys.exit(1 if failed or not checked else 0)


if __name__ == "__main__":
    main()
