// opencenter's configurations come first: `ORG/.NAME-config.yaml` can't be anything else.
#include "workflow/deployment.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>

#include "diag/catalog/deploy.h"
#include "files/io_fault.h"
#include "yaml/read.h"

namespace capwright::workflow {
namespace {

std::string config_name(const deploy::Target& target) { return "." + target.name + "-config.yaml"; }

std::string absolute_path(const std::string& path) {
  std::string text = std::filesystem::absolute(path).lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

// The organizations that have a cluster of this name; the given one without a look.
std::vector<std::string> organizations_of(const deploy::Target& target, FileSystem& files, PathAt clusters) {
  if (!target.organization.empty()) return {target.organization};
  std::vector<DirEntry> entries;
  if (files.list(clusters, entries)) return {};
  std::vector<std::string> found;
  for (const DirEntry& entry : entries) {
    if (entry.type != FileType::Directory || !deploy::is_name(entry.name)) continue;
    if (files.exists({clusters.dir, entry.name + "/" + config_name(target)})) found.push_back(entry.name);
  }
  return found;
}

class DeploymentFinder {
 public:
  DeploymentFinder(const DeploymentRequest& request, Deployment& result) : request_(request), result_(result) {}

  void find() {
    Sink& sink = result_.own.sink;
    if (!deploy::read_target(request_.target, target_, sink)) return;
    const std::string folder = request_.clusters.empty() ? "." : request_.clusters;
    Dir clusters;
    if (const IoError error = clusters.open(files_, folder)) {
      report_io_fault(sink, IoTask::List, folder, error);
      return;
    }
    const std::vector<std::string> organizations = organizations_of(target_, files_, clusters / ".");
    if (organizations.size() > 1) {
      sink.report(diag::ambiguous_deployment, Span(), target_.name, organizations.size(),
                  fmt::format("{}", fmt::join(organizations, ", ")))
          .advise(fmt::format("such as `capwright deploy {}/{}`", organizations.front(), target_.name));
    } else if (!organizations.empty()) {
      target_.organization = organizations.front();
      read_opencenter(folder, clusters);
    } else {
      read_values(folder);
    }
  }

 private:
  void read_opencenter(const std::string& folder, const Dir& clusters) {
    OwnStage& own = result_.own;
    const std::string name = target_.organization + "/" + config_name(target_);
    const std::string shown = folder == "." ? name : folder + "/" + name;
    std::string text;
    const IoError error = files_.read(clusters / name, text, own.limits.input_bytes);
    if (error) {
      std::string problem = fmt::format("`{}` can't be read: {}", shown, describe(error));
      if (error.code == ENOENT) problem = fmt::format("`{}` doesn't exist", shown);
      if (error.code == ELOOP) problem = fmt::format("a part of `{}` is a symbolic link", shown);
      own.sink.report(diag::no_deployment, Span(), request_.target, std::move(problem));
      return;
    }
    const FileId file = own.sources.add(shown, std::move(text));
    const Value document = read_yaml(file, own.stage);
    if (document.is_error()) return;
    result_.settings = deploy::read_configuration(
        {deploy::Vocabulary::Opencenter, document, shown, absolute_path(folder + "/" + target_.organization), home(),
         request_.environment, target_},
        own.stage);
  }

  void read_values(const std::string& folder) {
    result_.open = open_project({.repository = request_.repository,
                                 .values = request_.values,
                                 .plain = std::nullopt,
                                 .writes = false,
                                 .output = std::nullopt});
    OpenProject& open = *result_.open;
    if (open.project == nullptr) return;
    const std::vector<std::string> chosen = choose_clusters(open, {target_.name});
    if (chosen.empty()) {
      open.sink = {};
      result_.own.sink.report(
          diag::no_deployment, Span(), target_.name,
          fmt::format("`{}` has no organization with `{}`, and the repository no values file of this "
                      "name",
                      folder, config_name(target_)));
      return;
    }
    result_.cluster = load_cluster(chosen[0], *open.project);
    CompiledCluster& cluster = *result_.cluster;
    if (!cluster.clean()) return;
    Stage stage{cluster.sources, cluster.sink, cluster.arena, cluster.origins, open.limits};
    const std::string root = absolute_path(open.project->workspace().prefix + ".");
    result_.settings = deploy::read_configuration(
        {deploy::Vocabulary::Values, cluster.values, chosen[0], root, home(), request_.environment, target_}, stage);
  }

  std::string home() const {
    const auto& all = request_.environment;
    const auto found =
        std::find_if(all.begin(), all.end(), [](const deploy::Variable& each) { return each.name == "HOME"; });
    return found == all.end() ? "" : found->value;
  }

  const DeploymentRequest& request_;
  Deployment& result_;
  RealFs files_;
  deploy::Target target_;
};

}  // namespace

report::Findings Deployment::findings() {
  report::Findings all;
  secrets::Redactor redactor;
  redactor.texts = settings.secrets;
  redactor.places = settings.secret_places;
  all.add(own.sink.diagnostics(), own.sources, std::move(redactor), "");
  if (open != nullptr) add_own_findings(*open, all);
  if (cluster != nullptr && cluster->set != nullptr && cluster->set->sink.failed())
    all.add(cluster->set->sink.diagnostics(), cluster->set->sources, {}, "");
  else if (cluster != nullptr) all.add(*cluster);
  return all;
}

std::unique_ptr<Deployment> find_deployment(const DeploymentRequest& request) {
  auto result = std::make_unique<Deployment>();
  DeploymentFinder(request, *result).find();
  return result;
}

}  // namespace capwright::workflow
