// The order of the steps; each has its own file.
#include "lint/engine/lint.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>

#include "lint/engine/linter.h"
#include "lint/engine/selection.h"
#include "lint/facts/credential_places.h"
#include "lint/model/template_reads.h"

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

// By one of its places, or by the place in a cluster with these values.
bool is_ignored(const Selection& selection, const Finding& finding) {
  if (selection.ignore_at.empty()) return false;
  const CompiledCluster* compiled = finding.place.cluster->compiled();
  if (compiled != nullptr && selection.ignores_at(compiled->values_path, *finding.info)) return true;
  const std::vector<Span> places = places_of(finding);
  const SourceSet& sources = finding.place.cluster->sources();
  return std::any_of(places.begin(), places.end(), [&](const Span& place) {
    return place.known() && selection.ignores_at(sources.path(place.file), *finding.info);
  });
}

struct CommentOf {
  const Cluster* cluster;
  const Suppression* comment;
};

// The suppressions of a finding at one of its places, in any cluster.
std::vector<CommentOf> comments_on(const Finding& finding) {
  std::vector<CommentOf> comments;
  const auto look = [&](const Cluster& cluster, const std::vector<Span>& places) {
    for (const Suppression* comment :
         cluster.suppressions().of(*finding.info, places, cluster.sources(), cluster.context().as_of))
      comments.push_back({&cluster, comment});
  };
  look(*finding.place.cluster, places_of(finding));
  for (const Finding::Related& related : finding.related) {
    if (related.place.cluster != nullptr) look(*related.place.cluster, {related.place.span});
  }
  return comments;
}

// The texts of its templates, which outlive it.
const SourceSet* shared_texts(const Cluster& cluster) {
  return cluster.templates() == nullptr ? nullptr : &cluster.templates()->sources;
}

void say(const KeptClaim& claim, KeptFindings& findings) {
  if (!claim.number) return;
  findings.add(*claim.number, *claim.findings);
}

void lint_alone(const Linter& linter, Cluster& cluster, Blame blame) {
  find_credentials(cluster);
  if (const CompiledCluster* compiled = cluster.compiled(); compiled != nullptr)
    choose(cluster.sink().diagnostics(), cluster.sources(), linter.selection(), compiled->values_path);
  std::vector<Finding> findings = linter.check(cluster);
  std::erase_if(findings, [&](const Finding& finding) { return is_ignored(linter.selection(), finding); });
  linter.keep_root_causes(findings, [](const Finding& finding) { return comments_on(finding).empty(); });
  cluster.sink().expect(findings.size());
  for (Finding& finding : findings) present(std::move(finding), blame, cluster);
  cluster.suppressions().apply(cluster.sink().diagnostics(), cluster.sources(), cluster.context().as_of);
  if (const TemplateSet* set = cluster.templates(); set != nullptr && !set->sink.diagnostics().empty()) {
    std::vector<Diagnostic> of_set = set->sink.diagnostics();  // a copy, so that suppressions count as used
    choose(of_set, set->sources, linter.selection());
    cluster.suppressions().apply(of_set, set->sources, cluster.context().as_of);
  }
}

// Of rules, whose findings may be ignored or suppressed; or of suppression comments.
enum class ClaimsOf : std::uint8_t { Rules, Comments };

std::vector<KeptClaim> kept(const Linter& linter, const Cluster& of, ClusterClaims& claims, ClaimsOf whose,
                            Blame blame) {
  std::vector<KeptClaim> all;
  const auto findings = std::make_shared<KeptFindings>(shared_texts(of));
  for (ClusterClaims::Claim& claim : claims.claims) {
    KeptClaim& kept = all.emplace_back(KeptClaim{std::move(claim.thing), findings, {}, {}});
    const bool is_said =
        claim.finding && (whose == ClaimsOf::Comments || !is_ignored(linter.selection(), *claim.finding));
    if (!is_said) continue;
    kept.number = findings->diagnostics().size();
    findings->add(*claim.finding, blame);
    if (whose == ClaimsOf::Comments) continue;
    for (const auto& [cluster, comment] : comments_on(*claim.finding)) {
      const std::vector<std::string> used = used_by(*claim.finding->info, *comment, cluster->sources());
      kept.comments.insert(kept.comments.end(), used.begin(), used.end());
    }
  }
  return all;
}

}  // namespace

FleetNotes lint_cluster(const Linter& linter, Cluster& cluster, Blame blame) {
  lint_alone(linter, cluster, blame);
  FleetNotes notes;
  notes.set = cluster.templates();
  notes.keys = linter.fleet_keys(cluster);
  ClusterClaims claims = linter.claims(cluster), comments = claims_of_comments(linter, cluster);
  notes.claims = kept(linter, cluster, claims, ClaimsOf::Rules, blame);
  notes.comments = kept(linter, cluster, comments, ClaimsOf::Comments, blame);
  notes.denials = std::move(claims.denials);
  notes.used_comments = std::move(comments.denials);
  return notes;
}

void lint_document(const Linter& linter, Cluster& document, Blame blame) {
  lint_alone(linter, document, blame);
  if (document.suppressions().all().empty()) return;
  for (const ClusterClaims::Claim& claim : claims_of_comments(linter, document).claims) {
    if (claim.finding) present(*claim.finding, blame, document);
  }
}

void FleetLint::add(std::size_t number, FleetNotes notes) {
  const std::lock_guard lock(lock_);
  if (notes.keys.is_alone()) alone_.insert(number);
  keys_.add(static_cast<std::uint32_t>(number), notes.keys.all());
  add_set(number, notes.set);
  claims_.add(number, std::move(notes.claims), notes.denials);
  comments_.add(number, std::move(notes.comments), notes.used_comments);
}

void FleetLint::add_set(std::size_t number, const TemplateSet* set) {
  if (set == nullptr) return;
  std::size_t& first = sets_.try_emplace(set, number).first->second;
  first = std::min(first, number);
}

std::vector<std::size_t> FleetLint::wanted() {
  std::set<std::size_t> wanted = alone_;
  for (const auto& [set, first] : sets_) wanted.insert(first);
  if (!meeting_) {
    const std::set<std::uint32_t> found = keys_.clusters_that_meet();
    meeting_.emplace(found.begin(), found.end());
  }
  wanted.insert(meeting_->begin(), meeting_->end());
  return {wanted.begin(), wanted.end()};
}

void FleetLint::judge(const std::vector<Finding>& found, KeptFindings& findings) {
  for (const Finding& finding : found) {
    if (is_ignored(linter_.selection(), finding)) continue;
    const std::vector<CommentOf> comments = comments_on(finding);
    for (const auto& [cluster, comment] : comments) {
      for (const std::string& thing : used_by(*finding.info, *comment, cluster->sources())) comments_.deny(thing);
    }
    if (comments.empty()) findings.add(finding, blame_);
  }
}

void FleetLint::finish(const Fleet& fleet, KeptFindings& findings) {
  for (const auto& [set, cluster] : template_sets(fleet)) judge(linter_.check(*set, *cluster), findings);
  judge(linter_.check(fleet), findings);
  for (const KeptClaim* claim : claims_.standing()) {
    for (const std::string& thing : claim->comments) comments_.deny(thing);
    if (claim->comments.empty()) say(*claim, findings);
  }
  for (const KeptClaim* claim : comments_.standing()) say(*claim, findings);
}

void lint_fleet(const Linter& linter, std::span<Cluster* const> clusters, Blame blame, KeptFindings& findings) {
  FleetLint all(linter, blame);
  for (std::size_t i = 0; i < clusters.size(); ++i) all.add(i, lint_cluster(linter, *clusters[i], blame));
  Fleet wanted;
  for (const std::size_t number : all.wanted()) wanted.clusters.push_back(clusters[number]);
  all.finish(wanted, findings);
}

void lint_change(const Sides& sides, const Selection& selection, Blame blame, KeptFindings& findings) {
  for (Cluster* side : {sides.before, sides.after}) {
    if (side != nullptr) find_credentials(*side);
  }
  for (const Finding& finding : check_change({sides.before, sides.after, sides.admission}, selection)) {
    if (!is_ignored(selection, finding) && comments_on(finding).empty()) findings.add(finding, blame);
  }
}

std::vector<ManifestGroup> group_manifests(std::vector<Manifest> manifests) {
  std::map<std::string, ManifestGroup> groups;
  std::sort(manifests.begin(), manifests.end(), [](const Manifest& a, const Manifest& b) { return a.path < b.path; });
  for (Manifest& manifest : manifests) groups[cluster_in(manifest.path)].manifests.push_back(std::move(manifest));
  std::vector<ManifestGroup> sorted;
  for (auto& [name, group] : groups) sorted.push_back({name, std::move(group.manifests), std::nullopt});
  return sorted;
}

std::unique_ptr<Cluster> read_group(const ManifestGroup& group, const Context& context) {
  auto cluster = std::make_unique<Cluster>(group.name, context);
  std::size_t bytes = 0;
  for (const Manifest& manifest : group.manifests) bytes += manifest.text.size();
  cluster->expect_manifests(bytes);
  for (const Manifest& manifest : group.manifests)
    cluster->add_borrowed_manifest(manifest.path, manifest.text, manifest.target_kind);
  if (group.output) {
    cluster->trace_to(*group.output);
    for (Diagnostic& fault : cluster->sink().diagnostics())
      fault.note(fmt::format("in the output of `{}`", group.output->shown));
  }
  return cluster;
}

}  // namespace capwright::lint
