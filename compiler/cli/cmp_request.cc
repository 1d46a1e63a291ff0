// The variables by which Argo CD passes an Application to the plugin.
#include "cli/cmp_request.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "diag/suggest.h"
#include "pipeline/config.h"

namespace capwright::cli {
namespace {

bool is_blank(const nlohmann::json& value) { return value.empty() || value == nlohmann::json(""); }

// The error for a parameter whose value has the wrong field; otherwise empty.
std::string misplaced(const std::string& name, const nlohmann::json& entry, const char* wanted) {
  for (const char* type : {"string", "array", "map"}) {
    if (std::string_view(type) == wanted || !entry.contains(type) || is_blank(entry[type])) continue;
    return fmt::format("parameter `{}` has `{}`; expected `{}`", name, type, wanted);
  }
  return {};
}

std::string read_parameter(const std::string& name, const nlohmann::json& entry, PluginParameters& parameters) {
  const bool is_list = name == "values", is_map = name == "set";
  const char* wanted = "string";
  if (is_list) wanted = "array";
  else if (is_map) wanted = "map";
  if (std::string fault = misplaced(name, entry, wanted); !fault.empty()) return fault;
  if (!entry.contains(wanted) || is_blank(entry[wanted])) return {};
  const nlohmann::json& value = entry[wanted];
  bool is_wanted = value.is_string();
  if (is_list) is_wanted = value.is_array();
  else if (is_map) is_wanted = value.is_object();
  const bool has_texts =
      !value.is_structured() ||
      std::all_of(value.begin(), value.end(), [](const nlohmann::json& each) { return each.is_string(); });
  if (!is_wanted || !has_texts) return fmt::format("parameter `{}` must contain only strings", name);
  if (is_list) parameters.values.files = value.get<std::vector<std::string>>();
  for (const auto& [path, text] :
       is_map ? value.get<std::map<std::string, std::string>>() : std::map<std::string, std::string>())
    parameters.values.sets.push_back({path + "=" + text, false});
  if (name == "cluster") parameters.cluster = value.get<std::string>();
  if (name == "part") parameters.part = value.get<std::string>();
  return {};
}

}  // namespace

std::string plugin_variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value != nullptr ? value : "";
}

std::string read_plugin_parameters(const std::string& text, PluginParameters& parameters) {
  if (text.empty()) return {};
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_null()) return {};
  if (!json.is_array()) return fmt::format("`{}` isn't a JSON array", kPluginParameters);
  const std::vector<std::string_view> known{"cluster", "part", "set", "values"};
  std::set<std::string> given;
  for (const nlohmann::json& entry : json) {
    if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string())
      return fmt::format("`{}` has an entry without `name`", kPluginParameters);
    const std::string name = entry["name"].get<std::string>();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string suggestion = did_you_mean(name, known);
      return fmt::format("unknown parameter `{}`; {}", name,
                         suggestion.empty() ? "known: " + list_names(known) : suggestion);
    }
    if (!given.insert(name).second) return fmt::format("parameter `{}` is given twice; remove one", name);
    if (std::string fault = read_parameter(name, entry, parameters); !fault.empty()) return fault;
  }
  const std::vector<std::string_view> parts{"all", "cluster", "addons"};
  if (std::find(parts.begin(), parts.end(), parameters.part) != parts.end()) return {};
  return fmt::format("parameter `part` takes {}, not `{}`", list_names(parts), parameters.part);
}

std::string find_plugin_config(FileSystem& fs, const std::string& here) {
  const char* path = std::getenv("ARGOCD_APP_SOURCE_PATH");
  if (path == nullptr) {  // not a request of Argo CD
    const std::string config = find_workspace(fs, here).prefix + std::string(kConfigName);
    return fs.exists(config) ? config : "";
  }
  std::filesystem::path folder(here), below(path);
  below = below.lexically_normal();
  for (std::string prefix;; prefix += "../") {
    FileStat stat;
    if (!fs.stat(prefix + std::string(kConfigName), stat)) return prefix + std::string(kConfigName);
    if (!below.has_filename()) below = below.parent_path();
    if (below.empty() || below.filename() == "." || folder.filename() != below.filename()) return {};
    folder = folder.parent_path();
    below = below.parent_path();
  }
}

}  // namespace capwright::cli
