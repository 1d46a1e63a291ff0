// Identifies errors like a baseline does: by rule, object and field, or by file and message.
#include "lint/fixes/pass_errors.h"

#include <algorithm>
#include <fmt/format.h>

#include "lint/engine/selection.h"

namespace capwright::lint {
namespace {

std::string cluster_scope(std::string_view cluster) { return fmt::format("cluster {}", cluster); }

std::string scope_of(const Diagnostic& diagnostic, std::string_view path, std::string_view cluster) {
  if (!is_removable(diagnostic)) return cluster_scope(cluster);
  const std::string_view subject = diagnostic.subject;
  if (subject.empty()) return fmt::format("file {}", path);
  return fmt::format("object {} {}", cluster, subject.substr(0, subject.find(' ')));
}

bool is_edited(const Fault& fault, const EditedPlaces& edited) {
  const auto places = edited.find(fault.path);
  return places != edited.end() &&
         std::any_of(places->second.begin(), places->second.end(),
                     [&](const TextRange& range) { return range.begin <= fault.end && fault.begin <= range.end; });
}

}  // namespace

void Faults::add(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster) {
  if (diagnostic.severity != Severity::Error) return;
  BaselineKey key = key_of(diagnostic, sources, cluster);
  key.cluster = cluster;  // also for errors without an object: they may belong to one cluster alone
  Known& known = known_[std::move(key)];
  known.count += 1 + diagnostic.repeats;
  Fault& fault = known.fault;
  const Safety fix = diagnostic.fix ? diagnostic.fix->safety : Safety::DisplayOnly;
  fault.fix = fault.code.empty() ? fix : std::max(fault.fix, fix);
  if (!fault.code.empty()) return;
  fault.code = diagnostic.info->code;
  fault.message = diagnostic.message;
  fault.cluster = cluster;
  if (const Span where = diagnostic.where; where.known()) {
    fault.path = sources.path(where.file);
    const LineCol at = sources.line_col(where.file, where.begin);
    fault.place = fmt::format("{}:{}:{}", fault.path, at.line, at.column);
    fault.begin = where.begin;
    fault.end = where.end;
  }
  fault.scope = scope_of(diagnostic, fault.path, cluster);
}

std::uint32_t Faults::count(const BaselineKey& key) const {
  const auto found = known_.find(key);
  return found == known_.end() ? 0 : found->second.count;
}

std::set<std::string> Faults::scopes_that_lost(const Faults& before) const {
  std::set<std::string> scopes;
  for (const auto& [key, known] : before.known_) {
    if (count(key) < known.count) scopes.insert(known.fault.scope);
  }
  return scopes;
}

const Fault* Faults::made_since(const Faults& first, const Faults& before, const EditedPlaces& edited,
                                Safety least_safe) const {
  const std::set<std::string> opened = scopes_that_lost(before);
  // A finding about several clusters may come from any of them.
  const bool opened_cluster =
      opened.lower_bound("cluster ") != opened.end() && opened.lower_bound("cluster ")->starts_with("cluster ");
  for (const auto& [key, known] : known_) {
    if (known.count <= std::max(first.count(key), before.count(key))) continue;
    const Fault& fault = known.fault;
    const bool is_mended_next = fault.fix != Safety::DisplayOnly && fault.fix <= least_safe;
    if (is_mended_next) continue;
    const bool came_to_light = opened.contains(fault.scope) || opened.contains(cluster_scope(fault.cluster)) ||
                               (fault.cluster.empty() && opened_cluster);
    if (!came_to_light || is_edited(fault, edited)) return &fault;
  }
  return nullptr;
}

}  // namespace capwright::lint
