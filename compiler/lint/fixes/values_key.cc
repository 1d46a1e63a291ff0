// Keys come from the catalogue by the field's path; of a default, from the values that hold it.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <span>

#include "lint/facts/catalogue.h"
#include "lint/fixes/source_fix.h"

namespace capwright::lint {
namespace {

struct KnownField {
  std::string key;
  std::string advice;
};

// By kind, a space, and the path; after the code of a rule and a space where it is of that rule alone.
using KnownFields = std::map<std::string, KnownField, std::less<>>;

// "a.b: 1" as it has to be written: "`a: {b: 1}`". A key of a pool doesn't say which.
std::string nested(std::string_view line) {
  constexpr std::string_view kPool = "worker_pools[].";
  if (line.starts_with(kPool)) return nested(line.substr(kPool.size())) + " in the pool";
  const std::size_t colon = line.find(": ");
  std::string text, closing;
  for (const char c : line.substr(0, colon)) {
    if (c == '.') closing += '}';
    text += c == '.' ? ": {" : std::string(1, c);
  }
  return fmt::format("`{}{}{}`", text, line.substr(colon), closing);
}

KnownFields read_fields() {
  KnownFields fields;
  for (const Value& entry : fact(value_key_facts(), "fields").items()) {
    KnownField field;
    if (const Value* key = entry.find("key")) field.key = key->text();
    const Value* lines = entry.find("set");
    for (const Value& line : lines == nullptr ? std::span<const Value>() : lines->items()) {
      if (field.key.empty()) field.key = line.text().substr(0, line.text().find(':'));
      field.advice += fmt::format("{} {}", field.advice.empty() ? "set" : ", or", nested(line.text()));
    }
    if (const Value* help = entry.find("help")) field.advice = help->text();
    const Value* rule = entry.find("rule");
    const std::string code = rule == nullptr ? "" : fmt::format("{} ", rule->text());
    for (const Value& at : fact(entry, "at").items())
      fields.emplace(fmt::format("{}{} {}", code, fact(entry, "kind").text(), at.text()), field);
  }
  return fields;
}

// The path with `[]` for any index.
std::string general(std::string_view path) {
  std::string text;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool is_index = i != 0 && text.back() == '[' && path[i] >= '0' && path[i] <= '9';
    if (!is_index) text += path[i];
  }
  return text;
}

const KnownField* known_field(const Place& place, std::string_view code) {
  static const KnownFields fields = read_fields();
  if (place.object == nullptr) return nullptr;
  const std::string field = fmt::format("{} {}", place.object->kind(), general(place.path));
  auto known = fields.find(fmt::format("{} {}", code, field));
  if (known == fields.end()) known = fields.find(field);
  return known == fields.end() ? nullptr : &known->second;
}

// The path of the value that a default at `where` gave; empty when there is none.
std::string path_of_default(const Value& values, Span where, const OriginTable& origins, const std::string& above) {
  if (!values.is(Kind::Map)) return {};
  for (const Entry& entry : values.entries()) {
    const std::string path =
        above.empty() ? std::string(entry.key.text()) : fmt::format("{}.{}", above, entry.key.text());
    const Origin& origin = origins[entry.value.origin()];
    const bool is_default = origin.kind == Origin::Kind::SchemaDefault && origin.span.file == where.file;
    if (is_default && origin.span.begin == where.begin && !entry.value.is(Kind::Map)) return path;
    if (std::string below = path_of_default(entry.value, where, origins, path); !below.empty()) return below;
  }
  return {};
}

// Written by the user; unknown for a default.
Span written_at(const Value& value, const OriginTable& origins) {
  for (const OriginId leaf : origins.leaves(value.origin())) {
    const Origin& origin = origins[leaf];
    if (origin.kind == Origin::Kind::Input && origin.span.known() && !SourceSet::is_shared(origin.span.file))
      return origin.span;
  }
  return {};
}

// Sets where the key is, or the nearest place above. Every cluster says its provider.
void find_place(const Value& values, const OriginTable& origins, ValuesKey& found) {
  if (const Value* provider = values.find("provider")) found.where = written_at(*provider, origins);
  const Value* value = &values;
  std::string_view rest = found.key;
  while (!rest.empty()) {
    value = value->is(Kind::Map) ? value->find(rest.substr(0, rest.find('.'))) : nullptr;
    if (value == nullptr) return;
    const Span written = written_at(*value, origins);
    rest = rest.find('.') == std::string_view::npos ? std::string_view() : rest.substr(rest.find('.') + 1);
    if (!written.known()) continue;
    found.where = written;
    found.is_written = rest.empty();
  }
}

}  // namespace

ValuesKey values_key_of(const Place& place, Span maker, std::string_view code) {
  ValuesKey found;
  const CompiledCluster* compiled = place.cluster->compiled();
  if (compiled == nullptr) return found;
  if (const KnownField* field = known_field(place, code)) {
    found.key = field->key;
    found.advice = field->advice;
  } else {
    found.key = path_of_default(compiled->values, maker, compiled->origins, {});
  }
  if (!found.key.empty()) find_place(compiled->values, compiled->origins, found);
  return found;
}

}  // namespace capwright::lint
