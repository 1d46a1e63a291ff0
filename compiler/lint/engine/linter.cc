// Rules are grouped by kind once per run, so that an object only runs the rules for its kind.
#include "lint/engine/linter.h"

#include <algorithm>

#include "lint/engine/rules.h"
#include "lint/engine/server.h"
#include "lint/own/run.h"

namespace capwright::lint {
namespace {

constexpr std::size_t kUsual = 32;  // findings per cluster

template <class Visit>
void each_word(std::string_view words, Visit visit) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end != 0) visit(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

// The findings that `say` adds; redacts what they name as secret. For a stream, only those it adds before it looks up
// other objects, because these may exist later in the stream.
template <class Say>
void add_certain(Cluster& cluster, std::vector<Finding>& findings, Say say) {
  const std::size_t before = findings.size();
  cluster.forget_looks();
  say();
  for (std::size_t i = before; i < findings.size(); ++i)
    for (const Span secret : findings[i].redacted) cluster.redact(secret);
  if (!cluster.context().is_stream) return;
  const auto added = findings.begin() + static_cast<std::ptrdiff_t>(before);
  const auto rests_on_others = [](const Finding& finding) { return finding.rests_on_others; };
  findings.erase(std::remove_if(added, findings.end(), rests_on_others), findings.end());
}

}  // namespace

Linter::Linter(const Selection& selection, Server server, const own::Rules& own)
    : selection_(selection), server_(server) {
  for (const own::Rule& rule : own) {
    if (selection.selects(rule.info)) own_.push_back(&rule);
  }
  for (const Rule* rule : all_rules()) {
    if (!runs(*rule)) continue;
    const Chosen chosen{rule, &info_of(*rule)};
    if (rule->check_cluster != nullptr) of_clusters_.push_back(chosen);
    if (rule->check_shared != nullptr) of_shared_.push_back(chosen);
    if (rule->check_set != nullptr) of_sets_.push_back(chosen);
    if (rule->check_fleet != nullptr) of_fleets_.push_back(chosen);
    if (rule->instead_of_server) saying_more_.insert(chosen.info);
    if (rule->check_object == nullptr) continue;
    if (rule->kinds.empty()) of_all_objects_.push_back(chosen);
    each_word(rule->kinds, [&](std::string_view kind) { of_kinds_[kind].push_back(chosen); });
  }
}

bool Linter::runs(const Rule& rule) const { return selection_.selects(info_of(rule)); }

void Linter::check_object(const Object& object, Cluster& cluster, std::vector<Finding>& findings) const {
  const auto run = [&](const std::vector<Chosen>& rules) {
    for (const Chosen& rule : rules) {
      Report report(*rule.info, findings);
      add_certain(cluster, findings, [&] { rule->check_object(object, report); });
    }
  };
  if (server_.registry != nullptr) ask_server(object, *server_.registry, server_.admission, findings);
  run(of_all_objects_);
  if (const auto found = of_kinds_.find(object.kind()); found != of_kinds_.end()) run(found->second);
}

void Linter::keep_root_causes(std::vector<Finding>& findings, const IsReported& is_reported) const {
  leave_out_repeated(findings, saying_more_, selection_, is_reported);
  leave_out_consequences(findings, is_reported);
}

std::vector<Finding> Linter::check(Cluster& cluster) const {
  std::vector<Finding> findings;
  findings.reserve(kUsual);
  own::ClusterRun own(own_, cluster);
  for (const Object* object : cluster.objects()) {
    check_object(*object, cluster, findings);
    add_certain(cluster, findings, [&] { own.check(*object, findings); });
  }
  if (server_.registry != nullptr) {
    for (const Document* stray : cluster.strays()) refuse_stray(*stray, cluster, findings);
  }
  for (const Chosen& rule : of_clusters_) {
    if (cluster.context().is_stream) break;
    Report report(*rule.info, findings);
    rule->check_cluster(cluster, report);
  }
  return counted(std::move(findings));
}

ClusterClaims Linter::claims(const Cluster& cluster) const {
  ClusterClaims all;
  for (const Chosen& rule : of_shared_) {
    ClaimReport report(*rule.info, all);
    rule->check_shared(cluster, report);
  }
  for (ClusterClaims::Claim& claim : all.claims) counts(*claim.finding);
  return all;
}

FleetKeys Linter::fleet_keys(const Cluster& cluster) const {
  FleetKeys keys;
  for (const Chosen& rule : of_fleets_) rule->fleet_keys(cluster, keys);
  return keys;
}

std::vector<Finding> Linter::check(const Fleet& fleet) const {
  std::vector<Finding> findings;
  for (const Chosen& rule : of_fleets_) {
    Report report(*rule.info, findings);
    rule->check_fleet(fleet, report);
  }
  return counted(std::move(findings));
}

std::vector<Finding> Linter::check(const TemplateSet& set, const Cluster& cluster) const {
  std::vector<Finding> findings;
  for (const Chosen& rule : of_sets_) {
    Report report(*rule.info, findings);
    rule->check_set(set, cluster, report);
  }
  return counted(std::move(findings));
}

bool Linter::counts(Finding& finding) const {
  if (const auto chosen = selection_.severity(*finding.info)) finding.severity = *chosen;
  return selection_.selects(*finding.info);
}

std::vector<Finding> Linter::counted(std::vector<Finding> findings) const {
  std::erase_if(findings, [&](Finding& finding) { return !counts(finding); });
  return findings;
}

}  // namespace capwright::lint
