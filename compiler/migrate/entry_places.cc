// An entry whose value is written at an anchor, or has properties before it, has no place to edit.
#include "migrate/entry_places.h"

#include <algorithm>

namespace capwright::migrate {

const Entry* EntryPlaces::entry_at(const FieldPath& path) const {
  const Value* map = value_at(object_, parent(path));
  if (map == nullptr || !map->is(Kind::Map)) return nullptr;
  for (const Entry& entry : map->entries()) {
    if (entry.key.text() == path.back()) return &entry;
  }
  return nullptr;
}

std::optional<EntryPlace> EntryPlaces::place_of(const FieldPath& path) const {
  const Entry* entry = entry_at(path);
  if (entry == nullptr) return std::nullopt;
  EntryPlace place;
  place.key = file_.place(entry->key);
  place.value = file_.place(entry->value);
  const Value* map = value_at(object_, parent(path));
  const Span around = file_.place(*map);
  if (!place.key.known() || !place.value.known() || !around.known()) return std::nullopt;
  place.in_flow = is_at(around.begin, '{') || in_flow(parent(path));
  place.colon = place.key.end;
  while (is_at(place.colon, ' ')) ++place.colon;
  if (!is_at(place.colon, ':')) return std::nullopt;
  ++place.colon;
  if (place.value.size() == 0) place.value.begin = place.value.end = place.colon;
  if (place.value.begin < place.colon) return std::nullopt;  // written at an anchor
  place.column = column_of(place.key.begin);
  place.starts_line = file_.is_blank(file_.line_begin(place.key.begin), place.key.begin);
  const std::string_view between = text().substr(place.colon, place.value.begin - place.colon);
  place.value_on_line = between.find('\n') == std::string_view::npos;
  if (place.value_on_line && between.find_first_not_of(' ') != std::string_view::npos) return std::nullopt;  // a tag
  const bool is_container = entry->value.is(Kind::Map) || entry->value.is(Kind::List);
  place.is_block = is_container && !is_at(place.value.begin, '{') && !is_at(place.value.begin, '[');
  return place;
}

bool EntryPlaces::in_flow(FieldPath path) const {
  for (; !path.empty(); path.pop_back()) {
    const Value* value = value_at(object_, path);
    const Span place = value == nullptr ? Span() : file_.place(*value);
    if (place.known() && place.size() > 0 && (is_at(place.begin, '{') || is_at(place.begin, '['))) return true;
  }
  return false;
}

std::uint32_t EntryPlaces::line_after(std::uint32_t end) const {
  return end > 0 && is_at(end - 1, '\n') ? end : file_.line_end(end);
}

// The begin of the comment lines above a line that have its column.
std::uint32_t EntryPlaces::with_comments(std::uint32_t line, std::uint32_t column) const {
  while (line > 0) {
    const std::uint32_t above = file_.line_begin(line - 1);
    if (!is_at(above + column, '#') || !file_.is_blank(above, above + column)) break;
    line = above;
  }
  return line;
}

std::optional<Rewrite::Lines> EntryPlaces::lines_of(const EntryPlace& place) const {
  if (place.in_flow || !place.starts_line) return std::nullopt;
  const std::uint32_t end = std::max(place.value.end, place.colon);
  return Rewrite::Lines{with_comments(file_.line_begin(place.key.begin), place.column), line_after(end)};
}

}  // namespace capwright::migrate
