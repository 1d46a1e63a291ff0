// https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/#variables
#include "lint/own/inputs.h"
#include "lint/own/run.h"

namespace capwright::lint::own {
namespace {

using Texts = std::initializer_list<std::pair<std::string_view, std::string_view>>;

Entry entry(std::string_view key, const Value& value, Arena& arena) { return {make_key(arena, key), value}; }

std::vector<Entry> entries_of(const Texts& texts, Arena& arena) {
  std::vector<Entry> entries;
  for (const auto& [key, text] : texts) entries.push_back(entry(key, make_string(arena, text), arena));
  return entries;
}

Value map_of(const Texts& texts, Arena& arena) { return make_map(arena, entries_of(texts, arena)); }

// A user without name, groups and other attributes of an authenticator.
Value nobody(Arena& arena) {
  std::vector<Entry> entries = entries_of({{"username", ""}, {"uid", ""}}, arena);
  entries.push_back(entry("groups", make_list(arena, {}), arena));
  entries.push_back(entry("extra", make_map(arena, {}), arena));
  return make_map(arena, entries);
}

}  // namespace

Value creation_of(const Object& object, Arena& arena) {
  const std::string resource_name = resource_of(object);
  const Value kind = map_of({{"group", object.group()}, {"version", object.version()}, {"kind", object.kind()}}, arena);
  const Value resource =
      map_of({{"group", object.group()}, {"version", object.version()}, {"resource", resource_name}}, arena);
  std::vector<Entry> entries = entries_of({{"uid", ""},
                                           {"subResource", ""},
                                           {"requestSubResource", ""},
                                           {"name", object.name()},
                                           {"namespace", object.space()},
                                           {"operation", "CREATE"}},
                                          arena);
  for (const std::string_view key : {"kind", "requestKind"}) entries.push_back(entry(key, kind, arena));
  for (const std::string_view key : {"resource", "requestResource"}) entries.push_back(entry(key, resource, arena));
  entries.push_back(entry("userInfo", nobody(arena), arena));
  entries.push_back(entry("dryRun", Value::boolean(false), arena));
  return make_map(arena, entries);
}

Value namespace_of(const Object& object, Arena& arena) {
  const Object* space = object.space().empty() ? nullptr : object.cluster().find("", "Namespace", "", object.space());
  return space == nullptr ? Value::null() : visible(*space, arena);
}

}  // namespace capwright::lint::own
