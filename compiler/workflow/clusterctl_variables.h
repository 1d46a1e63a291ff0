// The variables of `clusterctl generate`, with their precedence: options, `--set`, the environment, files.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "envsubst/envsubst.h"
#include "workflow/clusterctl.h"

namespace capwright::workflow {

class ClusterctlVariables {
 public:
  explicit ClusterctlVariables(Stage& stage, bool uses_environment) : stage_(stage), environment_(uses_environment) {}

  // A file of names and scalars. Reports errors.
  void add_file(FileId file);
  // `option` is shown as the source.
  void set(std::string_view option, std::string_view name, std::string_view value);
  // Names are compared without case, as clusterctl does.
  std::optional<envsubst::Setting> find(std::string_view name);
  // The same without files: where clusterctl looks for the defaults that it lists.
  std::optional<std::string> without_files(std::string_view name);
  // The variables that find() has found.
  Value used() const;

 private:
  const Value* find_value(std::string_view name, bool with_files);

  Stage& stage_;
  bool environment_;
  std::map<std::string, Value, std::less<>> set_, from_environment_, from_files_;  // by name in lower case
  std::map<std::string, Value, std::less<>> used_;                                 // by name
};

}  // namespace capwright::workflow
