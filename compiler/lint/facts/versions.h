// Kubernetes versions in manifests and names of images: `v1.35.8`, `v1.35.7+rke2r1`, `1.35`.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::lint {

struct KubernetesVersion {
  int minor = 0;  // of Kubernetes 1.x
  std::optional<int> patch;

  std::string minor_text() const { return "1." + std::to_string(minor); }
  std::string text() const { return patch ? minor_text() + "." + std::to_string(*patch) : minor_text(); }
};

// Parses the version at the start of a text, with or without `v`; ignores the rest.
std::optional<KubernetesVersion> kubernetes_version(std::string_view text);

// All versions in a name: `ubuntu-2404-kube-v1.35.8`. Ignores minor versions too low for Kubernetes, such as 1.7 (of
// containerd).
std::vector<KubernetesVersion> kubernetes_versions_in(std::string_view name);

}  // namespace capwright::lint
