// The settings of a deployment from a configuration of opencenter, or from the values of a cluster.
#pragma once
#include <string>
#include <vector>

#include "deploy/deploy_settings.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::deploy {

// Keys of opencenter's configuration (schema_version "2.0"), or capwright's values; both by the catalogue
// deployment.yaml.
enum class Vocabulary : std::uint8_t { Opencenter, Values };

struct Source {
  Vocabulary vocabulary = Vocabulary::Opencenter;
  Value document;
  std::string path;                   // of its file, for messages
  std::string folder;                 // absolute: where relative paths start; of values: the repository
  std::string home;                   // replaces `~` in paths
  std::vector<Variable> environment;  // of this process
  Target target;
};

// The settings of the configuration, completed by the environment. Reports each mistake: other versions and names,
// unknown keys, missing credentials, placeholders. The document's texts below keys that are named like secrets, and
// tainted ones, are secrets.
Settings read_configuration(const Source& source, Stage& stage);

// Whether the value of a variable of OpenStack's clients is redacted.
bool is_secret_variable(std::string_view name);

// The variables that programs inherit from this process.
std::vector<Variable> inherited_variables(const std::vector<Variable>& environment);

}  // namespace capwright::deploy
