// Short and exact: shows a value as written if that says more than its type.
#include "schema/words.h"

#include <fmt/format.h>
#include <vector>

#include "schema/reach.h"
#include "text/python_text.h"
#include "text/utf8.h"

namespace capwright::schema {
namespace {

constexpr std::size_t kMostShown = 60;  // characters of a value in a message

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else out += c;
  }
  return out;
}

std::string shortened(std::string_view text) {
  const std::string shown = escaped(text);
  const std::string_view cut = utf8::slice(shown, 0, kMostShown);
  return cut.size() == shown.size() ? shown : std::string(cut) + "…";
}

// A number as in the source: `1.30`, not 1.3.
std::string written(const Value& number, const Stage& stage) {
  if (number.style() == ScalarStyle::Plain && number.origin() != OriginId::None) {
    const Origin& origin = stage.origins[number.origin()];
    if (origin.kind == Origin::Kind::Input && origin.span.size() <= kMostShown)
      return std::string(stage.sources.text(origin.span));
  }
  return number.is(Kind::Int) ? std::to_string(number.as_int()) : python::float_repr(number.as_float());
}

void append_json(std::string& out, const Value& value) {
  if (out.size() > 4 * kMostShown) return;  // the rest is cut off anyway
  switch (value.kind()) {
    case Kind::Null: out += "null"; return;
    case Kind::Bool: out += value.as_bool() ? "true" : "false"; return;
    case Kind::Int: out += std::to_string(value.as_int()); return;
    case Kind::Float: out += python::float_repr(value.as_float()); return;
    case Kind::String: out.append("\"").append(value.text()).append("\""); return;
    case Kind::List:
      out += '[';
      for (const Value& item : value.items()) {
        if (&item != value.items().data()) out += ", ";
        append_json(out, item);
      }
      out += ']';
      return;
    case Kind::Map:
      out += '{';
      for (const Entry& entry : value.entries()) {
        if (&entry != value.entries().data()) out += ", ";
        append_json(out, entry.key);
        out += ": ";
        append_json(out, entry.value);
      }
      out += '}';
      return;
    default: out += kind_name(value.kind());
  }
}

std::string number_words(const Node& node) {
  std::string words = type_words(node.types);
  if (node.numbers == nullptr) return words;
  const NumberRules& rules = *node.numbers;
  const auto text = [](const Value& number) {
    std::string shown;
    append_json(shown, number);
    return shown;
  };
  if (!rules.minimum.is(Kind::Null) && !rules.maximum.is(Kind::Null)) {
    return fmt::format("{} from {} to {}", words, text(rules.minimum), text(rules.maximum));
  }
  if (!rules.minimum.is(Kind::Null)) return fmt::format("{} of {} or more", words, text(rules.minimum));
  if (!rules.maximum.is(Kind::Null)) return fmt::format("{} up to {}", words, text(rules.maximum));
  return words;
}

}  // namespace

std::string a_kind(const Value& value) {
  if (value.is(Kind::Null)) return "null";
  return (value.is(Kind::Int) ? "an " : "a ") + std::string(kind_name(value.kind()));
}

std::string shown(const Value& value, bool secret, const Stage& stage) {
  if (secret || value.tainted()) return a_kind(value) + " (a secret, not shown)";
  switch (value.kind()) {
    case Kind::Null: return "empty (null)";
    case Kind::Bool: return fmt::format("the boolean `{}`", value.as_bool());
    case Kind::Int: return fmt::format("the integer `{}`", written(value, stage));
    case Kind::Float: return fmt::format("the number `{}`", written(value, stage));
    case Kind::String:
      return value.text().empty() ? "an empty string" : fmt::format("the string `{}`", shortened(value.text()));
    case Kind::List: return value.items().empty() ? "an empty list" : "a list";
    case Kind::Map: return value.entries().empty() ? "an empty map" : "a map";
    default: return a_kind(value);
  }
}

std::string quoted(const Value& value) {
  std::string text;
  if (value.is(Kind::String)) text = value.text();
  else append_json(text, value);
  return text.empty() ? "an empty string" : "`" + shortened(text) + "`";
}

std::string type_words(TypeSet types) {
  if (types == kAnyType) return "a value";
  struct Word {
    TypeSet types;
    std::string_view text;
  };
  constexpr Word kWords[] = {
      {kString, "a string"},           {kNumber, "a number"}, {kInteger, "an integer"}, {kFraction, "a number"},
      {kBoolean, "`true` or `false`"}, {kArray, "a list"},    {kObject, "a map"},       {kNull, "null"}};
  std::vector<std::string_view> words;
  for (const Word& word : kWords) {
    if ((types & word.types) != word.types) continue;
    words.push_back(word.text);
    types &= static_cast<TypeSet>(~word.types);
  }
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text.empty() ? "nothing" : text;
}

std::string choices(std::span<const Value> candidates) {
  constexpr std::size_t kMost = 12;
  std::string text;
  for (std::size_t i = 0; i < candidates.size() && i < kMost; ++i) {
    if (i > 0) text += i + 1 == candidates.size() ? " or " : ", ";
    text += quoted(candidates[i]);
  }
  if (candidates.size() > kMost) text += fmt::format(" or one of {} more", candidates.size() - kMost);
  return text.empty() ? "nothing" : text;
}

std::string expectation(const Node& node) {
  std::vector<const Node*> nodes;
  add_certain(nodes, node);
  for (const Node* at : nodes) {
    if (at->notes != nullptr && !at->notes->expected.empty()) return std::string(at->notes->expected);
  }
  for (const Node* at : nodes) {
    if (at->has_candidates) return choices(at->candidates);
    if (at->strings != nullptr && at->strings->format != Format::None) {
      return std::string(format_expectation(at->strings->format));
    }
    if (at->strings != nullptr && at->strings->pattern != nullptr) {
      return fmt::format("text that matches `{}`", at->strings->pattern_text);
    }
    if (at->types != kAnyType) return number_words(*at);
  }
  return {};
}

}  // namespace capwright::schema
