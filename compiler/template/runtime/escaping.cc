// markupsafe.escape(): the output of autoescape and of the filters `e` and `forceescape`.
#include "template/runtime/runtime.h"

namespace capwright::jinja {
namespace {

std::string_view entity(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '\'': return "&#39;";
    case '"': return "&#34;";
    default: return {};
  }
}

constexpr std::string_view kSpecial = "&<>'\"";

// `bytes` have one origin.
void append_escaped(MappedText& out, std::string_view bytes, Segment maker) {
  while (!bytes.empty()) {
    const std::size_t plain = std::min(bytes.find_first_of(kSpecial), bytes.size());
    out.append(bytes.substr(0, plain), maker);
    maker.where.begin += maker.literal ? static_cast<std::uint32_t>(plain) : 0;
    if (plain == bytes.size()) return;
    Segment replaced = maker;
    replaced.literal = false;
    out.append(entity(bytes[plain]), replaced);
    maker.where.begin += maker.literal ? 1 : 0;
    bytes.remove_prefix(plain + 1);
  }
}

}  // namespace

Value Runtime::escape(const Value& value) {
  if (value.is_error() || value.is_markup()) return value;
  Value text = value;
  if (!value.is(Kind::String)) {
    const std::uint64_t before = failures();
    const std::string printed = str(value);
    if (failures() != before) return Value::error();
    const Lineage from = lineage(value);
    text = derived(string(printed), from.origin, from.tainted);
    if (value.is(Kind::Object) && value.object_rep()->is_html()) return text.as_markup();
  }
  if (text.text().find_first_of(kSpecial) == std::string_view::npos) return text.as_markup();
  if (!room_for_text(text.text().size() * 5)) return Value::error();
  MappedText escaped;
  if (text.text_rep()->map == nullptr) {
    append_escaped(escaped, text.text(), segment_of(text));
  } else {
    const auto& segments = text.text_rep()->map->segments;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const std::size_t end = i + 1 < segments.size() ? segments[i + 1].begin : text.text().size();
      append_escaped(escaped, text.text().substr(segments[i].begin, end - segments[i].begin), segments[i]);
    }
  }
  return mapped_string(escaped).as_markup();
}

}  // namespace capwright::jinja
