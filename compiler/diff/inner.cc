// Parses texts as clients of the API server do.
#include "diff/inner.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "rotation/naming.h"
#include "secrets/manifest_text.h"

namespace capwright::diff {
namespace {

// Has several lines or brackets, and isn't a script.
bool may_hold_data(std::string_view text) {
  if (text.starts_with("#!")) return false;
  return text.starts_with('{') || text.starts_with('[') || text.find('\n') != std::string_view::npos;
}

std::string name_of(const Value& document, std::size_t number) {
  const auto kind = rotation::string_at(document, "kind");
  const Value* metadata = document.find("metadata");
  const auto name = metadata != nullptr ? rotation::string_at(*metadata, "name") : std::nullopt;
  if (!kind || !name) return std::to_string(number);
  const auto space = rotation::string_at(*metadata, "namespace");
  return std::string(*kind) + "/" + (space ? std::string(*space) + "/" : "") + std::string(*name);
}

bool mentions_secret(std::string_view text) {
  return text.find("kind") != std::string_view::npos && text.find("Secret") != std::string_view::npos;
}

bool has_secret_object(const Value& value, Side& side) {
  if (value.is(Kind::String)) {
    if (!mentions_secret(value.text())) return false;
    const std::vector<Value> documents = documents_in(value, side);
    const auto has = [&](const Value& document) { return has_secret_object(document, side); };
    return documents.empty() || std::any_of(documents.begin(), documents.end(), has);
  }
  if (value.is(Kind::List)) {
    const auto items = value.items();
    return std::any_of(items.begin(), items.end(), [&](const Value& item) { return has_secret_object(item, side); });
  }
  if (!value.is(Kind::Map)) return false;
  const auto entries = value.entries();
  return is_secret_object(value) || std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
           return has_secret_object(entry.value, side);
         });
}

}  // namespace

std::vector<Value> documents_in(const Value& text, Side& side) {
  if (!may_hold_data(text.text())) return {};
  const Stage stage = side.stage();
  const std::size_t errors = stage.sink.error_count();
  Stage reading = stage;
  std::vector<Value> values;
  for (const YamlDocument& document :
       read_yaml_documents_inside(text, reading, {ScalarRules::Kubernetes, TextSyntax::Yaml})) {
    if (document.value.is(Kind::Null)) continue;
    if (!document.value.is(Kind::Map) && !document.value.is(Kind::List)) return {};
    values.push_back(document.value);
  }
  return stage.sink.error_count() == errors ? values : std::vector<Value>();
}

std::vector<std::string> names_of(const std::vector<Value>& documents) {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::size_t> seen;
  for (const Value& document : documents) {
    std::string name = name_of(document, names.size());
    const std::size_t count = ++seen[name];
    if (count > 1) name += "#" + std::to_string(count);
    names.push_back(std::move(name));
  }
  return names;
}

bool is_secret_object(const Value& value) {
  const auto has = [&](std::string_view key) { return value.find(key) != nullptr; };
  if (has("stringData")) return true;  // no other kind has this field
  const auto kind = rotation::string_at(value, "kind");
  if (!kind || !secrets::means_secret(*kind)) return false;
  const auto version = rotation::string_at(value, "apiVersion");
  const bool is_core = !version || rotation::group_of(*version).empty();
  return is_core && (has("data") || has("metadata"));
}

bool is_list_of_secrets(const Value& value) { return rotation::string_at(value, "kind") == "SecretList"; }

bool holds_secret(const Value& value, Side& side) {
  return side.is_secret(side.span(value)) || has_secret_object(value, side);
}

}  // namespace capwright::diff
