// Identity is taken from the document itself, as kubectl does.
#include "patch/identity.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <vector>

namespace capwright::patch {
namespace {

constexpr std::string_view kApiVersion = "apiVersion", kKind = "kind", kMetadata = "metadata";
constexpr std::string_view kName = "name", kNamespace = "namespace";

const Value* find_in(const Value& value, std::string_view key) {
  return value.is(Kind::Map) ? value.find(key) : nullptr;
}

// The entries of `from` with these keys, then the others of `to`.
Value with_entries(const Value& from, std::initializer_list<std::string_view> keys, const Value& to, Arena& arena) {
  std::vector<Entry> entries;
  const auto is_named = [&](const Value& key) { return std::find(keys.begin(), keys.end(), key.text()) != keys.end(); };
  if (from.is(Kind::Map)) {
    for (const Entry& entry : from.entries()) {
      if (is_named(entry.key)) entries.push_back(entry);
    }
  }
  if (to.is(Kind::Map)) {
    for (const Entry& entry : to.entries()) {
      if (!is_named(entry.key)) entries.push_back(entry);
    }
  }
  return make_map(arena, entries).with_origin(from.origin());
}

}  // namespace

std::string_view ObjectId::group() const {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

std::string_view ObjectId::version() const {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? api_version : api_version.substr(slash + 1);
}

std::string ObjectId::shown() const { return fmt::format("{} `{}`", kind, name); }

std::optional<ObjectId> id_of(const Value& document) {
  if (!document.is(Kind::Map)) return std::nullopt;
  ObjectId id{document.text_at(kApiVersion), document.text_at(kKind), {}, {}};
  if (id.api_version.empty() || id.kind.empty()) return std::nullopt;
  if (const Value* metadata = find_in(document, kMetadata); metadata != nullptr && metadata->is(Kind::Map)) {
    id.name = metadata->text_at(kName);
    id.space = metadata->text_at(kNamespace);
  }
  return id;
}

Value with_identity_of(const Value& original, const Value& result, Arena& arena) {
  if (id_of(original) == id_of(result)) return result;
  const Value whole = with_entries(original, {kApiVersion, kKind}, result, arena);
  const Value* metadata = find_in(original, kMetadata);
  if (metadata == nullptr) return whole;
  const Value* changed = find_in(result, kMetadata);
  const Value kept = with_entries(*metadata, {kName, kNamespace}, changed == nullptr ? Value() : *changed, arena);
  std::vector<Entry> entries;
  for (const Entry& entry : whole.entries()) {
    if (entry.key.text() != kMetadata) entries.push_back(entry);
  }
  entries.push_back({make_key(arena, kMetadata), kept});
  return make_map(arena, entries).with_origin(original.origin());
}

}  // namespace capwright::patch
