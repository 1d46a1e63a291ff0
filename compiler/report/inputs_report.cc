// Each form has its own way to say "and files that may appear here".
#include "report/inputs_report.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include "report/diff_words.h"
#include "report/json_values.h"
#include "report/printable.h"

namespace capwright::report {
namespace {

bool refuse(std::string_view path, std::string_view reason, std::string& why) {
  why = fmt::format("`{}` {}", printable(path), reason);
  return false;
}

bool has_control_characters(std::string_view path) {
  return path.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos;
}

// A path in a Makefile, as GCC writes it: Ninja reads the same.
std::string make_escaped(std::string_view path) {
  std::string text;
  std::size_t slashes = 0;
  for (const char c : path) {
    if (c == ' ' || c == '#') text.append(slashes, '\\').append(1, '\\');
    if (c == '$') text += '$';
    if (c == ':') text += '\\';
    text += c;
    slashes = c == '\\' ? slashes + 1 : 0;
  }
  return text;
}

std::string starlark_string(std::string_view path) {
  std::string text = "\"";
  for (const char c : path) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

// A label of a file in the package of the root, or a pattern of `glob`.
bool may_be_label(std::string_view path, bool is_pattern, std::string& why) {
  if (path.starts_with("../") || path.starts_with('/'))
    return refuse(path, "is outside the repository, which no Bazel label can name", why);
  if (has_control_characters(path) || path.find_first_of(is_pattern ? ":\\*" : ":\\") != std::string_view::npos)
    return refuse(path, "has a character that Bazel labels can't have", why);
  return true;
}

std::string starlark_list(const std::vector<std::string>& items) {
  std::string text = "[\n";
  for (const std::string& item : items) text += "        " + starlark_string(item) + ",\n";
  return text + "    ]";
}

std::string in_folder(std::string_view folder, std::string_view pattern) {
  return folder == "." ? std::string(pattern) : fmt::format("{}/{}", folder, pattern);
}

}  // namespace

std::string inputs_as_text(std::span<const ClusterInputs> clusters) {
  std::string text;
  for (const ClusterInputs& cluster : clusters) {
    const std::string_view indent = clusters.size() > 1 ? "  " : "";
    if (clusters.size() > 1) text += printable(cluster.name) + "\n";
    for (const std::string& path : cluster.files) text += fmt::format("{}{}\n", indent, printable(path));
    for (const std::string& path : cluster.folders) text += fmt::format("{}{}/\n", indent, printable(path));
    if (!cluster.tree.empty()) text += fmt::format("{}{}/\n", indent, printable(cluster.tree));
    for (const std::string& path : cluster.missing) text += fmt::format("{}{} (missing)\n", indent, printable(path));
  }
  return text;
}

std::string inputs_as_json(std::span<const ClusterInputs> clusters) {
  Json all = Json::array();
  for (const ClusterInputs& cluster : clusters) {
    Json json = {{"name", cluster.name},
                 {"values", cluster.values_path},
                 {"files", cluster.files},
                 {"missing", cluster.missing},
                 {"folders", cluster.folders}};
    add_text(json, "tree", cluster.tree);
    all.push_back(std::move(json));
  }
  const Json document = {{"version", 1}, {"clusters", std::move(all)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string inputs_as_depfile(const ClusterInputs& cluster, std::string_view target, std::string_view prefix,
                              std::string& why) {
  std::set<std::string> paths;
  for (const auto* part : {&cluster.files, &cluster.folders, &cluster.tree_files, &cluster.watched}) {
    for (const std::string& path : *part) {
      if (has_control_characters(path)) {
        refuse(path, "has a line break, which no Makefile can have", why);
        return {};
      }
      const bool is_absolute = path.starts_with('/');
      const std::string whole = is_absolute ? path : std::string(prefix) + path;
      paths.insert(std::filesystem::path(whole).lexically_normal().string());
    }
  }
  paths.erase(std::string(target));
  std::string text = make_escaped(target) + ":";
  for (const std::string& path : paths) text += " \\\n  " + make_escaped(path);
  text += "\n";
  // An input that is deleted later makes the target out of date instead of an error.
  for (const std::string& path : paths) text += "\n" + make_escaped(path) + ":\n";
  return text;
}

std::string inputs_as_bazel(const ClusterInputs& cluster, std::string& why) {
  for (const std::string& path : cluster.files) {
    if (!may_be_label(path, false, why)) return {};
  }
  std::set<std::string> patterns(cluster.missing.begin(), cluster.missing.end());
  for (const std::string& folder : cluster.folders) patterns.insert(in_folder(folder, "**"));
  for (const std::string& path : cluster.missing) patterns.insert(path + "/**");  // it may be a folder
  if (!cluster.tree.empty()) patterns.insert(in_folder(cluster.tree, "**"));
  for (std::string_view pattern : patterns) {
    if (pattern.ends_with("/**")) pattern.remove_suffix(3);
    if (pattern != "**" && !may_be_label(pattern, true, why)) return {};
  }
  return fmt::format("filegroup(\n    name = {},\n    srcs = {} + glob({}, allow_empty = True),\n)\n",
                     starlark_string(cluster.name), starlark_list(cluster.files),
                     starlark_list({patterns.begin(), patterns.end()}));
}

std::string inputs_as_annotation(const ClusterInputs& cluster, std::string_view root, std::string& why) {
  std::set<std::string> paths;
  for (const auto* part : {&cluster.files, &cluster.missing, &cluster.folders}) {
    for (const std::string& path : *part)
      paths.insert(std::filesystem::path("/" + std::string(root) + path).lexically_normal().string());
  }
  if (!cluster.tree.empty()) paths.insert("/" + std::string(root) + cluster.tree);
  std::string text;
  for (const std::string& path : paths) {
    if (has_control_characters(path) || path.find_first_of(";*?[\\") != std::string::npos) {
      refuse(path, "has a character that `manifest-generate-paths` can't have", why);
      return {};
    }
    text += (text.empty() ? "" : ";") + path;
  }
  return text;
}

std::string affected_as_text(const AffectedClusters& affected, bool verbose) {
  std::string text;
  for (const AffectedCluster& cluster : affected.clusters) {
    text += printable(cluster.name) + "\n";
    if (!verbose) continue;
    for (const std::string& path : cluster.changed) text += fmt::format("  {}\n", printable(path));
  }
  return text;
}

std::string removed_as_text(const AffectedClusters& affected) {
  if (affected.removed.empty()) return {};
  std::vector<std::string> names;
  for (const AffectedCluster& cluster : affected.removed) names.push_back(printable(cluster.name));
  return fmt::format("note: {} removed since {}: {}", counted(names.size(), "cluster"), printable(affected.base),
                     fmt::join(names, ", "));
}

std::string affected_as_json(const AffectedClusters& affected) {
  Json clusters = Json::array(), removed = Json::array();
  for (const AffectedCluster& cluster : affected.clusters)
    clusters.push_back({{"name", cluster.name}, {"values", cluster.values_path}, {"changed", cluster.changed}});
  for (const AffectedCluster& cluster : affected.removed)
    removed.push_back({{"name", cluster.name}, {"values", cluster.values_path}});
  const Json document = {
      {"version", 1}, {"base", affected.base}, {"clusters", std::move(clusters)}, {"removed", std::move(removed)}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace capwright::report
