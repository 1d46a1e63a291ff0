// Every diagnostic of the stages, declared once: code, name, severity, message and the page for `capwright explain
// CODE`. The texts are in catalog/*.def, one file per family, to keep all messages of a stage consistent.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "diag/diag.h"

namespace capwright::diag {

// The number of `{N}` placeholders in a message; checked against its argument types at the declaration.
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

#define CW_UNPACK(...) __VA_ARGS__
#define CW_DIAG(CODE, NAME, SEVERITY, FORMAT, TYPES, EXPLANATION)                                           \
  inline constexpr DiagSpec<CW_UNPACK TYPES> NAME{{#CODE, #NAME, Severity::SEVERITY, FORMAT, EXPLANATION}}; \
  static_assert(placeholders(FORMAT) == argument_count(NAME), #CODE ": placeholders and argument types disagree");
#include "diag/catalog.def"
#undef CW_DIAG

// All diagnostics, sorted by code.
std::span<const DiagInfo* const> all();

// By code ("T012") or name ("undefined-variable"); null if there is none.
const DiagInfo* find(std::string_view code_or_name);

}  // namespace capwright::diag
