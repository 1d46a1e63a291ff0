// Lays out collections in the style of the built-in templates; `yaml/write.h` writes the scalars. Structure, such as
// indentation, has the origin of the key or value next to it.
#include "patch/inserted_text.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "yaml/mapped_leaf.h"
#include "yaml/scalar_text.h"
#include "yaml/write.h"

namespace capwright::patch {
namespace {

constexpr std::uint32_t kStep = 2;

bool is_block(const Value& value) {
  return (value.is(Kind::Map) && !value.entries().empty()) || (value.is(Kind::List) && !value.items().empty());
}

std::string spaces(std::uint32_t count) { return std::string(count, ' '); }

bool is_printable_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '\n' || (byte >= 0x20 && byte != 0x7f);
  });
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Of a block of text: what happens to line breaks at its end.
std::string_view indicator_of(std::string_view text) {
  if (!text.ends_with('\n')) return "|-";
  return text.ends_with("\n\n") ? "|+" : "|";
}

void without_last_break(MappedText& text) {
  if (text.text().ends_with('\n')) text.truncate(text.size() - 1);
}

// Joins segments with one maker: a reader of `explain` sees fewer pieces.
void append_all(MappedText& out, const MappedText& added) {
  const auto segments = added.segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::uint32_t end = i + 1 < segments.size() ? segments[i + 1].begin : added.size();
    out.append(std::string_view(added.text()).substr(segments[i].begin, end - segments[i].begin), segments[i]);
  }
}

}  // namespace

Span InsertedText::place_in_patch(const Value& value) const {
  const Span patch = cluster_.origins[maker_.value].span;
  for (const OriginId leaf : cluster_.origins.leaves(value.origin())) {
    const Span& place = cluster_.origins[leaf].span;
    if (place.file == patch.file && place.begin >= patch.begin && place.end <= patch.end) return place;
  }
  return {};
}

Segment InsertedText::maker_of(const Value& value, const Place& place) const {
  Segment maker = maker_;
  const Span where = place.key.known() ? place.key : place_in_patch(value);
  if (where.known()) maker.where = where;
  maker.value = value.origin();
  return maker;
}

void InsertedText::key(const Value& key, Place& place, MappedText& out) const {
  const Span own = place_in_patch(key);
  if (own.known()) place.key = own;
  append_all(out, leaf(key, maker_of(key, place)));
}

// A scalar or an empty collection on one line, with double quotes if it needs some.
MappedText InsertedText::leaf(const Value& value, const Segment& maker) const {
  const Value list = make_list(cluster_.arena, {&value, 1});
  MappedText text;
  const YamlStyle style{.flow = YamlStyle::Flow::All, .width = -1, .sort_keys = false, .for_go = true};
  EmitStatus status = write_yaml(list, style, maker, cluster_.limits, text);
  CW_CHECK(status == EmitStatus::Done, "values of documents and patches are data within the limits");
  const bool has_quotes = value.is(Kind::String) && (text.text()[1] == '\'' || text.text()[1] == '"');
  if (!has_quotes || !is_ascii(value.text())) return text.slice(1, text.size() - 2);
  MappedText quoted;
  status = write_json(value, {}, maker, cluster_.limits, quoted);
  CW_CHECK(status == EmitStatus::Done, "a text is data");
  return quoted;
}

void InsertedText::flow(const Value& value, Place place, MappedText& out) const {
  const Segment maker = maker_of(value, place);
  if (!is_block(value)) return append_all(out, leaf(value, maker));
  const bool is_map = value.is(Kind::Map);
  out.append(is_map ? "{" : "[", maker);
  const std::size_t count = is_map ? value.entries().size() : value.items().size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out.append(", ", maker);
    if (is_map) flow_entry(value.entries()[i], place, out);
    else flow(value.items()[i], place, out);
  }
  out.append(is_map ? "}" : "]", maker);
}

void InsertedText::flow_entry(const Entry& entry, Place place, MappedText& out) const {
  key(entry.key, place, out);
  out.append(": ", maker_of(entry.key, place));
  flow(entry.value, place, out);
}

bool InsertedText::block_scalar(const Value& value, std::uint32_t indent, const Segment& maker, MappedText& out) const {
  const std::string_view text = value.is(Kind::String) ? value.text() : std::string_view();
  const bool fits = text.find('\n') != std::string_view::npos && text.front() != ' ' && text.front() != '\n' &&
                    is_printable_text(text) && yaml::shape_of(text, true).multiline;
  if (!fits) return false;
  out.append(indicator_of(text), maker);
  const yaml::MappedLeaf leaf(value, maker);
  for (std::uint32_t begin = 0; begin < text.size();) {
    const auto end = static_cast<std::uint32_t>(std::min(text.find('\n', begin), text.size()));
    out.append("\n", maker);
    if (end != begin) out.append(spaces(indent), maker);
    leaf.copy(out, begin, end);
    begin = end + 1;
  }
  return true;
}

void InsertedText::scalar(const Value& value, std::uint32_t indent, Place place, MappedText& out) const {
  const Segment maker = maker_of(value, place);
  out.append(" ", maker);
  if (!block_scalar(value, indent, maker, out)) append_all(out, leaf(value, maker));
}

void InsertedText::value_of_key(const Value& value, std::uint32_t column, Place place, MappedText& out) const {
  if (!is_block(value)) return scalar(value, column + kStep, place, out);
  out.append("\n", maker_of(value, place));
  if (value.is(Kind::Map)) entries(value, column + kStep, false, place, out);
  else items(value, column + kStep, false, place, out);
  without_last_break(out);
}

void InsertedText::value_of_dash(const Value& value, std::uint32_t column, Place place, MappedText& out) const {
  if (!is_block(value)) return scalar(value, column + kStep, place, out);
  out.append(" ", maker_of(value, place));
  if (value.is(Kind::Map)) entries(value, column + kStep, true, place, out);
  else items(value, column + kStep, true, place, out);
  without_last_break(out);
}

void InsertedText::entries(const Value& map, std::uint32_t column, bool starts_inline, Place place,
                           MappedText& out) const {
  for (const Entry& entry : map.entries()) {
    Place inner = place;
    MappedText written;
    key(entry.key, inner, written);
    const Segment maker = maker_of(entry.key, inner);
    if (!std::exchange(starts_inline, false)) out.append(spaces(column), maker);
    append_all(out, written);
    out.append(":", maker);
    value_of_key(entry.value, column, inner, out);
    out.append("\n", maker_of(entry.value, inner));
  }
}

void InsertedText::items(const Value& list, std::uint32_t column, bool starts_inline, Place place,
                         MappedText& out) const {
  for (const Value& item : list.items()) {
    Place inner = place;
    const Segment maker = maker_of(item, inner);
    if (!std::exchange(starts_inline, false)) out.append(spaces(column), maker);
    out.append("-", maker);
    value_of_dash(item, column, inner, out);
    out.append("\n", maker);
  }
}

MappedText InsertedText::entry(const Value& key, const Value& value, std::uint32_t column) const {
  const Entry entry{key, value};
  MappedText out;
  entries(file_.adopted(make_map(cluster_.arena, {&entry, 1}), cluster_), column, false, {}, out);
  return out;
}

MappedText InsertedText::item(const Value& value, std::uint32_t column) const {
  MappedText out;
  items(file_.adopted(make_list(cluster_.arena, {&value, 1}), cluster_), column, false, {}, out);
  return out;
}

MappedText InsertedText::after_key(const Value& value, std::uint32_t column) const {
  MappedText out;
  value_of_key(file_.adopted(value, cluster_), column, {}, out);
  return out;
}

MappedText InsertedText::after_dash(const Value& value, std::uint32_t column) const {
  MappedText out;
  value_of_dash(file_.adopted(value, cluster_), column, {}, out);
  return out;
}

MappedText InsertedText::document(const Value& value) const {
  MappedText out;
  entries(file_.adopted(value, cluster_), 0, true, {}, out);
  without_last_break(out);
  return out;
}

MappedText InsertedText::in_brackets(const Value& value) const {
  MappedText out;
  flow(file_.adopted(value, cluster_), {}, out);
  return out;
}

MappedText InsertedText::entry_in_brackets(const Value& key, const Value& value) const {
  const Entry entry{key, value};
  const Value map = file_.adopted(make_map(cluster_.arena, {&entry, 1}), cluster_);
  MappedText out;
  flow_entry(map.entries()[0], {}, out);
  return out;
}

std::optional<MappedText> InsertedText::in_quotes(const Value& value, ScalarStyle quotes) const {
  const bool is_double = quotes == ScalarStyle::DoubleQuoted;
  const bool fits = value.is(Kind::String) && (is_double || quotes == ScalarStyle::SingleQuoted) &&
                    value.text().find_first_of(is_double ? "\"\\" : "'") == std::string_view::npos &&
                    value.text().find('\n') == std::string_view::npos && is_printable_text(value.text());
  if (!fits) return std::nullopt;
  const Value adopted = file_.adopted(value, cluster_);
  const Segment maker = maker_of(adopted, {});
  MappedText out;
  out.append(is_double ? "\"" : "'", maker);
  yaml::MappedLeaf(adopted, maker).copy(out, 0, static_cast<std::uint32_t>(adopted.text().size()));
  out.append(is_double ? "\"" : "'", maker);
  return out;
}

}  // namespace capwright::patch
