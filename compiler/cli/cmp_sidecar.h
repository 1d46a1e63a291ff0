// The sidecar of Argo CD's repo server in which the plugin runs: its start, and checks of its container.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "workflow/requests.h"

namespace capwright::cli {

// Where Argo CD's documentation puts them.
struct SidecarPlaces {
  std::string server = "/var/run/argocd/argocd-cmp-server";
  std::string config_folder = "/home/argocd/cmp-server/config";  // an own plugin.yaml; may be missing
};

// Replaces this process by Argo CD's server of plugins, with the own plugin.yaml, otherwise with the built-in one,
// which it writes below the folder for temporary files. Returns only if that fails: why, and the fix.
std::string run_sidecar(const SidecarPlaces&);

struct SidecarCheck {
  enum class State { Ok, Problem, Skipped };
  State state;
  std::string_view topic;
  std::string text;
  std::string fix = {};  // of a problem
};

// All checks, in the order in which a sidecar needs them.
std::vector<SidecarCheck> check_sidecar(const SidecarPlaces&, const workflow::RepositoryOptions&);

}  // namespace capwright::cli
