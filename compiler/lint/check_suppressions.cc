// A comment in a layer or a template is one for all clusters: it is unused when none of them uses it.
#include "lint/check_suppressions.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "lint/rules.h"

namespace capwright::lint {
namespace {

// One comment, with all clusters that read it.
struct Known {
  const Cluster* cluster;  // the first
  const Suppression* suppression;
  bool used;
};
using Comments = std::map<std::pair<std::string, std::uint32_t>, Known>;  // by path and place

Comments comments_of(const Fleet& fleet) {
  Comments comments;
  for (const Cluster* cluster : fleet.clusters) {
    for (const Suppression& suppression : cluster->suppressions().all()) {
      const std::string path(cluster->sources().path(suppression.where.file));
      const auto [known, is_new] =
          comments.try_emplace({path, suppression.where.begin}, Known{cluster, &suppression, false});
      known->second.used = known->second.used || suppression.used;
    }
  }
  return comments;
}

// Whether everything that it may be for has been looked for.
bool was_looked_for(const Suppression& suppression, const Linter& linter) {
  const auto is_off = [&](const DiagInfo& info) {
    return !linter.selection().selects(info) &&
           std::any_of(suppression.selectors.begin(), suppression.selectors.end(),
                       [&](const std::string& selector) { return names(selector, info); });
  };
  const auto rules = all_rules();
  return std::none_of(rules.begin(), rules.end(), [&](const Rule* rule) { return is_off(info_of(*rule)); });
}

// What is only one cluster's is judged by that cluster alone.
bool is_own(const Known& known) {
  const CompiledCluster* compiled = known.cluster->compiled();
  return compiled == nullptr || known.cluster->sources().path(known.suppression->where.file) == compiled->values_path;
}

void check(const Known& known, const Linter& linter, std::vector<Finding>& findings) {
  const Suppression& suppression = *known.suppression;
  const Cluster& cluster = *known.cluster;
  const std::string& as_of = cluster.context().as_of;
  Report reasons(info_of(*find_rule("unreasoned-suppression")), findings);
  if (!suppression.has_reason)
    reasons.at_source(cluster, suppression.where, "no reason is given")
        .help("write ` -- ` and a few words behind the codes");
  if (suppression.is_expired(as_of)) {
    reasons.at_source(cluster, suppression.where, "the time of this was over on {}", suppression.until)
        .note("the day is {}", as_of);
    return;
  }
  const bool is_certain = is_own(known) || cluster.context().is_whole;
  if (known.used || !is_certain || !was_looked_for(suppression, linter)) return;
  Report unused(info_of(*find_rule("unused-suppression")), findings);
  Finding& finding =
      unused.at_source(cluster, suppression.where, "there is nothing to ignore here").help("take the comment out");
  for (const std::string& selector : suppression.selectors) {
    const std::string meant = is_selector(selector) ? std::string() : nearest_selector(selector);
    if (!is_selector(selector)) finding.help("no rule is called `{}`{}{}", selector, meant.empty() ? "" : "; ", meant);
  }
}

}  // namespace

std::vector<Finding> check_suppressions(const Linter& linter, const Fleet& fleet) {
  std::vector<Finding> findings;
  for (const auto& [place, known] : comments_of(fleet)) check(known, linter, findings);
  std::erase_if(findings, [&](const Finding& finding) { return !linter.selection().selects(*finding.info); });
  return findings;
}

}  // namespace capwright::lint
