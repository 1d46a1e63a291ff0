// What argocd-cmp-server of Argo CD 3.5 needs from its container; see docs/argocd.md.
#include "cli/cmp_sidecar.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/cmp_request.h"
#include "facts/built_in.h"
#include "report/diff_words.h"
#include "report/printable.h"
#include "source/real_fs.h"
#include "workflow/open_project.h"
#include "yaml/read.h"

namespace capwright::cli {
namespace {

constexpr unsigned kArgoCdUser = 999;
constexpr std::uint64_t kMostPluginBytes = 1 << 20;
constexpr std::string_view kPluginName = "plugin.yaml";

using report::printable;
using State = SidecarCheck::State;

std::string temporary_folder() {
  const std::string folder = plugin_variable("TMPDIR");
  return folder.empty() ? "/tmp" : folder;
}

// "" if files can be created there.
std::string why_not_writable(const std::string& folder) {
  RealFs fs;
  const std::string file = fmt::format("{}/.capwright-{}", folder, ::getpid());
  const IoError error = fs.create(file, "", kPrivateFileMode);
  if (!error) static_cast<void>(fs.remove(file));
  return error ? describe(error) : "";
}

SidecarCheck check_user() {
  const unsigned user = ::getuid();
  if (user == kArgoCdUser) return {State::Ok, "user", fmt::format("{}, as Argo CD", user)};
  return {State::Problem, "user", fmt::format("{}, but Argo CD connects as {}", user, kArgoCdUser),
          fmt::format("set `runAsUser: {}` in the container's `securityContext`", kArgoCdUser)};
}

SidecarCheck check_folder(std::string_view topic, const std::string& folder, std::string fix) {
  const std::string why = why_not_writable(folder);
  if (why.empty()) return {State::Ok, topic, fmt::format("`{}` is writable", printable(folder))};
  return {State::Problem, topic, fmt::format("`{}` isn't writable: {}", printable(folder), why), std::move(fix)};
}

SidecarCheck check_home() {
  const std::string home = plugin_variable("HOME");
  if (home.empty()) return {State::Ok, "HOME", "not set, and not needed"};
  const bool is_writable = why_not_writable(home).empty();
  return {State::Ok, "HOME",
          fmt::format("`{}`{}", printable(home), is_writable ? "" : " isn't writable, which isn't needed")};
}

SidecarCheck check_server(const SidecarPlaces& places) {
  if (::access(places.server.c_str(), X_OK) == 0)
    return {State::Ok, "server", fmt::format("`{}` is executable", printable(places.server))};
  return {State::Problem, "server",
          fmt::format("`{}` can't be run: {}", printable(places.server), describe(IoError{errno})),
          "mount the volume `var-files` of the repo server at `/var/run/argocd`"};
}

const Value* below(const Value& document, std::string_view outer, std::string_view inner) {
  const Value* value = document.is(Kind::Map) ? document.find(outer) : nullptr;
  return value != nullptr && value->is(Kind::Map) ? value->find(inner) : nullptr;
}

// "" if Argo CD's server starts with this plugin.yaml.
std::string fault_of_plugin(const std::string& text) {
  OwnStage own;
  const Value document = read_yaml(own.sources.add(std::string(kPluginName), text), own.stage);
  if (own.sink.failed() || !document.is(Kind::Map)) return "isn't valid YAML";
  const Value* kind = document.find("kind");
  if (kind == nullptr || !kind->is(Kind::String) || kind->text() != "ConfigManagementPlugin")
    return "has another `kind` than `ConfigManagementPlugin`";
  if (below(document, "metadata", "name") == nullptr) return "has no `metadata.name`";
  const Value* generate = below(document, "spec", "generate");
  const Value* command = generate != nullptr && generate->is(Kind::Map) ? generate->find("command") : nullptr;
  if (command == nullptr || !command->is(Kind::List) || command->items().empty())
    return "has no `spec.generate.command`";
  return {};
}

SidecarCheck check_plugin(const SidecarPlaces& places) {
  RealFs fs;
  std::string text;
  const std::string path = fmt::format("{}/{}", places.config_folder, kPluginName);
  if (const IoError error = fs.read(path, text, kMostPluginBytes); error.code == ENOENT || error.code == ENOTDIR)
    return {State::Ok, kPluginName, "the built-in one, which `capwright cmp run` writes"};
  else if (error)
    return {State::Problem, kPluginName, fmt::format("`{}` can't be read: {}", printable(path), describe(error)),
            fmt::format("let user {} read it", kArgoCdUser)};
  const std::string fault = fault_of_plugin(text);
  if (fault.empty()) return {State::Ok, kPluginName, fmt::format("`{}`", printable(path))};
  return {State::Problem, kPluginName, fmt::format("`{}` {}", printable(path), fault),
          "replace it by what `capwright argocd plugin` prints, or remove it"};
}

SidecarCheck check_parameters() {
  const std::string text = plugin_variable(kPluginParameters), app = plugin_variable("ARGOCD_APP_NAME");
  if (text.empty() && app.empty())
    return {State::Skipped, "ARGOCD_APP_*", "not set, because this isn't a request of Argo CD"};
  PluginParameters parameters;
  std::string fault = read_plugin_parameters(text, parameters);
  if (fault.empty() && parameters.cluster.empty()) fault = "the parameter `cluster` is missing";
  const std::string called = app.empty() ? "" : fmt::format("Application `{}`, ", printable(app));
  if (fault.empty())
    return {State::Ok, "ARGOCD_APP_*", fmt::format("{}cluster `{}`", called, printable(parameters.cluster))};
  return {State::Problem, "ARGOCD_APP_*", printable(fault),
          "correct `spec.source.plugin.parameters` of the Application"};
}

SidecarCheck check_config(workflow::RepositoryOptions repository) {
  constexpr std::string_view kTopic = kConfigName;
  RealFs fs;
  std::error_code no_directory;
  const std::string here = std::filesystem::current_path(no_directory).string();
  if (!repository.config) {
    const std::string found = find_plugin_config(fs, here);
    if (found.empty())
      return {State::Skipped, kTopic,
              "not in this folder, nor above it in the repository; run this in a clone, or with `--config FILE`"};
    repository.config = found;
  }
  const auto open = workflow::open_project(
      {.repository = repository, .values = {}, .plain = std::nullopt, .writes = false, .output = std::nullopt});
  if (open->project == nullptr)
    return {State::Problem, kTopic, fmt::format("`{}` has errors", printable(*repository.config)),
            "`capwright lint` shows them with their lines"};
  const std::size_t count = workflow::choose_clusters(*open, {}).size();
  if (count == 0)
    return {State::Problem, kTopic, "no values file in the folders of `values`",
            "set `values` to the folder of the clusters' files, and keep that folder in `manifest-generate-paths`"};
  PluginParameters parameters;
  const bool is_asked = read_plugin_parameters(plugin_variable(kPluginParameters), parameters).empty();
  if (is_asked && !parameters.cluster.empty() && workflow::choose_clusters(*open, {parameters.cluster}).empty())
    return {State::Problem, kTopic,
            fmt::format("no cluster or values file is named `{}`", printable(parameters.cluster)),
            "correct the parameter `cluster` of the Application"};
  return {State::Ok, kTopic, fmt::format("`{}`, {}", printable(*repository.config), report::counted(count, "cluster"))};
}

}  // namespace

std::string run_sidecar(const SidecarPlaces& places) {
  RealFs fs;
  std::string folder = places.config_folder;
  if (!fs.exists(fmt::format("{}/{}", folder, kPluginName))) {
    folder = temporary_folder() + "/capwright-plugin";
    IoError error = fs.make_dir(folder, kDirectoryMode);
    if (!error || error.code == EEXIST)
      error = save_file(fmt::format("{}/{}", folder, kPluginName), built_in_text("schemas/argocd/plugin.yaml"));
    if (error)
      return fmt::format("`{}/{}` can't be written: {}\nhelp: mount an `emptyDir` at `{}`", printable(folder),
                         kPluginName, describe(error), printable(temporary_folder()));
  }
  std::string server = places.server, option = "--config-dir-path";
  const std::array<char*, 4> words{server.data(), option.data(), folder.data(), nullptr};
  ::execv(server.c_str(), words.data());
  const SidecarCheck check = check_server(places);
  return check.text + "\nhelp: " + (check.fix.empty() ? "use a binary of this processor" : check.fix);
}

std::vector<SidecarCheck> check_sidecar(const SidecarPlaces& places, const workflow::RepositoryOptions& repository) {
  std::string sockets = plugin_variable("ARGOCD_PLUGINSOCKFILEPATH");
  if (sockets.empty()) sockets = "/home/argocd/cmp-server/plugins";
  std::vector<SidecarCheck> checks;
  checks.push_back(check_user());
  checks.push_back(check_folder("temporary files", temporary_folder(),
                                fmt::format("mount an `emptyDir` at `{}`", printable(temporary_folder()))));
  checks.push_back(check_home());
  checks.push_back(check_server(places));
  checks.push_back(check_folder("sockets", sockets,
                                "mount the volume `plugins` of the repo server at `/home/argocd/cmp-server/plugins`"));
  checks.push_back(check_plugin(places));
  checks.push_back(check_parameters());
  checks.push_back(check_config(repository));
  return checks;
}

}  // namespace capwright::cli
