// The table of keywords.def, sorted by name.
#include "schema/keywords.h"

#include <algorithm>
#include <iterator>

#include "schema/node_builder.h"

namespace capwright::schema {
namespace {

constexpr Keyword kKeywords[] = {
#define CW_KEYWORD(NAME, VOCABULARY, DRAFTS, SHAPE, FILL) \
  {NAME, Vocabulary::VOCABULARY, Drafts::DRAFTS, Shape::SHAPE, &NodeBuilder::FILL},
#include "schema/keywords.def"
#undef CW_KEYWORD
};

constexpr bool by_name(const Keyword& a, const Keyword& b) { return a.name < b.name; }
static_assert(std::is_sorted(std::begin(kKeywords), std::end(kKeywords), by_name), "keywords.def is sorted by name");

}  // namespace

const Keyword* find_keyword(std::string_view name) {
  const auto found =
      std::lower_bound(std::begin(kKeywords), std::end(kKeywords), name,
                       [](const Keyword& keyword, std::string_view wanted) { return keyword.name < wanted; });
  return found != std::end(kKeywords) && found->name == name ? found : nullptr;
}

std::vector<std::string_view> keyword_names() {
  std::vector<std::string_view> names;
  for (const Keyword& keyword : kKeywords) names.push_back(keyword.name);
  return names;
}

}  // namespace capwright::schema
