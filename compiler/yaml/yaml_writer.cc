// yaml.dump() with PyYAML's representer on libyaml 0.2.5's emitter: breaks lines, quotes and folds in the same places.
// One difference is deliberate: a container that occurs twice is written twice, never as `&id001` and `*id001`.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <utility>

#include "yaml/characters.h"
#include "yaml/mapped_leaf.h"
#include "yaml/scalar_text.h"
#include "yaml/sorted_entries.h"
#include "yaml/write.h"

namespace capwright {
namespace {

using yaml::Character;
using yaml::character_at;
using yaml::MappedLeaf;

constexpr std::uint32_t kLongestSimpleKey = 128;  // bytes; a longer key is written as `? key`

bool is_no_text_to_go(std::string_view text) { return !resolve_plain(text, ScalarRules::Kubernetes).is(Kind::String); }

// The emitter's state after the text so far, for decisions on spaces and line breaks.
struct Cursor {
  std::int64_t column = 0;
  bool after_space = true;   // the last character separates: no space is needed
  bool after_indent = true;  // the line has only indentation and `-`, `?` or `:`
};

// The position of a node.
struct Context {
  std::int64_t indent = -1;  // of the collection around it
  bool in_flow = false;
  bool in_map = false;
  bool is_key = false;  // a simple key: one line
};

class YamlWriter {
 public:
  YamlWriter(const YamlStyle& style, const Segment& maker, const Limits& limits, MappedText& out);
  EmitStatus document(const Value& value);

 private:
  EmitStatus node(const Value&, Context, std::uint32_t depth);
  EmitStatus collection(const Value&, Context, std::uint32_t depth);
  EmitStatus flow_list(const Value&, Context, std::uint32_t depth);
  EmitStatus flow_map(const Value&, Context, std::uint32_t depth);
  EmitStatus block_list(const Value&, Context, std::uint32_t depth);
  EmitStatus block_map(const Value&, Context, std::uint32_t depth);
  EmitStatus key(const Value&, Context, bool simple, std::uint32_t depth);
  void scalar(const Value&, const Context&);
  void string(const Value&, const Context&);
  void plain(const Value&, std::int64_t indent, bool may_fold);
  void single_quoted(const Value&, std::int64_t indent, bool may_fold);
  void double_quoted(const Value&, std::int64_t indent, bool may_fold);
  void escape(const MappedLeaf&, Character, std::uint32_t offset);
  bool is_flow(const Value&) const;
  bool is_simple_key(const Value&) const;
  std::string scalar_text(const Value&) const;

  void structure(std::string_view bytes);
  void indicator(std::string_view bytes, bool needs_space, bool is_space = false, bool is_indent = false);
  void start_line(std::int64_t indent);
  bool line_is_full() const { return cursor_.column > width_; }
  std::int64_t deeper(std::int64_t indent) const { return indent < 0 ? step_ : indent + step_; }

  const YamlStyle& style_;
  Segment maker_;
  const Limits& limits_;
  MappedText& out_;
  std::uint32_t start_;
  std::int64_t step_;
  std::int64_t width_;
  Cursor cursor_;
};

YamlWriter::YamlWriter(const YamlStyle& style, const Segment& maker, const Limits& limits, MappedText& out)
    : style_(style), maker_(maker), limits_(limits), out_(out), start_(out.size()) {
  step_ = style.indent >= 2 && style.indent <= 9 ? style.indent : 2;
  if (style.width < 0) width_ = std::numeric_limits<std::int64_t>::max();
  else if (style.width <= step_ * 2) width_ = 80;
  else width_ = style.width;
}

void YamlWriter::structure(std::string_view bytes) {
  out_.append(bytes, maker_);
  cursor_.column += static_cast<std::int64_t>(bytes.size());
}

void YamlWriter::indicator(std::string_view bytes, bool needs_space, bool is_space, bool is_indent) {
  if (needs_space && !cursor_.after_space) structure(" ");
  structure(bytes);
  cursor_.after_space = is_space;
  cursor_.after_indent = cursor_.after_indent && is_indent;
}

// Goes to the column `indent`, on a new line unless this one has only indentation.
void YamlWriter::start_line(std::int64_t indent) {
  indent = std::max<std::int64_t>(indent, 0);
  if (!cursor_.after_indent || cursor_.column > indent || (cursor_.column == indent && !cursor_.after_space)) {
    structure("\n");
    cursor_.column = 0;
  }
  if (cursor_.column < indent) structure(std::string(static_cast<std::size_t>(indent - cursor_.column), ' '));
  cursor_.after_space = cursor_.after_indent = true;
}

EmitStatus YamlWriter::document(const Value& value) {
  if (style_.explicit_start) {
    start_line(-1);
    indicator("---", true);
  }
  const EmitStatus result = node(value, {}, 0);
  if (result != EmitStatus::Done) return result;
  start_line(-1);
  if (style_.explicit_end) {
    indicator("...", true);
    start_line(-1);
  }
  return result;
}

EmitStatus YamlWriter::node(const Value& value, Context context, std::uint32_t depth) {
  if (out_.size() - start_ > limits_.string_bytes) return EmitStatus::TooLong;
  switch (value.kind()) {
    case Kind::List:
    case Kind::Map: return depth >= limits_.depth ? EmitStatus::TooDeep : collection(value, context, depth);
    case Kind::Error:
    case Kind::Undefined:
    case Kind::Object: return EmitStatus::NoData;
    default: scalar(value, context); return EmitStatus::Done;
  }
}

// PyYAML's rule: an empty collection is written in brackets, and one of scalars only if the style allows both forms.
bool YamlWriter::is_flow(const Value& value) const {
  if (style_.flow == YamlStyle::Flow::All) return true;
  const auto is_leaf = [](const Value& item) { return !item.is(Kind::List) && !item.is(Kind::Map); };
  if (value.is(Kind::List)) {
    const auto items = value.items();
    return items.empty() ||
           (style_.flow == YamlStyle::Flow::Leaves && std::all_of(items.begin(), items.end(), is_leaf));
  }
  const auto entries = value.entries();
  return entries.empty() || (style_.flow == YamlStyle::Flow::Leaves &&
                             std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) {
                               return is_leaf(entry.key) && is_leaf(entry.value);
                             }));
}

EmitStatus YamlWriter::collection(const Value& value, Context context, std::uint32_t depth) {
  const bool flow = context.in_flow || is_flow(value);
  const bool outer = std::exchange(maker_.tainted, maker_.tainted || value.tainted());
  EmitStatus result;
  if (value.is(Kind::List)) result = flow ? flow_list(value, context, depth) : block_list(value, context, depth);
  else result = flow ? flow_map(value, context, depth) : block_map(value, context, depth);
  maker_.tainted = outer;
  return result;
}

EmitStatus YamlWriter::flow_list(const Value& value, Context context, std::uint32_t depth) {
  indicator("[", true, true);
  const Context inner{deeper(context.indent), true, false, false};
  bool first = true;
  for (const Value& item : value.items()) {
    if (!first) indicator(",", false);
    first = false;
    if (line_is_full()) start_line(inner.indent);
    if (const auto result = node(item, inner, depth + 1); result != EmitStatus::Done) return result;
  }
  indicator("]", false);
  return EmitStatus::Done;
}

EmitStatus YamlWriter::flow_map(const Value& value, Context context, std::uint32_t depth) {
  indicator("{", true, true);
  const Context inner{deeper(context.indent), true, true, false};
  bool first = true;
  const yaml::SortedEntries sorted(value, style_.sort_keys);
  for (const Entry* entry : sorted.entries()) {
    if (!first) indicator(",", false);
    first = false;
    if (line_is_full()) start_line(inner.indent);
    const bool simple = is_simple_key(entry->key);
    if (const auto result = key(entry->key, inner, simple, depth); result != EmitStatus::Done) return result;
    if (!simple && line_is_full()) start_line(inner.indent);
    indicator(":", !simple);
    if (const auto result = node(entry->value, inner, depth + 1); result != EmitStatus::Done) return result;
  }
  indicator("}", false);
  return EmitStatus::Done;
}

// The items of a list that is a map's value have the map's indentation.
EmitStatus YamlWriter::block_list(const Value& value, Context context, std::uint32_t depth) {
  const bool same_indent = context.in_map && !cursor_.after_indent;
  std::int64_t indent = 0;
  if (context.indent >= 0) indent = context.indent + (same_indent ? 0 : step_);
  for (const Value& item : value.items()) {
    start_line(indent);
    indicator("-", true, false, true);
    if (const auto result = node(item, {indent, false, false, false}, depth + 1); result != EmitStatus::Done)
      return result;
  }
  return EmitStatus::Done;
}

EmitStatus YamlWriter::block_map(const Value& value, Context context, std::uint32_t depth) {
  const std::int64_t indent = context.indent < 0 ? 0 : context.indent + step_;
  const Context inner{indent, false, true, false};
  const yaml::SortedEntries sorted(value, style_.sort_keys);
  for (const Entry* entry : sorted.entries()) {
    start_line(indent);
    const bool simple = is_simple_key(entry->key);
    if (const auto result = key(entry->key, inner, simple, depth); result != EmitStatus::Done) return result;
    if (!simple) start_line(indent);
    indicator(":", !simple, false, !simple);
    if (const auto result = node(entry->value, inner, depth + 1); result != EmitStatus::Done) return result;
  }
  return EmitStatus::Done;
}

EmitStatus YamlWriter::key(const Value& key, Context context, bool simple, std::uint32_t depth) {
  if (!simple) indicator("?", true, false, !context.in_flow);
  context.is_key = simple;
  return node(key, context, depth + 1);
}

bool YamlWriter::is_simple_key(const Value& key) const {
  switch (key.kind()) {
    case Kind::String: {
      const std::string_view text = key.text();
      return text.size() <= kLongestSimpleKey && !yaml::shape_of(text, style_.allow_unicode).multiline;
    }
    case Kind::List: return key.items().empty();
    case Kind::Map: return key.entries().empty();
    default: return true;
  }
}

std::string YamlWriter::scalar_text(const Value& value) const {
  switch (value.kind()) {
    case Kind::Bool: return value.as_bool() ? "true" : "false";
    case Kind::Int: return fmt::format_int(value.as_int()).str();
    case Kind::Float: break;
    default: return "null";
  }
  const double number = value.as_float();
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number < 0 ? "-.inf" : ".inf";
  std::string text = float_text(number);
  // YAML 1.1 floats need a point: `1.0e+17`.
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

void YamlWriter::scalar(const Value& value, const Context& context) {
  if (value.is(Kind::String)) return string(value, context);
  if (!cursor_.after_space) structure(" ");
  const std::string text = scalar_text(value);
  MappedLeaf(value, maker_).whole(out_, text);
  cursor_.column += static_cast<std::int64_t>(text.size());
  cursor_.after_space = cursor_.after_indent = false;
}

void YamlWriter::string(const Value& value, const Context& context) {
  const std::string_view text = value.text();
  const yaml::ScalarShape shape = yaml::shape_of(text, style_.allow_unicode);
  const std::int64_t indent = deeper(context.indent);
  const bool may_fold = !context.is_key;
  const bool reads_as_text =
      yaml::python_tag(text) == yaml::PythonTag::String && !(style_.for_go && is_no_text_to_go(text));
  if (context.is_key && shape.multiline) return double_quoted(value, indent, may_fold);
  if ((context.in_flow ? shape.plain_in_flow : shape.plain_in_block) && reads_as_text)
    return plain(value, indent, may_fold);
  shape.single_quoted ? single_quoted(value, indent, may_fold) : double_quoted(value, indent, may_fold);
}

// Plain texts contain no line breaks here; only a single space may become one.
void YamlWriter::plain(const Value& value, std::int64_t indent, bool may_fold) {
  const MappedLeaf leaf(value, maker_);
  const std::string_view text = value.text();
  if (!cursor_.after_space) structure(" ");
  std::uint32_t copied = 0;
  for (std::uint32_t at = 0; at < text.size(); ++at) {
    const bool single_space = text[at] == ' ' && text[at - 1] != ' ' && text[at + 1] != ' ';
    if (single_space && may_fold) {
      cursor_.column += yaml::count_characters(text.substr(copied, at - copied));
      leaf.copy(out_, copied, at);
      copied = at;
      cursor_.after_indent = false;
      if (line_is_full()) {
        start_line(indent);
        copied = at + 1;
      }
    }
  }
  leaf.copy(out_, copied, static_cast<std::uint32_t>(text.size()));
  cursor_.column += yaml::count_characters(text.substr(copied));
  cursor_.after_space = cursor_.after_indent = false;
}

void YamlWriter::single_quoted(const Value& value, std::int64_t indent, bool may_fold) {
  const MappedLeaf leaf(value, maker_);
  const std::string_view text = value.text();
  indicator("'", true);
  bool in_breaks = false;
  for (std::uint32_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    const std::uint32_t next = at + character.size;
    if (yaml::is_break(character.code)) {
      if (!in_breaks && character.code == '\n') leaf.replace(out_, "\n", at);
      leaf.copy(out_, at, next);
      cursor_ = {0, cursor_.after_space, true};
      in_breaks = true;
      at = next;
      continue;
    }
    if (in_breaks) start_line(indent);
    in_breaks = false;
    const bool foldable =
        character.code == ' ' && at != 0 && next != text.size() && text[at - 1] != ' ' && text[next] != ' ';
    if (foldable && may_fold && line_is_full()) {
      start_line(indent);
    } else {
      if (character.code == '\'') leaf.replace(out_, "'", at), ++cursor_.column;
      leaf.copy(out_, at, next);
      ++cursor_.column;
    }
    cursor_.after_indent = false;
    at = next;
  }
  if (in_breaks) start_line(indent);
  indicator("'", false);
}

void YamlWriter::double_quoted(const Value& value, std::int64_t indent, bool may_fold) {
  const MappedLeaf leaf(value, maker_);
  const std::string_view text = value.text();
  indicator("\"", true);
  bool after_space = false;
  for (std::uint32_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    const char32_t c = character.code;
    const std::uint32_t next = at + character.size;
    const bool escaped =
        !yaml::is_printable(c) || yaml::is_break(c) || c == '"' || c == '\\' || (c > 0x7f && !style_.allow_unicode);
    if (escaped) {
      escape(leaf, character, at);
    } else if (c == ' ' && may_fold && !after_space && line_is_full() && at != 0 && next != text.size()) {
      start_line(indent);
      if (text[next] == ' ') structure("\\");
    } else {
      leaf.copy(out_, at, next);
      ++cursor_.column;
    }
    after_space = c == ' ';
    at = next;
  }
  indicator("\"", false);
}

void YamlWriter::escape(const MappedLeaf& leaf, Character character, std::uint32_t offset) {
  constexpr std::string_view kNames = "0abtnvfre\"\\N_LP";
  constexpr std::u32string_view kNamed(U"\0\a\b\t\n\v\f\r\x1b\"\\\x85\xa0\x2028\x2029", kNames.size());
  const std::size_t named = kNamed.find(character.code);
  const auto code = static_cast<std::uint32_t>(character.code);
  std::string bytes;
  if (named != std::u32string_view::npos) bytes = std::string("\\") + kNames[named];
  else if (code <= 0xff) bytes = fmt::format("\\x{:02X}", code);
  else bytes = code <= 0xffff ? fmt::format("\\u{:04X}", code) : fmt::format("\\U{:08X}", code);
  leaf.replace(out_, bytes, offset);
  cursor_.column += static_cast<std::int64_t>(bytes.size());
}

}  // namespace

EmitStatus write_yaml(const Value& value, const YamlStyle& style, const Segment& maker, const Limits& limits,
                      MappedText& out) {
  return YamlWriter(style, maker, limits, out).document(value);
}

Value misread_by_go(const Value& value, std::uint32_t depth) {
  if (value.is(Kind::String)) {
    const bool plain = yaml::python_tag(value.text()) == yaml::PythonTag::String;
    return plain && is_no_text_to_go(value.text()) ? value : Value::null();
  }
  if (depth == 0 || (!value.is(Kind::List) && !value.is(Kind::Map))) return Value::null();
  Value found;
  const auto look = [&](const Value& part) {
    if (found.is(Kind::Null)) found = misread_by_go(part, depth - 1);
  };
  if (value.is(Kind::List)) {
    for (const Value& item : value.items()) look(item);
  } else {
    for (const Entry& entry : value.entries()) look(entry.key), look(entry.value);
  }
  return found;
}

}  // namespace capwright
