// A side that can't be read counts as a cluster that can't be rendered, so that it doesn't look like a deletion.
#include "workflow/source_pairs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pipeline/compile_cluster.h"
#include "pipeline/layers.h"

namespace capwright::workflow {
namespace {

std::string folder_part(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);  // npos + 1 is 0
}

// The folder that a source's files are shown in, with a `/`.
std::string shown_folder(const ManifestSource& source, const lint::ManifestGroup& group) {
  if (source.is_command()) return lint::output_path(source.name) + "/";
  const bool is_file = group.manifests.size() == 1 && group.manifests[0].path == source.path;
  if (is_file) return folder_part(source.path);
  return source.path == "." ? "" : source.path + "/";
}

std::unique_ptr<diff::Side> read_side(const ManifestSource* source, const SourceAccess& access, bool is_before,
                                      diff::LoadedPair& pair) {
  if (source == nullptr) return nullptr;
  auto cluster = std::make_unique<CompiledCluster>();
  cluster->name = source->name;
  cluster->values_path = kConfigName;
  Sink faults;
  lint::ManifestGroup group = read_manifest_source(*source, access, faults);
  if (!faults.diagnostics().empty()) {
    for (const Diagnostic& fault : faults.diagnostics()) {
      Diagnostic& added = cluster->sink.add(*fault.info, Span(), fault.message);
      added.severity = Severity::Error;
      added.notes = fault.notes;
      added.help = fault.help;
    }
    pair.failed.push_back({std::move(cluster), is_before});
    return nullptr;
  }
  const std::string folder = shown_folder(*source, group);
  auto side = std::make_unique<diff::Side>(source->name, access.limits);
  side->show_in(folder, "");
  for (lint::Manifest& manifest : group.manifests)
    side->add_file(source->is_command() ? "output.yaml" : manifest.path.substr(folder.size()),
                   std::move(manifest.text));
  return side;
}

}  // namespace

SourcePairs::SourcePairs(std::unique_ptr<diff::PairSource> rendered, const SourcesChange& change,
                         diff::RenderedSide after, diff::Traces traces)
    : rendered_(std::move(rendered)),
      before_(change.before.access),
      now_(change.now.access),
      after_(std::move(after)),
      traces_(traces) {
  std::map<std::string_view, Pair> by_name;
  for (const ManifestSource* source : change.before.sources) by_name[source->name].before = source;
  for (const ManifestSource* source : change.now.sources) by_name[source->name].now = source;
  for (const MovedSource& each : change.moved) by_name[each.before->name].values_path = each.values_path;
  for (auto& [name, pair] : by_name) pairs_.push_back(std::move(pair));
}

diff::LoadedPair SourcePairs::load(std::size_t number) {
  if (number < rendered_->size()) return rendered_->load(number);
  const Pair& sources = pairs_[number - rendered_->size()];
  diff::LoadedPair pair;
  pair.before = read_side(sources.before, before_, true, pair);
  if (sources.values_path.empty()) {
    pair.after = read_side(sources.now, now_, false, pair);
    return pair;
  }
  auto cluster = compile_cluster(sources.values_path, after_.project, &after_.tree, traces_ == diff::Traces::Control);
  if (cluster->clean()) pair.after = std::make_unique<diff::Side>(std::move(cluster), now_.limits);
  else pair.failed.push_back({std::move(cluster), false});
  return pair;
}

std::vector<MovedSource> moved_sources(const SourcesSide& before, const SourcesSide& now,
                                       const std::vector<std::string>& new_values, Project& project) {
  std::vector<MovedSource> moved;
  for (const ManifestSource* source : before.sources) {
    const auto has_name = [&](const ManifestSource* other) { return other->name == source->name; };
    if (std::any_of(now.sources.begin(), now.sources.end(), has_name)) continue;
    const auto values = std::find_if(new_values.begin(), new_values.end(), [&](const std::string& path) {
      return cluster_stem(path) == source->name || load_cluster(path, project)->name == source->name;
    });
    if (values != new_values.end()) moved.push_back({source, *values});
  }
  return moved;
}

}  // namespace capwright::workflow
