// The table of all diagnostics: each list is declared, checked and collected.
#include "diag/catalog.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "diag/catalog/deploy.h"
#include "diag/catalog/envsubst.h"
#include "diag/catalog/files.h"
#include "diag/catalog/git.h"
#include "diag/catalog/layers.h"
#include "diag/catalog/limits.h"
#include "diag/catalog/manifest.h"
#include "diag/catalog/migrate.h"
#include "diag/catalog/patches.h"
#include "diag/catalog/publish.h"
#include "diag/catalog/repository.h"
#include "diag/catalog/schemas.h"
#include "diag/catalog/template_builtins.h"
#include "diag/catalog/template_eval.h"
#include "diag/catalog/template_extras.h"
#include "diag/catalog/template_operations.h"
#include "diag/catalog/template_syntax.h"
#include "diag/catalog/text.h"
#include "diag/catalog/tree.h"
#include "diag/catalog/values.h"

namespace capwright::diag {
namespace {

// The number of `{N}` placeholders in a message; checked against its argument types.
consteval std::size_t placeholders(std::string_view format) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < format.size(); ++i) {
    if (format[i] == '{' && format[i + 1] >= '0' && format[i + 1] <= '9') {
      const std::size_t index = static_cast<std::size_t>(format[i + 1] - '0');
      count = index + 1 > count ? index + 1 : count;
    } else if (format[i] == '{' && format[i + 1] == '{') {
      ++i;
    }
  }
  return count;
}
template <class... Args>
consteval std::size_t argument_count(const DiagSpec<Args...>&) {
  return sizeof...(Args);
}

}  // namespace

#define CW_UNPACK(...) __VA_ARGS__
#define CW_DIAG(CODE, NAME, SEVERITY, FORMAT, TYPES, EXPLANATION)                                    \
  constexpr DiagSpec<CW_UNPACK TYPES> NAME{{#CODE, #NAME, Severity::SEVERITY, FORMAT, EXPLANATION}}; \
  static_assert(placeholders(FORMAT) == argument_count(NAME), #CODE ": placeholders and argument types disagree");
#include "diag/catalog.def"
#undef CW_DIAG
#undef CW_UNPACK

namespace {

// A built-in array: std::array can't deduce this many elements on every compiler.
constexpr const DiagInfo* kDeclared[] = {
#define CW_DIAG(CODE, NAME, SEVERITY, FORMAT, TYPES, EXPLANATION) &NAME.info,
#include "diag/catalog.def"
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
