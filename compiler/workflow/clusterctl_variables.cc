// Finds variables in the order of clusterctl: options, the environment, files.
#include "workflow/clusterctl_variables.h"

#include <cstdlib>

#include "base/ascii.h"
#include "yaml/read.h"

namespace capwright::workflow {
namespace {

std::string upper_name(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

}  // namespace

void ClusterctlVariables::add_file(FileId file) {
  const Value document = read_yaml(file, stage_);
  if (!document.is(Kind::Map)) return;
  for (const Entry& entry : document.entries()) {
    if (entry.value.is(Kind::Null)) continue;
    const Value text = make_string(stage_.arena, envsubst::variable_text(entry.value));
    from_files_.insert_or_assign(lowered(entry.key.text()), text.with_origin(entry.value.origin()));
  }
}

void ClusterctlVariables::set(std::string_view option, std::string_view name, std::string_view value) {
  const FileId file = stage_.sources.add(std::string(option), std::string(value));
  const OriginId origin = stage_.origins.input({file, 0, static_cast<std::uint32_t>(value.size())});
  set_.insert_or_assign(lowered(name), make_string(stage_.arena, value).with_origin(origin));
}

const Value* ClusterctlVariables::find_value(std::string_view name, bool with_files) {
  const std::string key = lowered(name);
  if (const auto found = set_.find(key); found != set_.end()) return &found->second;
  if (environment_) {
    const std::string variable = upper_name(name);
    const char* value = std::getenv(variable.c_str());
    if (value != nullptr) {
      const auto [known, is_new] = from_environment_.try_emplace(key);
      if (!is_new) return &known->second;
      const FileId file = stage_.sources.add("<environment>", variable);
      const Span place{file, 0, static_cast<std::uint32_t>(variable.size())};
      known->second = make_string(stage_.arena, value).with_origin(stage_.origins.input(place));
      return &known->second;
    }
  }
  const auto found = from_files_.find(key);
  return with_files && found != from_files_.end() ? &found->second : nullptr;
}

std::optional<envsubst::Setting> ClusterctlVariables::find(std::string_view name) {
  const Value* value = find_value(name, true);
  if (value == nullptr) return std::nullopt;
  used_.insert_or_assign(std::string(name), *value);
  return envsubst::Setting{value->text(), value->origin()};
}

std::optional<std::string> ClusterctlVariables::without_files(std::string_view name) {
  const Value* value = find_value(name, false);
  return value != nullptr ? std::optional<std::string>(value->text()) : std::nullopt;
}

Value ClusterctlVariables::used() const {
  std::vector<Entry> entries;
  for (const auto& [name, value] : used_) entries.push_back({make_key(stage_.arena, name), value});
  return make_map(stage_.arena, entries);
}

}  // namespace capwright::workflow
