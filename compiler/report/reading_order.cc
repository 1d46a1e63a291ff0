// Sorts findings, and folds equal ones of several files, and those of an undefined name.
#include "report/reading_order.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "diag/catalog/template_eval.h"

namespace capwright::report {
namespace {

std::string_view path_of(const Finding& finding) {
  const Span where = finding.diagnostic->where;
  return where.known() ? finding.sources->path(where.file) : std::string_view();
}

bool is_before(const Finding* a, const Finding* b) {
  const auto key = [](const Finding& finding) {
    return std::make_tuple(finding.diagnostic->severity, path_of(finding), finding.diagnostic->where.begin);
  };
  return key(*a) < key(*b);
}

std::string text_of(const Finding& finding) {
  const Diagnostic& diagnostic = *finding.diagnostic;
  std::string text(diagnostic.info->code);
  text += '\n' + diagnostic.message + '\n' + diagnostic.help.value_or("") + '\n' + finding.revision;
  for (const std::string& note : diagnostic.notes) text += '\n' + note;
  return text;
}

// One value, or one default, defines the name in all places.
bool has_one_edit(const Finding& finding) { return finding.diagnostic->info == &diag::undefined_variable.info; }

}  // namespace

std::vector<ReadItem> in_reading_order(std::span<const Finding> findings) {
  std::vector<const Finding*> sorted;
  sorted.reserve(findings.size());
  for (const Finding& finding : findings) sorted.push_back(&finding);
  std::stable_sort(sorted.begin(), sorted.end(), is_before);

  std::vector<ReadItem> items;
  std::unordered_map<std::string, std::size_t> first;  // by text: the number of the first item with it
  for (const Finding* finding : sorted) {
    const bool has_place = finding->diagnostic->where.known();
    if (has_place) {
      const auto [known, is_new] = first.try_emplace(text_of(*finding), items.size());
      const bool is_elsewhere = !is_new && path_of(*items[known->second].finding) != path_of(*finding);
      if (is_elsewhere || (!is_new && has_one_edit(*finding))) {
        items[known->second].others.push_back(finding);
        continue;
      }
    }
    items.push_back({finding, {}});
  }
  return items;
}

}  // namespace capwright::report
