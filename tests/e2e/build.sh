#!/usr/bin/env bash
# Builds the programs of the laboratory that $1 (build/e2e/bin) doesn't hold yet. Needs Go and its module proxy. On two cores
# the first build takes 15 to 30 minutes, 7 GB of module and build cache, and 800 MB for the binaries.
set -euo pipefail
bin=$(realpath -m "$1")
cd "$(dirname "$0")/go"
mkdir -p "$bin"
export GOFLAGS='-mod=readonly -p=2'

# program NAME MODULE PACKAGE [LDFLAGS]
program() {
  [ -x "$bin/$1" ] && return
  echo "building $1" >&2
  (cd "$2" && nice -n 10 go build -ldflags="-s -w ${4:-}" -o "$bin/$1" "$3")
}

# Cluster API refuses a server of version v0.0.0, which is what an unstamped build reports.
kubernetes=$(cd kubernetes && go list -m -f '{{.Version}}' k8s.io/kubernetes)
IFS=. read -r major minor _ <<<"${kubernetes#v}"
stamp=k8s.io/component-base/version
stamp="-X $stamp.gitVersion=$kubernetes -X $stamp.gitMajor=$major -X $stamp.gitMinor=$minor"
program kube-apiserver kubernetes k8s.io/kubernetes/cmd/kube-apiserver "$stamp"
program kube-controller-manager kubernetes k8s.io/kubernetes/cmd/kube-controller-manager "$stamp"
program kubectl kubernetes k8s.io/kubernetes/cmd/kubectl "$stamp"

program capi-core cluster-api sigs.k8s.io/cluster-api/core
program capi-kubeadm-bootstrap cluster-api sigs.k8s.io/cluster-api/bootstrap/kubeadm
program capi-kubeadm-control-plane cluster-api sigs.k8s.io/cluster-api/controlplane/kubeadm
program capi-capd cluster-api sigs.k8s.io/cluster-api/test/infrastructure/docker
program clusterctl cluster-api sigs.k8s.io/cluster-api/cmd/clusterctl

argocd=$(cd argo-cd && go list -m -f '{{.Version}}' github.com/argoproj/argo-cd/v3)
program argocd argo-cd . "-X github.com/argoproj/argo-cd/v3/common.version=${argocd#v}"
for part in application-controller applicationset-controller cmp-server git-ask-pass repo-server; do
  ln -sfn argocd "$bin/argocd-$part"
done
program helm helm helm.sh/helm/v3/cmd/helm
# SQLite needs cgo. Without the tag `bindata` Gitea reads templates from its sources, see lab/gitea.py.
version=$(cd gitea && go list -m -f '{{.Version}}' code.gitea.io/gitea)
GOFLAGS="$GOFLAGS -trimpath -tags=sqlite,sqlite_unlock_notify" program gitea gitea code.gitea.io/gitea "-X main.Version=${version#v}"
