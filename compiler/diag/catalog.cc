// The catalogue as a table, for `explain`, the generated documentation and the tests of coverage.
#include "diag/catalog.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "diag/publish_catalog.h"
#include "diag/repository_catalog.h"

namespace capwright::diag {
namespace {

// A built-in array: std::array can't deduce this many elements on every compiler.
constexpr const DiagInfo* kDeclared[] = {
#define CW_DIAG(CODE, NAME, SEVERITY, FORMAT, TYPES, EXPLANATION) &NAME.info,
#include "diag/catalog.def"
#include "diag/catalog/publish.def"
#include "diag/catalog/repository.def"
#undef CW_DIAG
};

constexpr auto make_table() {
  std::array<const DiagInfo*, std::size(kDeclared)> table{};
  std::copy(std::begin(kDeclared), std::end(kDeclared), table.begin());
  std::sort(table.begin(), table.end(), [](const DiagInfo* a, const DiagInfo* b) { return a->code < b->code; });
  return table;
}
constexpr auto kTable = make_table();

bool same_name(std::string_view identifier, std::string_view shown) {
  return std::equal(identifier.begin(), identifier.end(), shown.begin(), shown.end(),
                    [](char a, char b) { return a == b || (a == '_' && b == '-'); });
}

}  // namespace

std::span<const DiagInfo* const> all() { return kTable; }

const DiagInfo* find(std::string_view code_or_name) {
  for (const DiagInfo* info : kTable) {
    if (info->code == code_or_name || same_name(info->name, code_or_name)) return info;
  }
  return nullptr;
}

}  // namespace capwright::diag
