// A comment on a change. Forges truncate or reject comments above some size: shapes are added while they fit.
#include <fmt/format.h>

#include "report/diff_words.h"
#include "report/markdown.h"
#include "report/printable.h"

namespace capwright::report {
namespace {

constexpr std::size_t kNamesShown = 10, kVariantsShown = 5, kValueShown = 200;

// One shape as a list item.
std::string item_of(const FleetDifferences& all, const diff::Family& family) {
  const std::string title = markdown_code(printable(family_title(family)));
  if (is_whole(family))
    return fmt::format("- **{}**\n  {}\n", title,
                       markdown_line(clusters_text(all, family.variants.front().occurrences, kNamesShown)));
  std::string item = fmt::format(
      "- **{}** {}", title,
      markdown_code(fmt::format("{}{}{}", sign_of(family), family.path.empty() ? "" : " ", printable(family.path))));
  const bool single = family.variants.size() == 1;
  item += single ? "\n" : fmt::format(": {}\n", counted(family.variants.size(), "way"));
  for (std::size_t i = 0; i < family.variants.size() && i < kVariantsShown; ++i) {
    const diff::Variant& variant = family.variants[i];
    item += fmt::format("  {}{}: {}\n", single ? "" : "- ",
                        markdown_code(printable(values_text(family, variant, kValueShown))),
                        markdown_line(clusters_text(all, variant.occurrences, kNamesShown)));
  }
  if (family.variants.size() > kVariantsShown)
    item += fmt::format("  - and {} more\n", family.variants.size() - kVariantsShown);
  return item;
}

}  // namespace

std::string diff_as_markdown(const FleetDifferences& differences, std::size_t budget, std::string_view folder) {
  std::string head = fmt::format("### capwright diff: {}\n", markdown_line(summary_text(differences)));
  std::vector<std::string> items;
  for (const Finding& finding : differences.faults) items.push_back(markdown_item(finding, folder, true));
  for (const diff::Family& family : diff::families_of(differences.clusters))
    items.push_back(item_of(differences, family));
  if (!items.empty()) head += "\n";
  return within_budget(std::move(head), items, "change", budget);
}

}  // namespace capwright::report
