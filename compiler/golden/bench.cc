// Runs the commands' steps on the sources of a case.
#include "golden/bench.h"

#include <algorithm>
#include <fmt/format.h>

#include "embedded/embedded.h"
#include "lint/engine/lint.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/fleet_names.h"
#include "pipeline/layers.h"
#include "pipeline/own_addons.h"
#include "pipeline/read_source.h"
#include "text/glob.h"

namespace capwright::golden {

Bench::Bench(const Case& golden, Repository& repository)
    : golden_(golden), repository_(repository), setup_(repository.providers) {
  if (golden.has_config) {
    workspace_.prefix = golden.folder + "/";
  } else {
    workspace_ = repository.workspace;
    folder_ = golden.folder.substr(workspace_.prefix.size()) + "/";
  }
}

bool Bench::open() {
  Stage stage = this->stage();
  Config config;
  const std::string name = golden_.has_config ? std::string(kConfigName) : repository_.config;
  if (!name.empty()) config = read_config(repository_.fs, workspace_, name, embedded::version(), stage);
  config.catalogue.own_addons = read_own_addons(repository_.fs, workspace_, config.catalogue, stage);
  if (golden_.has_expectation) {
    const auto file = read_source(repository_.fs, workspace_, folder_ + std::string(kExpectName), Span(), stage);
    auto expectation = file ? read_expectation(*file, stage) : std::nullopt;
    if (expectation) expectation_ = std::move(*expectation);
  }
  if (sink_.failed()) return false;
  make_project(std::move(config), expectation_.path);
  return true;
}

void Bench::make_project(Config config, std::string represented) {
  ProjectOptions options;
  options.programs = repository_.programs;
  options.meant_path = std::move(represented);
  for (const std::string& values : expectation_.values) options.extra.files.push_back(folder_ + values);
  project_ = std::make_unique<Project>(repository_.fs, workspace_, std::move(config), std::move(options));
}

const LayerRule* Bench::undecided_layer(const CompiledCluster& cluster) const {
  if (golden_.has_config || !project_->options().meant_path.empty()) return nullptr;
  const std::string path = path_of(golden_.values);
  const TemplateSet* set = cluster.set;
  const auto& layers = project_->config().layers;
  const auto found = std::find_if(layers.begin(), layers.end(), [&](const LayerRule& rule) {
    const bool is_other_cloud = !rule.provider.empty() && set != nullptr && !set->plain && rule.provider != set->id &&
                                rule.provider != set->provider;
    return !rule.path_glob.empty() && !is_other_cloud && !glob_matches(rule.path_glob, path);
  });
  return found == layers.end() ? nullptr : &*found;
}

std::string Bench::path_in_values(std::string_view name) {
  Sink unread;
  const Config& config = project_->config();
  const auto found = values_files_named(name, find_values_files(repository_.fs, workspace_, config, unread), *project_);
  return found.empty() ? std::string() : found.front();
}

std::unique_ptr<CompiledCluster> Bench::compile() {
  auto compiled = compile_cluster(path_of(golden_.values), *project_);
  if (undecided_layer(*compiled) == nullptr) return compiled;
  std::string represented = path_in_values(compiled->name);
  if (represented.empty()) return compiled;
  compiled.reset();  // it refers to the project
  make_project(Config(project_->config()), std::move(represented));
  return compile_cluster(path_of(golden_.values), *project_);
}

void Bench::lint(CompiledCluster& compiled) {
  Stage stage = this->stage();
  setup_.read_own_rules(*project_, stage);
  registry();
  const lint::Linter linter = setup_.linter();
  const lint::Context context = setup_.context(*project_, false);
  lint::Cluster cluster(compiled, context);
  lint::lint_cluster(linter, cluster, lint::Blame::Value);
}

report::Findings Bench::findings(const CompiledCluster* cluster, report::Findings::Keep keep) {
  report::Findings findings(std::move(keep));
  findings.add(sink_.diagnostics(), sources_, {}, "");
  if (project_ != nullptr) {
    findings.add(project_->sink().diagnostics(), sources_, {}, "");
    for (const TemplateSet* set : project_->sets_with_findings())
      findings.add(set->sink.diagnostics(), set->sources, {}, "");
  }
  if (cluster == nullptr) return findings;
  findings.add(*cluster);
  return findings;
}

const crd::Registry* Bench::registry() {
  if (setup_.schemas.registry == nullptr) {
    Stage stage = this->stage();
    setup_.read_schemas(*project_, stage);
  }
  return setup_.schemas.registry.get();
}

}  // namespace capwright::golden
