// Finds equal subschemas from the leaves up: a part's key is its text with the numbers of its children.
#include "crd/schema_text.h"

#include <algorithm>

#include "yaml/write.h"

namespace capwright::crd {
namespace {

// The keywords that the server validates with, in the order of the digest.
constexpr std::string_view kKeywords[] = {
    "type",
    "format",
    "nullable",
    "enum",
    "default",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "required",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-map-type",
    "x-kubernetes-validations",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "items",
    "additionalProperties",
    "properties",
};

bool is_schema_keyword(std::string_view keyword) {
  return keyword == "items" || keyword == "additionalProperties" || keyword == "not";
}
bool is_list_keyword(std::string_view keyword) {
  return keyword == "allOf" || keyword == "anyOf" || keyword == "oneOf";
}

std::string sorted_names(const Value& names) {
  std::vector<std::string> written;
  for (const Value& name : names.items()) written.push_back(canonical_json(name));
  std::sort(written.begin(), written.end());
  std::string text = "[";
  for (const std::string& name : written) text += (text.size() > 1 ? "," : "") + name;
  return text + "]";
}

std::string plain_text(std::string_view keyword, const Value& value) {
  if (keyword == "required" && value.is(Kind::List)) return sorted_names(value);
  return canonical_json(value);
}

std::string quoted(std::string_view name) {
  Arena arena;
  return canonical_json(make_string(arena, name));
}

}  // namespace

std::uint32_t SchemaText::add(const Value& schema, std::string_view hint) {
  std::vector<Piece> pieces(1, {"{"});
  for (const std::string_view keyword : kKeywords) {
    const Value* value = schema.find(keyword);
    if (value == nullptr || (value->is(Kind::Bool) && !value->as_bool() && keyword != "default")) continue;
    if (pieces.back().text != "{") pieces.push_back({","});
    add_keyword(keyword, *value, hint, pieces);
  }
  pieces.push_back({"}"});
  return intern(std::move(pieces), hint);
}

void SchemaText::add_keyword(std::string_view keyword, const Value& value, std::string_view hint,
                             std::vector<Piece>& pieces) {
  pieces.push_back({"\"" + std::string(keyword) + "\":"});
  if (is_schema_keyword(keyword) && value.is(Kind::Map)) pieces.back().child = add(value, hint);
  else if (is_list_keyword(keyword) && value.is(Kind::List)) add_list(value, hint, pieces);
  else if (keyword == "properties" && value.is(Kind::Map)) add_properties(value, pieces);
  else pieces.back().text += plain_text(keyword, value);
}

void SchemaText::add_list(const Value& schemas, std::string_view hint, std::vector<Piece>& pieces) {
  pieces.push_back({"["});
  for (const Value& schema : schemas.items()) {
    if (&schema != schemas.items().data()) pieces.push_back({","});
    pieces.push_back({"", add(schema, hint)});
  }
  pieces.push_back({"]"});
}

void SchemaText::add_properties(const Value& properties, std::vector<Piece>& pieces) {
  std::vector<const Entry*> sorted;
  for (const Entry& entry : properties.entries()) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->key.text() < b->key.text(); });
  pieces.push_back({"{"});
  for (const Entry* entry : sorted) {
    if (entry != sorted.front()) pieces.push_back({","});
    const std::string_view name = entry->key.text();
    pieces.push_back({quoted(name) + ":", add(entry->value, name), true});
  }
  pieces.push_back({"}"});
}

std::uint32_t SchemaText::intern(std::vector<Piece> pieces, std::string_view hint) {
  std::string key;
  for (const Piece& piece : pieces) {
    key += piece.text;
    if (piece.child != kNoChild) key += "\x01" + std::to_string(piece.child) + "\x01";
  }
  const auto [known, is_new] = numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(parts_.size()));
  if (!is_new) return known->second;
  Part part;
  part.pieces = std::move(pieces);
  part.hint = hint;
  for (const Piece& piece : part.pieces) {
    part.size += piece.text.size();
    if (piece.child == kNoChild) continue;
    part.size += parts_[piece.child].size;
    ++parts_[piece.child].uses;
  }
  parts_.push_back(std::move(part));
  return known->second;
}

// Children come before their parents, so that a reference only ever points back.
void SchemaText::name_definitions(std::uint32_t number, std::map<std::string, int, std::less<>>& names,
                                  std::vector<bool>& seen, std::vector<std::uint32_t>& definitions) {
  if (seen[number]) return;
  seen[number] = true;
  for (const Piece& piece : parts_[number].pieces) {
    if (piece.child != kNoChild) name_definitions(piece.child, names, seen, definitions);
  }
  Part& part = parts_[number];
  if (part.uses < 2 || part.size < kLeastDefinition) return;
  const std::string base(part.hint);
  part.name = base;
  while (names.contains(part.name)) part.name = base + "-" + std::to_string(++names[base]);
  names[part.name] = 1;
  definitions.push_back(number);
}

void SchemaText::write(std::uint32_t number, std::size_t depth, std::string& out) const {
  for (const Piece& piece : parts_[number].pieces) {
    if (piece.new_line) out += "\n" + std::string(depth + 1, ' ');
    out += piece.text;
    if (piece.child != kNoChild) write_reference(piece.child, depth + (piece.new_line ? 1 : 0), out);
  }
}

void SchemaText::write_reference(std::uint32_t number, std::size_t depth, std::string& out) const {
  const Part& part = parts_[number];
  if (part.name.empty()) write(number, depth, out);
  else out += "{\"$ref\":" + quoted(part.name) + "}";
}

std::string SchemaText::text() {
  std::map<std::string, int, std::less<>> names;
  std::vector<bool> seen(parts_.size());
  std::vector<std::uint32_t> definitions;
  name_definitions(root_, names, seen, definitions);
  std::string out;
  for (const std::uint32_t number : definitions) {
    out += out.empty() ? "\"definitions\":{\n " : ",\n ";
    out += quoted(parts_[number].name) + ":";
    write(number, 1, out);
  }
  if (!out.empty()) out += "},\n";
  out += "\"schema\":";
  write(root_, 0, out);
  return out;
}

}  // namespace capwright::crd
