// Formats paths for messages, and finds the source text of an origin.
#include "schema/place.h"

#include <algorithm>
#include <fmt/format.h>

namespace capwright::schema {
namespace {

bool is_plain_name(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '/';
  });
}

void append_key(std::string& path, std::string_view key) {
  if (!path.empty()) path += '.';
  if (is_plain_name(key)) path += key;
  else path += fmt::format("\"{}\"", key);
}

void append_path(std::string& path, const Place& place) {
  if (place.parent == nullptr) return;
  append_path(path, *place.parent);
  if (place.key != nullptr) append_key(path, place.key->text());
  else path += fmt::format("[{}]", place.index);
}

// Underlines only the first line of a long piece of text.
Span first_line(Span span, const SourceSet& sources) {
  const std::size_t line_break = sources.text(span).find_first_of("\r\n");
  if (line_break != std::string_view::npos) span.end = span.begin + static_cast<std::uint32_t>(line_break);
  return span;
}

bool is_container(const Value& value) { return value.is(Kind::List) || value.is(Kind::Map); }

}  // namespace

std::string path_text(const Place& place) {
  std::string path;
  append_path(path, place);
  return path;
}

std::string path_text(const Place& place, std::string_view key) {
  std::string path = path_text(place);
  append_key(path, key);
  return path;
}

std::string subject(const Place& place) {
  return place.parent == nullptr ? "the document" : "`" + path_text(place) + "`";
}

Span written_at(const Value& value, const OriginTable& origins) {
  if (value.origin() == OriginId::None) return {};
  for (const OriginId leaf : origins.leaves(value.origin())) {
    if (origins[leaf].kind == Origin::Kind::Input) return origins[leaf].span;
  }
  return {};
}

Span heading_of(const Place& place, const OriginTable& origins, const SourceSet& sources) {
  for (const Place* at = &place; at != nullptr; at = at->parent) {
    const Span written = written_at(at->key != nullptr ? *at->key : at->value, origins);
    if (written.known()) return at->key != nullptr ? written : first_line(written, sources);
  }
  return {};
}

Span place_of(const Place& place, const OriginTable& origins, const SourceSet& sources) {
  const Span written = written_at(place.value, origins);
  if (!written.known() || is_container(place.value)) return heading_of(place, origins, sources);
  return first_line(written, sources);
}

}  // namespace capwright::schema
