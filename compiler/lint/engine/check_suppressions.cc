// A comment is identified by its file and position, whatever clusters read it.
#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "diag/catalog.h"
#include "lint/engine/change_rule.h"
#include "lint/engine/linter.h"
#include "lint/engine/rules.h"
#include "lint/engine/selection.h"

namespace capwright::lint {
namespace {

// Whether all rules that the selectors name have run.
bool was_looked_for(std::span<const std::string> selectors, const Linter& linter) {
  if (std::any_of(selectors.begin(), selectors.end(), names_change_rule)) return false;
  const auto is_off = [&](const DiagInfo& info) {
    return !linter.selection().selects(info) &&
           std::any_of(selectors.begin(), selectors.end(),
                       [&](const std::string& selector) { return names(selector, info); });
  };
  const auto rules = all_rules();
  const std::vector<const DiagInfo*>& own = linter.selection().own_rules;
  if (std::any_of(own.begin(), own.end(), [&](const DiagInfo* info) { return is_off(*info); })) return false;
  if (std::any_of(rules.begin(), rules.end(), [&](const Rule* rule) { return is_off(info_of(*rule)); })) return false;
  const auto others = diag::all();
  return std::none_of(others.begin(), others.end(),
                      [&](const DiagInfo* info) { return is_removable(*info, info->severity) && is_off(*info); });
}

// Whether only this cluster reads the comment, so that it alone decides.
bool is_own(const Suppression& suppression, const Cluster& cluster) {
  const CompiledCluster* compiled = cluster.compiled();
  return compiled == nullptr || cluster.sources().path(suppression.where.file) == compiled->values_path;
}

// Whether this cluster, or all clusters that read the comment, can determine that it is unused.
bool can_judge(const Suppression& suppression, const Cluster& cluster) {
  return !cluster.context().is_stream && (is_own(suppression, cluster) || cluster.context().is_whole);
}

// Keys that are equal in all clusters: of a comment, and of the claims that it, or one of its selectors, is unused.
std::string name_of(const Suppression& comment, const SourceSet& sources) {
  return fmt::format("{}\n{:010}", sources.path(comment.where.file), comment.where.begin);
}
std::string unused(const std::string& comment) { return "unused\n" + comment; }
std::string unused_part(const std::string& comment, const std::string& selector) {
  return fmt::format("unused\n{}\n{}", comment, selector);
}

// A comment with the white space before it; with its line if it is alone on it.
Span with_blanks(Span comment, const SourceSet& sources) {
  const std::string_view text = sources.text(comment.file);
  const bool ends_line = comment.end == text.size() || text[comment.end] == '\n' || text[comment.end] == '\r';
  if (!ends_line) return comment;
  while (comment.begin != 0 && (text[comment.begin - 1] == ' ' || text[comment.begin - 1] == '\t')) --comment.begin;
  const bool is_alone = comment.begin == 0 || text[comment.begin - 1] == '\n';
  if (!is_alone) return comment;
  const auto size = static_cast<std::uint32_t>(text.size());
  comment.end = std::min(static_cast<std::uint32_t>(std::min(text.find('\n', comment.end), text.size() - 1)) + 1, size);
  return comment;
}

// Reports errors in the comment's words. Returns false when it then suppresses nothing.
bool check_words(const Suppression& suppression, const Cluster& cluster, const std::string& name,
                 ClaimReport& reasons) {
  const std::string& as_of = cluster.context().as_of;
  if (suppression.is_malformed) {
    reasons
        .claim("form\n" + name, cluster, suppression.where,
               "this comment suppresses nothing: it must have the form `capwright: ignore=CODE -- why`")
        .help("write codes or rule names after `ignore=`, separated by commas");
    return false;
  }
  if (!suppression.has_reason)
    reasons.claim("reason\n" + name, cluster, suppression.where, "no reason is given")
        .help("add ` -- ` and the reason after the codes");
  if (suppression.has_other_words) {
    reasons.claim("until\n" + name, cluster, suppression.where, "only `until=DATE` can follow the codes")
        .note("so the comment suppresses nothing")
        .help("write `until={}`, or move the words after ` -- `", as_of);
    return false;
  }
  if (suppression.has_until && suppression.until.empty()) {
    reasons.claim("until\n" + name, cluster, suppression.where, "the value of `until=` isn't a valid date")
        .note("so the comment suppresses nothing")
        .help("write the date as year, month and day: `until={}`", as_of);
    return false;
  }
  if (!suppression.is_expired(as_of)) return true;
  reasons.claim("until\n" + name, cluster, suppression.where, "the suppression expired on {}", suppression.until)
      .note("the date of this run is {}", as_of);
  return false;
}

// Reports unknown selectors. Returns false when there are no others, so that the comment can't be used.
bool check_names(const Suppression& suppression, const Cluster& cluster, const std::string& name, const Linter& linter,
                 ClusterClaims& claims) {
  ClaimReport report(info_of(*find_rule("unused-suppression")), claims);
  std::size_t known = 0;
  for (const std::string& selector : suppression.selectors) {
    if (is_selector(selector, linter.selection())) {
      ++known;
      continue;
    }
    const std::string meant = nearest_selector(selector, linter.selection());
    Finding& finding = report.claim(fmt::format("name\n{}\n{}", name, selector), cluster, suppression.where,
                                    "no rule is called `{}`", selector);
    finding.help("{}", meant.empty() ? "`capwright rules` lists them" : meant);
  }
  return known != 0;
}

// Reports the unused selectors of a comment that is used.
void check_parts(const Suppression& suppression, const Cluster& cluster, const std::string& name, const Linter& linter,
                 ClusterClaims& claims) {
  ClaimReport report(info_of(*find_rule("unused-suppression")), claims);
  for (std::size_t i = 0; i < suppression.selectors.size(); ++i) {
    const std::string& selector = suppression.selectors[i];
    const std::string thing = unused_part(name, selector);
    if (suppression.used.contains(i)) claims.deny(thing);
    else if (!is_selector(selector, linter.selection())) continue;
    else if (!can_judge(suppression, cluster) || !was_looked_for({&selector, 1}, linter)) claims.pass(thing);
    else
      report.claim(thing, cluster, suppression.where, "`{}` suppresses nothing here", selector)
          .help("remove `{}` from the comment", selector);
  }
}

void check_use(const Suppression& suppression, const Cluster& cluster, const std::string& name, const Linter& linter,
               ClusterClaims& claims) {
  const std::string thing = unused(name);
  if (!suppression.used.empty()) {
    claims.deny(thing);
    return check_parts(suppression, cluster, name, linter, claims);
  }
  if (!can_judge(suppression, cluster) || !was_looked_for(suppression.selectors, linter)) return claims.pass(thing);
  ClaimReport report(info_of(*find_rule("unused-suppression")), claims);
  Finding& finding =
      report.claim(thing, cluster, suppression.where, "there is nothing to ignore here").help("remove the comment");
  const bool can_be_ignored =
      std::any_of(suppression.selectors.begin(), suppression.selectors.end(),
                  [&](const std::string& selector) { return lint::can_be_ignored(selector, linter.selection()); });
  if (!can_be_ignored) finding.note("errors of a render and CAP819 are always reported");
  // A template prints the line, so removing the comment may leave an empty line.
  const Safety safety = SourceSet::is_shared(suppression.where.file) ? Safety::Unsafe : Safety::Safe;
  finding.fix_source(with_blanks(suppression.where, cluster.sources()), "", safety, "remove the comment");
}

}  // namespace

std::vector<std::string> used_by(const DiagInfo& info, const Suppression& comment, const SourceSet& sources) {
  const std::string name = name_of(comment, sources);
  std::vector<std::string> things = {unused(name)};
  for (const std::size_t i : comment.names_of(info)) things.push_back(unused_part(name, comment.selectors[i]));
  return things;
}

ClusterClaims claims_of_comments(const Linter& linter, const Cluster& cluster) {
  ClusterClaims claims;
  ClaimReport reasons(info_of(*find_rule("unreasoned-suppression")), claims);
  for (const Suppression& suppression : cluster.suppressions().all()) {
    const std::string name = name_of(suppression, cluster.sources());
    if (!check_words(suppression, cluster, name, reasons)) continue;
    if (!check_names(suppression, cluster, name, linter, claims)) continue;
    check_use(suppression, cluster, name, linter, claims);
  }
  std::erase_if(claims.claims,
                [&](ClusterClaims::Claim& claim) { return claim.finding && !linter.counts(*claim.finding); });
  return claims;
}

}  // namespace capwright::lint
