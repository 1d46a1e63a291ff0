// Follows the spans of keys and values.
#include "portal/pointer.h"

#include <array>
#include <fmt/format.h>
#include <string_view>

namespace capwright::portal {
namespace {

// The characters of a URI fragment that need no escape (RFC 3986), without `~` and `/`, which pointers escape.
bool is_plain(char c) {
  constexpr std::string_view kOthers = "-._!$&'()*+,;=:@?";
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || (c >= '0' && c <= '9') || kOthers.find(c) != std::string_view::npos;
}

std::string escaped(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') text += "~0";
    else if (c == '/') text += "~1";
    else if (is_plain(c)) text += c;
    else text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
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

}  // namespace capwright::portal
