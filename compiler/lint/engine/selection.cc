// Matches selectors as text: codes are a family and a number, so a prefix selects several rules.
#include "lint/engine/selection.h"

#include <algorithm>

#include "diag/catalog.h"
#include "diag/suggest.h"
#include "lint/engine/rules.h"
#include "text/glob.h"

namespace capwright::lint {
namespace {

bool same_name(std::string_view selector, std::string_view name) {
  return std::equal(selector.begin(), selector.end(), name.begin(), name.end(),
                    [](char a, char b) { return a == b || (a == '-' && b == '_'); });
}

// The length of the longest selector that matches; 0 if none does.
std::size_t longest(const std::vector<std::string>& selectors, const DiagInfo& info) {
  std::size_t length = 0;
  for (const std::string& selector : selectors) {
    if (names(selector, info))
      length = std::max(length, same_name(selector, info.name) ? info.code.size() : selector.size());
  }
  return length;
}

// `K` matches the family of K401, and not a repository's own KUB001.
bool begins(std::string_view code, std::string_view selector) {
  const bool is_family = selector.find_first_of("0123456789") == std::string_view::npos;
  return code.starts_with(selector) && (!is_family || code.find_first_of("0123456789") == selector.size());
}

template <class Visit>
void each_info(const Selection& known, Visit visit) {
  for (const DiagInfo* info : known.own_rules) visit(*info);
  for (const Rule* rule : all_rules()) visit(info_of(*rule));
  for (const DiagInfo* info : diag::all()) visit(*info);
}

}  // namespace

bool names(std::string_view selector, const DiagInfo& info) {
  return !selector.empty() && (begins(info.code, selector) || same_name(selector, info.name));
}

bool is_permanent(const DiagInfo& info) { return info.code == "CAP819"; }

bool Selection::selects(const DiagInfo& info) const {
  const std::size_t chosen = longest(select, info);
  if (!select.empty() && chosen == 0) return false;
  if (is_permanent(info)) return true;
  return longest(ignore, info) <= chosen && (chosen != 0 || longest(ignore, info) == 0);
}

bool Selection::ignores_at(std::string_view path, const DiagInfo& info) const {
  return !is_permanent(info) && std::any_of(ignore_at.begin(), ignore_at.end(), [&](const auto& rule) {
    return longest(rule.second, info) != 0 && glob_matches(rule.first, path);
  });
}

std::optional<Severity> Selection::severity(const DiagInfo& info) const {
  std::optional<Severity> severity;
  if (is_permanent(info)) return severity;
  std::size_t length = 0;
  for (const auto& [selector, chosen] : severities) {
    const std::size_t own = longest({selector}, info);
    if (own == 0 || own < length) continue;
    severity = chosen;
    length = own;
  }
  return severity;
}

Selection selection_of(const LintConfig& configured, const own::Rules& own) {
  Selection selection{configured.select, configured.ignore, configured.ignore_at, configured.severities, {}};
  if (!selection.select.empty()) selection.select.emplace_back("CAP819");
  for (const own::Rule& rule : own) selection.own_rules.push_back(&rule.info);
  return selection;
}

bool is_selector(std::string_view selector, const Selection& known) {
  bool found = false;
  each_info(known, [&](const DiagInfo& info) { found = found || names(selector, info); });
  return found;
}

bool can_be_ignored(std::string_view selector, const Selection& known) {
  bool found = false;
  each_info(known, [&](const DiagInfo& info) {
    found = found || (names(selector, info) && is_removable(info, info.severity));
  });
  return found;
}

std::string nearest_selector(std::string_view selector, const Selection& known) {
  std::vector<std::string> names;
  each_info(known, [&](const DiagInfo& info) {
    names.emplace_back(info.code);
    std::string name(info.name);
    std::replace(name.begin(), name.end(), '_', '-');
    names.push_back(std::move(name));
  });
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return did_you_mean(selector, candidates);
}

}  // namespace capwright::lint
