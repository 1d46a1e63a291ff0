// What a deployment needs to know about its cluster, from any kind of configuration.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "secrets/texts.h"

namespace capwright::deploy {

// A variable of the environment of programs.
struct Variable {
  std::string name;
  std::string value;
};

struct Settings {
  std::string organization;           // may be empty
  std::string name;                   // of the cluster
  std::string configuration;          // the path of its file
  std::string repository;             // the absolute folder below which all programs run
  std::string folder;                 // of the cluster's OpenTofu files, relative to `repository`
  std::string kubeconfig;             // the absolute path of the file to write
  std::string api_address;            // replaces a loopback address in the kubeconfig; empty: nothing is replaced
  bool kubespray = false;             // whether Kubespray installs Kubernetes
  std::vector<Variable> credentials;  // OS_…; those of the configuration, otherwise of the environment
  SecretTexts secrets;
  std::vector<Span> secret_places;  // in the configuration, to redact in its lines

  std::string cluster_folder() const { return repository + "/" + folder; }
  std::string shown_name() const { return organization.empty() ? name : organization + "/" + name; }
};

// `[org/]NAME` on the command line.
struct Target {
  std::string organization;  // may be empty
  std::string name;
};

// Whether a text is safe as a part of a path and as an argument: letters, digits, `.`, `_` and `-`, at most 63, with a
// letter or digit first.
bool is_name(std::string_view text);
// False after reporting that `text` is of another form.
bool read_target(std::string_view text, Target& target, Sink& sink);

}  // namespace capwright::deploy
