// Copies built-in examples to a folder.
#include "workflow/scaffold.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

#include "embedded/embedded.h"
#include "source/real_fs.h"

namespace capwright::workflow {
namespace {

struct Provider {
  std::string_view name, set;  // the built-in set that renders it by default
};
constexpr std::array kProviders{Provider{"aws", "capa"}, Provider{"azure", "capz"}, Provider{"oci", "capoci"},
                                Provider{"openstack", "capo"}};

struct Host {
  std::string_view name, example, path;
};
constexpr std::array kHosts{
    Host{"gitea", "docs/examples/ci/gitea.yml", ".gitea/workflows/capwright.yml"},
    Host{"github", "docs/examples/ci/github.yml", ".github/workflows/capwright.yml"},
    Host{"gitlab", "docs/examples/ci/gitlab-ci.yml", ".gitlab-ci.yml"},
};

// Names of files that begin with a dot are stored as `dot_<name>`, so that Git doesn't follow them in our repository.
std::string written_name(std::string_view stored) {
  constexpr std::string_view kDot = "dot_";
  return stored.starts_with(kDot) ? fmt::format(".{}", stored.substr(kDot.size())) : std::string(stored);
}

void add_folder(std::string_view folder, std::vector<ScaffoldFile>& files) {
  const std::string prefix = fmt::format("scaffold/{}/", folder);
  for (const embedded::File& file : embedded::files()) {
    if (file.path.starts_with(prefix)) files.push_back({written_name(file.path.substr(prefix.size())), file.text});
  }
}

}  // namespace

std::vector<std::string_view> scaffold_providers() {
  std::vector<std::string_view> names;
  for (const Provider& provider : kProviders) names.push_back(provider.name);
  return names;
}

std::vector<std::string_view> scaffold_hosts() {
  std::vector<std::string_view> names;
  for (const Host& host : kHosts) names.push_back(host.name);
  return names;
}

std::vector<ScaffoldFile> scaffold_files(const ScaffoldRequest& request) {
  std::vector<ScaffoldFile> files;
  add_folder("common", files);
  add_folder(request.provider, files);
  for (const Provider& provider : kProviders) {
    if (provider.name != request.provider) continue;
    const auto values =
        std::find_if(files.begin(), files.end(), [](const auto& file) { return file.path == "values/prod-a.yaml"; });
    if (values != files.end()) files.push_back({fmt::format("golden/{}/prod/values.yaml", provider.set), values->text});
  }
  for (const Host& host : kHosts) {
    if (host.name != request.host) continue;
    for (const embedded::File& file : embedded::files()) {
      if (file.path == host.example) files.push_back({std::string(host.path), file.text});
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

Scaffolded write_scaffold(std::span<const ScaffoldFile> files, const std::string& folder, FileSystem& fs) {
  Scaffolded result;
  for (const ScaffoldFile& file : files) {
    const std::string path = folder + "/" + file.path;
    FileStat stat;
    if (!fs.stat(path, stat)) {
      result.existing.push_back(file.path);
      continue;
    }
    IoError error = make_dirs(fs, std::filesystem::path(path).parent_path().string());
    if (!error) error = save_file(path, file.text);
    if (error) {
      result.failed = file.path;
      result.error = error;
      return result;
    }
    result.written.push_back(file.path);
  }
  return result;
}

}  // namespace capwright::workflow
