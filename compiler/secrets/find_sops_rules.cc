// Searches upwards by folder names, like `sops`, but stops at the repository's root.
#include "secrets/find_sops_rules.h"

#include <filesystem>
#include <vector>

namespace capwright {
namespace {

constexpr std::string_view kRules = ".sops.yaml";
constexpr int kMostFolders = 64;  // above the workspace: `..` at the root of the file system refers to itself

// From the workspace's root: "../" repeated up to the folder with `.git`; only "" without one.
std::vector<std::string> folders_above(FileSystem& fs, const Workspace& workspace) {
  std::vector<std::string> folders = {""};
  while (folders.size() < kMostFolders) {
    if (fs.exists(workspace.prefix + folders.back() + ".git")) return folders;
    folders.push_back(folders.back() + "../");
  }
  return {""};
}

// The output folder and its parents up to the workspace's root, deepest first. None if it is elsewhere.
std::vector<std::string> folders_below(std::string_view output) {
  std::vector<std::string> folders;
  std::filesystem::path folder = std::filesystem::path(output).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  const std::string text = folder.string();
  if (folder.is_absolute() || text.empty() || text == "." || text == ".." || text.starts_with("../")) return {};
  for (; !folder.empty(); folder = folder.parent_path()) folders.push_back(folder.string() + "/");
  return folders;
}

}  // namespace

secrets::SopsKeys find_sops_keys(const Value& values, FileSystem& fs, const Workspace& workspace,
                                 std::string_view output) {
  secrets::SopsKeys keys;
  const Value* section = values.find("secrets");
  const Value* sops = section != nullptr ? section->find("sops") : nullptr;
  const Value* age = sops != nullptr ? sops->find("age") : nullptr;
  if (age != nullptr && age->is(Kind::List)) {
    for (const Value& key : age->items()) keys.age.emplace_back(key.text());
  }
  if (!keys.age.empty()) return keys;
  std::vector<std::string> folders = folders_below(output);
  const std::vector<std::string> above = folders_above(fs, workspace);
  folders.insert(folders.end(), above.begin(), above.end());
  for (const std::string& folder : folders) {
    keys.rules = folder + std::string(kRules);
    if (fs.exists(workspace.io_path(keys.rules))) return keys;
  }
  return {};
}

std::string path_in_repository(std::string_view rendered, std::string_view output) {
  return (std::filesystem::path(output) / rendered).lexically_normal().string();
}

}  // namespace capwright
