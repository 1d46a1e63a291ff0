// The catalogue as a table, for `explain`, the generated documentation and the tests that count coverage.
#include "diag/catalog.h"

#include <algorithm>
#include <array>
#include <string>

namespace capwright::diag {
namespace {

constexpr auto make_table() {
  std::array table{
#define CW_DIAG(CODE, NAME, SEVERITY, FORMAT, TYPES, EXPLANATION) &NAME.info,
#include "diag/catalog.def"
#undef CW_DIAG
  };
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
