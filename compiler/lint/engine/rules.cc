// rules.def as a table.
#include "lint/engine/rules.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/check.h"
#include "text/trim.h"

namespace capwright::lint {

#define CW_RULE(NAME)     \
  namespace rules::NAME { \
  extern const Rule NAME; \
  }
#include "lint/rules.def"
#undef CW_RULE

namespace {

constexpr const Rule* kRules[] = {
#define CW_RULE(NAME) &rules::NAME::NAME,
#include "lint/rules.def"
#undef CW_RULE
};

// In the order of kRules.
const std::array<DiagInfo, std::size(kRules)>& infos() {
  static const auto table = [] {
    std::array<DiagInfo, std::size(kRules)> infos{};
    std::transform(std::begin(kRules), std::end(kRules), infos.begin(), [](const Rule* rule) {
      return DiagInfo{rule->code, rule->name, rule->severity, {}, rule->docs};
    });
    return infos;
  }();
  return table;
}

}  // namespace

std::span<const Rule* const> all_rules() { return kRules; }

const Rule* find_rule(std::string_view code_or_name) {
  for (const Rule* rule : kRules) {
    if (rule->code == code_or_name || rule->name == code_or_name) return rule;
  }
  return nullptr;
}

const DiagInfo& info_of(const Rule& rule) {
  const auto found = std::find(std::begin(kRules), std::end(kRules), &rule);
  CW_CHECK(found != std::end(kRules), "a rule is in rules.def");
  return infos()[static_cast<std::size_t>(found - std::begin(kRules))];
}

std::string summary_of(const Rule& rule) { return summary_of(rule.docs); }

std::string summary_of(std::string_view text) {
  const auto skip = [&](std::size_t bytes) { text.remove_prefix(std::min(bytes, text.size())); };
  skip(text.find_first_not_of('\n'));
  if (text.starts_with("## ")) skip(text.find("\n\n"));  // rule pages begin with `## What it does`
  skip(text.find_first_not_of('\n'));
  std::string line(trimmed(text.substr(0, text.find("\n\n"))));
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace capwright::lint
