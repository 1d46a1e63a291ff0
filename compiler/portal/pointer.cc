// Follows the spans of keys and values.
#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "diag/catalog/values.h"
#include "portal/request_values.h"
#include "schema/uri.h"

namespace capwright::portal {
namespace {

std::string escaped(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~') token += "~0";
    else if (c == '/') token += "~1";
    else token += c;
  }
  return schema::percent_encode(token, "-._~!$&'()*+,;=:@?");  // what a URI fragment may have
}

bool contains(Span span, std::uint32_t offset) { return span.begin <= offset && offset < span.end; }

}  // namespace

std::string pointer_at(const Value& document, std::uint32_t offset, const Stage& stage) {
  std::string pointer = "#";
  const Value* value = &document;
  for (const Value* next = value; next != nullptr; value = next) {
    value = next;
    next = nullptr;
    if (value->is(Kind::Map)) {
      for (const Entry& entry : value->entries()) {
        const Span key = stage.span_of(entry.key), content = stage.span_of(entry.value);
        if (!contains(key, offset) && !contains(content, offset)) continue;
        pointer += "/" + escaped(entry.key.text());
        next = &entry.value;
        break;
      }
    } else if (value->is(Kind::List)) {
      const auto items = value->items();
      for (std::size_t i = 0; i < items.size() && next == nullptr; ++i) {
        if (!contains(stage.span_of(items[i]), offset)) continue;
        pointer += fmt::format("/{}", i);
        next = &items[i];
      }
    }
    if (next == nullptr) break;
  }
  return pointer;
}

std::string missing_pointer(const Diagnostic& finding) {
  const std::string_view message = finding.message;
  const bool is_missing = finding.info == &diag::missing_key.info && message.starts_with('`');
  if (!is_missing) return {};
  // A path of a message: worker_pools[0].labels."a.b"
  std::string_view rest = message.substr(1, message.find('`', 1) - 1);
  std::string pointer = "#";
  while (!rest.empty()) {
    const bool is_quoted = rest.starts_with('"'), is_index = rest.starts_with('[');
    if (is_quoted || is_index) rest.remove_prefix(1);
    std::string_view closing = ".[";
    if (is_quoted) closing = "\"";
    if (is_index) closing = "]";
    const std::size_t end = std::min(rest.size(), rest.find_first_of(closing));
    pointer += "/" + escaped(rest.substr(0, end));
    rest.remove_prefix(end);
    if (is_quoted || is_index) rest.remove_prefix(std::min<std::size_t>(rest.size(), 1));
    if (rest.starts_with('.')) rest.remove_prefix(1);
  }
  return pointer;
}

}  // namespace capwright::portal
