// A strategic merge has the field's own path; an operation of JSON 6902 has a pointer.
#include "patch/patch_places.h"

#include <algorithm>
#include <string_view>

#include "patch/patch_forms.h"

namespace capwright::patch {
namespace {

// Whether a key of an operation names the pointer, which ends in `/`, or what is around it.
bool names(const Value& operation, std::string_view key, std::string_view pointer) {
  const Value* at = operation.is(Kind::Map) ? operation.find(key) : nullptr;
  return at != nullptr && at->is(Kind::String) && pointer.starts_with(std::string(at->text()) + "/");
}

// The last operation at a path or around it.
Span place_in_operations(const Value& operations, std::span<const std::string> path, const Stage& stage) {
  const std::string pointer = json_pointer(path) + "/";
  Span found;
  for (const Value& operation : operations.items()) {
    if (names(operation, "path", pointer) && operation.text_at("op") != "test")
      found = place_of(*operation.find("path"), stage);
    if (names(operation, "from", pointer) && operation.text_at("op") == "move")
      found = place_of(*operation.find("from"), stage);
  }
  return found;
}

const Entry* entry_at(const Value& map, std::string_view key) {
  const auto entries = map.is(Kind::Map) ? map.entries() : std::span<const Entry>();
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key.text() == key; });
  return entry == entries.end() ? nullptr : &*entry;
}

}  // namespace

std::string json_pointer(std::span<const std::string> path) {
  std::string pointer;
  for (const std::string& step : path) {
    pointer += '/';
    for (const char c : step) {
      if (c == '~') pointer += "~0";
      else if (c == '/') pointer += "~1";
      else pointer += c;
    }
  }
  return pointer;
}

PlaceInPatch place_in_patch(const Value& content, std::span<const std::string> path, const Stage& stage) {
  PlaceInPatch place;
  if (content.is(Kind::List)) {
    place.where = place_in_operations(content, path, stage);
    return place;
  }
  const Value* at = &content;
  for (; place.steps < path.size(); ++place.steps) {  // up to the last key on the way
    const Entry* entry = entry_at(*at, path[place.steps]);
    if (entry == nullptr) break;
    place.where = place_of(entry->key, stage);
    at = &entry->value;
  }
  return place;
}

bool writes_list(const Value& content, std::span<const std::string> path) {
  if (content.is(Kind::List)) {
    const std::string pointer = json_pointer(path) + "/";
    return std::ranges::any_of(content.items(), [&](const Value& operation) {
      const std::string_view op = operation.is(Kind::Map) ? operation.text_at("op") : "";
      return (op == "add" || op == "replace") && names(operation, "path", pointer);
    });
  }
  const Value* at = &content;
  for (const std::string& step : path) {
    const Entry* entry = entry_at(*at, step);
    if (entry == nullptr) return false;
    at = &entry->value;
  }
  return at->is(Kind::List);
}

}  // namespace capwright::patch
