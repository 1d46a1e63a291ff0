// Copies built-in examples to a folder.
#include "workflow/scaffold.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

#include "embedded/embedded.h"
#include "facts/built_in.h"
#include "git/repository.h"
#include "pipeline/repository_bounds.h"
#include "report/json_values.h"
#include "source/real_fs.h"
#include "values/editor_schema.h"
#include "workflow/argocd_files.h"

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
    Host{"github", "docs/examples/ci/actionlint.yaml", ".github/actionlint.yaml"},
    Host{"github", "docs/examples/ci/github.yml", ".github/workflows/capwright.yml"},
    Host{"gitlab", "docs/examples/ci/gitlab-ci.yml", ".gitlab-ci.yml"},
};

// Names of files that begin with a dot are stored as `dot_<name>`, so that Git doesn't follow them in our repository.
std::string written_name(std::string_view stored) {
  constexpr std::string_view kDot = "dot_";
  return stored.starts_with(kDot) ? fmt::format(".{}", stored.substr(kDot.size())) : std::string(stored);
}

// The version that writes a repository is the one that renders it until its users choose another.
std::string with_version(std::string_view stored) {
  constexpr std::string_view kVersion = "VERSION";
  std::string text(stored);
  if (const std::size_t at = text.find(kVersion); at != std::string::npos)
    text.replace(at, kVersion.size(), embedded::version());
  return text;
}

void add_folder(std::string_view folder, std::vector<ScaffoldFile>& files) {
  const std::string prefix = fmt::format("scaffold/{}/", folder);
  for (const embedded::File& file : embedded::files()) {
    if (file.path.starts_with(prefix))
      files.push_back({written_name(file.path.substr(prefix.size())), with_version(file.text)});
  }
}

// The cloud of the examples; empty: there are none for the set's cloud.
std::string_view cloud_of(const ScaffoldRequest& request) {
  const std::string& cloud = request.own ? request.own->provider : request.provider;
  const auto* known = std::find_if(kProviders.begin(), kProviders.end(),
                                   [&](const Provider& provider) { return provider.name == cloud; });
  return known == kProviders.end() ? std::string_view() : known->name;
}

// The examples of the request's cloud, rendered by its set.
void add_cloud(const ScaffoldRequest& request, std::vector<ScaffoldFile>& files) {
  const std::string_view cloud = cloud_of(request);
  add_folder(cloud, files);
  const std::string by_cloud = fmt::format("\nprovider: {}\n", cloud);
  std::string production;
  for (ScaffoldFile& file : files) {
    const std::size_t line = request.own ? file.text.find(by_cloud) : std::string::npos;
    if (line != std::string::npos)
      file.text.replace(line, by_cloud.size(), fmt::format("\nprovider: {}\n", request.own->id));
    if (file.path == "values/prod-a.yaml") production = file.text;
  }
  files.push_back({fmt::format("golden/{}/prod/values.yaml", rendering_set(request)), production});
}

constexpr std::string_view kExampleUrl = "https://git.example.com/platform/clusters.git";

constexpr std::string_view kSettings = R"({
  "yaml.schemas": {
    "./schemas/values.schema.json": ["values/**/*.yaml", "golden/*/*/values.yaml"],
    "./schemas/layer.schema.json": "layers/**/*.yaml"
  }
}
)";

std::string schema_for(values::ValuesFile file, const TemplateSet& set) {
  const BuiltInYaml flat("schemas/values/wizard.schema.json");
  Arena arena;
  return report::as_pretty_json(values::editor_schema(set.schema_document, flat.content(), file, arena));
}

// What Argo CD reads from: `argocd.repo_url` accepts no others. A password stays out of the files.
std::string public_url(const std::string& url) {
  const bool is_web = url.starts_with("https://") || url.starts_with("http://");
  const std::size_t host = url.find("://") + 3, at = url.find('@');
  const bool has_user = is_web && at != std::string::npos && at < url.find('/', host);
  if (has_user) return url.substr(0, host) + url.substr(at + 1);
  const bool is_short = url.find("://") == std::string::npos && at != std::string::npos && at < url.find(':');
  const bool is_plain = url.find_first_of(" \t\r\n\"'#{}[],&*!|>%`\\") == std::string::npos;
  return is_plain && (is_web || url.starts_with("ssh://") || is_short) ? url : "";
}

// Without a repository or a remote, the example stays.
std::string remote_url_of(const std::string& folder) {
  Sink none;
  const auto repository = git::open_repository(folder, none);
  const auto remote = repository == nullptr ? std::nullopt : repository->remote_url("origin", none);
  return remote ? public_url(*remote) : "";
}

// The checked-out branch; empty: there is none.
std::string branch_of(const std::string& folder) {
  Sink none;
  const auto repository = git::open_repository(folder, none);
  const auto head = repository == nullptr ? std::nullopt : repository->head(none);
  return head ? std::string(head->branch()) : "";
}

// `argocd.path` and `argocd.revision` take no others.
bool is_valid_path(std::string_view path) {
  return !path.empty() && std::all_of(path.begin(), path.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-' || c == '/';
  });
}

}  // namespace

void fit_to_git(const ScaffoldRequest& request, std::vector<ScaffoldFile>& files) {
  RealFs real;
  std::string folder = folder_in_git(real, request.folder);
  if (folder.ends_with('/')) folder.pop_back();
  const std::string url = request.argocd ? remote_url_of(request.folder) : "";
  const std::string branch = request.argocd ? branch_of(request.folder) : "";
  const bool has_other_branch = branch != "main" && is_valid_path(branch);
  for (ScaffoldFile& file : files) {
    const std::size_t at = file.text.find(kExampleUrl);
    if (at == std::string::npos) continue;
    if (is_valid_path(folder)) file.text.insert(at + kExampleUrl.size(), fmt::format("\n  path: {}", folder));
    if (has_other_branch) file.text.insert(at + kExampleUrl.size(), fmt::format("\n  revision: {}", branch));
    if (!url.empty()) file.text.replace(at, kExampleUrl.size(), url);
  }
}

std::vector<ScaffoldFile> derived_files(const ScaffoldRequest& request, OpenProject& open) {
  std::vector<ScaffoldFile> files;
  if (request.argocd) {
    ArgoCdFiles argocd(open, {});
    files.push_back({"argocd/project.yaml", argocd.project()});
    files.push_back({"argocd/clusters.yaml", argocd.application_set(false)});
    files.push_back({"argocd-health.yaml", std::string(built_in_text("schemas/catalogue/argocd-health.yaml"))});
  }
  if (!request.vscode) return files;
  files.push_back({".vscode/settings.json", std::string(kSettings)});
  if (const TemplateSet* set = open.project->template_set(rendering_set(request))) {
    files.push_back({"schemas/layer.schema.json", schema_for(values::ValuesFile::Layer, *set)});
    files.push_back({"schemas/values.schema.json", schema_for(values::ValuesFile::Cluster, *set)});
  }
  return files;
}

std::vector<std::string_view> scaffold_providers() {
  std::vector<std::string_view> names;
  for (const Provider& provider : kProviders) names.push_back(provider.name);
  return names;
}

std::vector<std::string_view> scaffold_hosts() {
  std::vector<std::string_view> names;
  for (const Host& host : kHosts) {
    if (names.empty() || names.back() != host.name) names.push_back(host.name);
  }
  return names;
}

std::string rendering_set(const ScaffoldRequest& request) {
  if (request.own) return request.own->id;
  for (const Provider& provider : kProviders) {
    if (provider.name == request.provider) return std::string(provider.set);
  }
  return {};
}

bool has_examples(const ScaffoldRequest& request) { return !cloud_of(request).empty(); }

std::vector<ScaffoldFile> scaffold_files(const ScaffoldRequest& request) {
  std::vector<ScaffoldFile> files;
  add_folder("common", files);
  if (has_examples(request)) add_cloud(request, files);
  if (request.own) {
    for (const SetFile& file : request.own->files) files.push_back({file.shown, file.text});
  }
  for (const Host& host : kHosts) {
    if (host.name != request.host) continue;
    for (const embedded::File& file : embedded::files()) {
      if (file.path == host.example) files.push_back({std::string(host.path), with_version(file.text)});
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
