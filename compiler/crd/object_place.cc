// Formats paths as the server does, and finds the source text of a place in an object.
#include "crd/object_place.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "cel/text_forms.h"
#include "crd/validate.h"
#include "diag/suggest.h"
#include "yaml/write.h"

namespace capwright::crd {
namespace {

using AppendKey = void (*)(std::string& path, std::string_view key);

void append_as_it_is(std::string& path, std::string_view key) {
  if (!path.empty()) path += '.';
  path += key;
}

void append_path(std::string& path, const Place& place, AppendKey append_key) {
  if (place.parent == nullptr) return;
  append_path(path, *place.parent, append_key);
  if (place.key == nullptr) path += fmt::format("[{}]", place.index);
  else append_key(path, place.key->text());
}

Span written_at(const Value& value, const OriginTable& origins) {
  if (value.origin() == OriginId::None) return {};
  const Origin& origin = origins[value.origin()];
  if (origin.kind == Origin::Kind::Input) return origin.span;
  for (const OriginId leaf : origins.leaves(value.origin())) {
    if (origins[leaf].kind == Origin::Kind::Input) return origins[leaf].span;
  }
  return {};
}

// Underlines only the first line of a long piece of text.
Span first_line(Span span, const SourceSet& sources) {
  const std::size_t line_break = sources.text(span).find_first_of("\r\n");
  if (line_break != std::string_view::npos) span.end = span.begin + static_cast<std::uint32_t>(line_break);
  return span;
}

}  // namespace

void append_key(std::string& path, std::string_view key) {
  if (key.find_first_of("./[") != std::string_view::npos) path += fmt::format("[{}]", key);
  else append_as_it_is(path, key);
}

std::string field_of(const Place& place) {
  std::string path;
  append_path(path, place, append_key);
  return path;
}

std::string path_of(const Place& place) {
  std::string path;
  append_path(path, place, append_as_it_is);
  return path;
}

std::string path_of(const Place& place, std::string_view member) {
  std::string path = path_of(place);
  return path + (path.empty() ? "" : ".") + std::string(member);
}

Span key_span_of(const Place& place, const OriginTable& origins, const SourceSet& sources) {
  for (const Place* at = &place; at != nullptr; at = at->parent) {
    const Span written = written_at(at->key != nullptr ? *at->key : at->value, origins);
    if (written.known()) return first_line(written, sources);
  }
  return {};
}

Span span_of(const Place& place, const OriginTable& origins, const SourceSet& sources) {
  const Span written = written_at(place.value, origins);
  const bool container = place.value.is(Kind::List) || place.value.is(Kind::Map);
  if (!written.known() || container) return key_span_of(place, origins, sources);
  return first_line(written, sources);
}

void suggest(Finding& finding, std::string_view written, std::span<const std::string_view> candidates) {
  finding.meant = nearest(written, candidates);
  finding.help = did_you_mean(written, candidates);
}

std::string with_value(Reason reason, const Value& value) {
  std::string text(reason_text(reason));
  text += ": ";
  if (value.tainted()) return text + "<redacted>";
  return text + (value.is(Kind::String) ? cel::quoted(value.text()) : canonical_json(value));
}

Span place_of(const Value& object, std::string_view path, const Stage& stage) {
  Value value = object;
  Span best = span_of(Place{object}, stage.origins, stage.sources);
  const Place root{object};
  while (!path.empty()) {
    const std::size_t begin = path[0] == '.' || path[0] == '[' ? 1 : 0;
    const bool bracket = path[0] == '[';
    const std::size_t end = std::min(path.find_first_of(bracket ? "]" : ".[", begin), path.size());
    const std::string_view step = path.substr(begin, end - begin);
    path.remove_prefix(std::min(path.size(), bracket ? end + 1 : end));
    Place place{Value(), &root, nullptr, 0, nullptr};
    std::size_t index = 0;
    if (value.is(Kind::List)) {
      const auto read = std::from_chars(step.data(), step.data() + step.size(), index);
      if (read.ec != std::errc() || index >= value.items().size()) return best;
      place.value = value.items()[index];
    } else if (value.is(Kind::Map)) {
      const auto found = std::find_if(value.entries().begin(), value.entries().end(),
                                      [&](const Entry& entry) { return entry.key.text() == step; });
      if (found == value.entries().end()) return best;
      place.value = found->value;
      place.key = &found->key;
    } else {
      return best;
    }
    const Span at = span_of(place, stage.origins, stage.sources);
    if (at.known()) best = at;
    value = place.value;
  }
  return best;
}

}  // namespace capwright::crd
