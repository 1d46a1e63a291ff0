// json.dumps(): separators, indentation, escapes and key conversion of CPython's encoder.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "yaml/characters.h"
#include "yaml/mapped_leaf.h"
#include "yaml/sorted_entries.h"
#include "yaml/write.h"

namespace capwright {
namespace {

using yaml::MappedLeaf;

class JsonWriter {
 public:
  JsonWriter(const JsonStyle& style, const Segment& maker, const Limits& limits, MappedText& out)
      : style_(style), maker_(maker), limits_(limits), out_(out), start_(out.size()) {}

  EmitStatus write(const Value& value, std::uint32_t depth);

 private:
  EmitStatus write_any(const Value& value, std::uint32_t depth);
  EmitStatus list(const Value& value, std::uint32_t depth);
  EmitStatus map(const Value& value, std::uint32_t depth);
  EmitStatus key(const Value& key);
  void scalar(const Value& value);
  void string(const Value& value);
  void escape(const MappedLeaf&, yaml::Character, std::uint32_t offset);
  bool must_escape(char32_t) const;
  void structure(std::string_view bytes) { out_.append(bytes, maker_); }
  void new_line(std::uint32_t depth) {
    if (style_.indent)
      structure("\n" + std::string(static_cast<std::size_t>(std::max<std::int64_t>(0, *style_.indent)) * depth, ' '));
  }
  void separate(bool first, std::uint32_t depth) {
    if (!first) structure(style_.item_separator);
    new_line(depth + 1);
  }

  const JsonStyle& style_;
  Segment maker_;
  const Limits& limits_;
  MappedText& out_;
  std::uint32_t start_;
};

EmitStatus JsonWriter::write(const Value& value, std::uint32_t depth) {
  if (out_.size() - start_ > limits_.string_bytes) return EmitStatus::TooLong;
  const bool outer = maker_.tainted;  // the brackets of a secret container reveal its size
  if (value.is(Kind::List) || value.is(Kind::Map)) maker_.tainted = outer || value.tainted();
  const EmitStatus result = write_any(value, depth);
  maker_.tainted = outer;
  return result;
}

EmitStatus JsonWriter::write_any(const Value& value, std::uint32_t depth) {
  switch (value.kind()) {
    case Kind::List: return depth >= limits_.depth ? EmitStatus::TooDeep : list(value, depth);
    case Kind::Map: return depth >= limits_.depth ? EmitStatus::TooDeep : map(value, depth);
    case Kind::Error:
    case Kind::Undefined:
    case Kind::Object: return EmitStatus::NoData;
    case Kind::String: string(value); return EmitStatus::Done;
    default: scalar(value); return EmitStatus::Done;
  }
}

EmitStatus JsonWriter::list(const Value& value, std::uint32_t depth) {
  if (value.items().empty()) {
    structure("[]");
    return EmitStatus::Done;
  }
  structure("[");
  bool first = true;
  for (const Value& item : value.items()) {
    separate(first, depth);
    first = false;
    if (const auto result = write(item, depth + 1); result != EmitStatus::Done) return result;
  }
  new_line(depth);
  structure("]");
  return EmitStatus::Done;
}

EmitStatus JsonWriter::map(const Value& value, std::uint32_t depth) {
  if (value.entries().empty()) {
    structure("{}");
    return EmitStatus::Done;
  }
  structure("{");
  const yaml::SortedEntries sorted(value, style_.sort_keys);
  if (style_.sort_keys && !sorted.sortable()) return EmitStatus::UnsortedKeys;
  bool first = true;
  for (const Entry* entry : sorted.entries()) {
    separate(first, depth);
    first = false;
    if (const auto result = key(entry->key); result != EmitStatus::Done) return result;
    structure(style_.key_separator);
    if (const auto result = write(entry->value, depth + 1); result != EmitStatus::Done) return result;
  }
  new_line(depth);
  structure("}");
  return EmitStatus::Done;
}

// JSON keys are strings: numbers, true, false and null get quotes.
EmitStatus JsonWriter::key(const Value& key) {
  if (key.is(Kind::String)) {
    string(key);
    return EmitStatus::Done;
  }
  if (key.is(Kind::List) || key.is(Kind::Map) || key.is(Kind::Object)) return EmitStatus::NoData;
  structure("\"");
  scalar(key);
  structure("\"");
  return EmitStatus::Done;
}

void JsonWriter::scalar(const Value& value) {
  const MappedLeaf leaf(value, maker_);
  switch (value.kind()) {
    case Kind::Bool: return leaf.whole(out_, value.as_bool() ? "true" : "false");
    case Kind::Int: return leaf.whole(out_, fmt::format_int(value.as_int()).c_str());
    case Kind::Float: {
      const double number = value.as_float();
      if (std::isnan(number)) return leaf.whole(out_, "NaN");
      if (std::isinf(number)) return leaf.whole(out_, number < 0 ? "-Infinity" : "Infinity");
      return leaf.whole(out_, float_text(number));
    }
    default: return leaf.whole(out_, "null");
  }
}

bool JsonWriter::must_escape(char32_t c) const {
  if (c < 0x20 || c == '"' || c == '\\') return true;
  if (c > 0x7e) return style_.ensure_ascii;
  return style_.html_safe && (c == '<' || c == '>' || c == '&' || c == '\'');
}

void JsonWriter::string(const Value& value) {
  const MappedLeaf leaf(value, maker_);
  const std::string_view text = value.text();
  structure("\"");
  std::uint32_t copied = 0;
  for (std::uint32_t at = 0; at < text.size();) {
    const auto character = yaml::character_at(text, at);
    if (must_escape(character.code)) {
      leaf.copy(out_, copied, at);
      escape(leaf, character, at);
      copied = at + character.size;
    }
    at += character.size;
  }
  leaf.copy(out_, copied, static_cast<std::uint32_t>(text.size()));
  structure("\"");
}

void JsonWriter::escape(const MappedLeaf& leaf, yaml::Character character, std::uint32_t offset) {
  switch (character.code) {
    case '"': return leaf.replace(out_, "\\\"", offset);
    case '\\': return leaf.replace(out_, "\\\\", offset);
    case '\n': return leaf.replace(out_, "\\n", offset);
    case '\r': return leaf.replace(out_, "\\r", offset);
    case '\t': return leaf.replace(out_, "\\t", offset);
    case '\f': return leaf.replace(out_, "\\f", offset);
    case '\b': return leaf.replace(out_, "\\b", offset);
    default: break;
  }
  const auto code = static_cast<std::uint32_t>(character.code);
  if (code < 0x10000) return leaf.replace(out_, fmt::format("\\u{:04x}", code), offset);
  if (style_.as_yaml) return leaf.replace(out_, fmt::format("\\U{:08x}", code), offset);
  const std::uint32_t beyond = code - 0x10000;
  leaf.replace(out_, fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (beyond >> 10), 0xdc00 + (beyond & 0x3ff)), offset);
}

}  // namespace

EmitStatus write_json(const Value& value, const JsonStyle& style, const Segment& maker, const Limits& limits,
                      MappedText& out) {
  return JsonWriter(style, maker, limits, out).write(value, 0);
}

std::string float_text(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace capwright
