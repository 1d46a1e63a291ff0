"""CRDs and webhook configurations of the Cluster API modules, for managers that run outside of a cluster.

kustomize and cert-manager do this in an installation: contract labels, conversion webhooks, certificates. Here each
`service:` becomes a `url:` on the loopback."""

import base64
import pathlib

import yaml

from lab import places

CONTRACTS = {"cluster.x-k8s.io/v1beta1": "v1beta1", "cluster.x-k8s.io/v1beta2": "v1beta2"}
# provider: (folder of its config/, port of its webhooks, labels of its CRDs)
PROVIDERS = {
    "cluster-api": ("capi", "core/config", 9443, {}),
    "bootstrap-kubeadm": ("capi", "bootstrap/kubeadm/config", 9444, CONTRACTS),
    "control-plane-kubeadm": ("capi", "controlplane/kubeadm/config", 9445, CONTRACTS),
    "infrastructure-docker": ("test", "infrastructure/docker/config", 9446, CONTRACTS),
}


def documents(path):
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


def install_files(certificate):
    """([CRD], [webhook configuration])"""
    authority = base64.b64encode(certificate.read_bytes()).decode()
    modules = {
        "capi": pathlib.Path(places.module("cluster-api", "sigs.k8s.io/cluster-api", "{{.Dir}}")),
        "test": pathlib.Path(places.module("cluster-api", "sigs.k8s.io/cluster-api/test", "{{.Dir}}")),
    }
    crds, webhooks = [], []
    for provider, (module, config, port, labels) in PROVIDERS.items():
        folder = modules[module] / config
        for path in sorted((folder / "crd" / "bases").glob("*.yaml")):
            for crd in documents(path):
                crd["metadata"].setdefault("labels", {}).update(labels | {"cluster.x-k8s.io/provider": provider})
                if len(crd["spec"]["versions"]) > 1:
                    client = {"url": f"https://127.0.0.1:{port}/convert", "caBundle": authority}
                    webhook = {"conversionReviewVersions": ["v1"], "clientConfig": client}
                    crd["spec"]["conversion"] = {"strategy": "Webhook", "webhook": webhook}
                crds.append(crd)
        for configuration in documents(folder / "webhook" / "manifests.yaml"):
            configuration["metadata"]["name"] = f"{provider}-{configuration['metadata']['name']}"
            for webhook in configuration["webhooks"]:
                path = webhook["clientConfig"]["service"]["path"]
                webhook["clientConfig"] = {"url": f"https://127.0.0.1:{port}{path}", "caBundle": authority}
            webhooks.append(configuration)
    return crds, webhooks
