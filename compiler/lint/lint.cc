// The order of things; each has a file of its own.
#include "lint/lint.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "lint/check_suppressions.h"
#include "lint/conceal.h"

namespace capwright::lint {
namespace {

// `prod` of `clusters/prod/cluster.yaml`, wherever that folder is; empty when there is none.
std::string cluster_in(std::string_view path) {
  constexpr std::string_view kFolder = "clusters/";
  for (std::size_t at = path.find(kFolder); at != std::string_view::npos; at = path.find(kFolder, at + 1)) {
    if (at != 0 && path[at - 1] != '/') continue;
    const std::string_view rest = path.substr(at + kFolder.size());
    if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos)
      return std::string(rest.substr(0, slash));
  }
  return {};
}

bool is_ignored(const Linter& linter, const Finding& finding) {
  const std::vector<Span> places = places_of(finding);
  const SourceSet& sources = finding.place.cluster->sources();
  return std::any_of(places.begin(), places.end(), [&](const Span& place) {
    return place.known() && linter.selection().ignores_at(sources.path(place.file), *finding.info);
  });
}

// By a comment at one of its places, in whatever cluster.
bool is_taken_back(const Finding& finding) {
  const auto is_at = [&](const Place& place, const std::vector<Span>& spans) {
    const Cluster& cluster = *place.cluster;
    return cluster.suppressions().takes_back(*finding.info, spans, cluster.sources(), cluster.context().as_of);
  };
  bool found = is_at(finding.place, places_of(finding));
  for (const Finding::Related& related : finding.related) {
    const std::vector<Span> spans = {related.place.span};
    if (related.place.cluster != nullptr && is_at(related.place, spans)) found = true;
  }
  return found;
}

}  // namespace

void lint_cluster(const Linter& linter, const Cluster& cluster, Blame blame) {
  conceal_secrets(cluster);
  for (const Finding& finding : linter.check(cluster)) {
    if (!is_ignored(linter, finding)) present(finding, blame, cluster.sink());
  }
  cluster.suppressions().apply(cluster.sink().diagnostics(), cluster.sources(), cluster.context().as_of);
  cover_manifest_messages(cluster);
}

void lint_fleet(const Linter& linter, const Fleet& fleet, Blame blame, FleetReport& report) {
  for (const Finding& finding : linter.check(fleet)) {
    if (!is_ignored(linter, finding) && !is_taken_back(finding)) report.add(finding, blame);
  }
  for (const Finding& finding : check_suppressions(linter, fleet)) report.add(finding, blame);
}

std::vector<std::unique_ptr<Cluster>> group_manifests(std::vector<Manifest> manifests, const Context& context) {
  std::map<std::string, std::unique_ptr<Cluster>> groups;
  std::sort(manifests.begin(), manifests.end(), [](const Manifest& a, const Manifest& b) { return a.path < b.path; });
  for (Manifest& manifest : manifests) {
    const std::string name = cluster_in(manifest.path);
    std::unique_ptr<Cluster>& group = groups[name];
    if (group == nullptr) group = std::make_unique<Cluster>(name, context);
    group->add_manifest(std::move(manifest.path), std::move(manifest.text));
  }
  std::vector<std::unique_ptr<Cluster>> clusters;
  for (auto& [name, cluster] : groups) clusters.push_back(std::move(cluster));
  return clusters;
}

}  // namespace capwright::lint
