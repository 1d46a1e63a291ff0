// Accessors for manifests, and the digest.
#include "rotation/naming.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/sha.h"

namespace capwright::rotation {

std::string name_suffix(std::string_view canonical_spec, std::uint32_t attempt) {
  const Sha256 digest = attempt == 0 ? sha256(canonical_spec) : sha256(fmt::format("{}\n{}", canonical_spec, attempt));
  return "-" + to_hex(digest).substr(0, kSuffix - 1);
}

bool is_named_after(std::string_view name, std::string_view canonical_spec) {
  std::uint32_t attempt = 0;
  while (attempt < kDigestAttempts && !name.ends_with(name_suffix(canonical_spec, attempt))) ++attempt;
  return attempt < kDigestAttempts;
}

std::string object_key(std::string_view kind, std::string_view group, std::string_view name) {
  return fmt::format("{}\n{}\n{}", kind, group, name);
}

std::string_view base_of(std::string_view name) { return name.substr(0, name.size() - std::min(name.size(), kSuffix)); }

std::string_view rendered_name(const Value& existing, std::string_view kind, std::string_view name) {
  if (!existing.is(Kind::List)) return name;
  for (const Value& entry : existing.items()) {
    if (entry.text_at("kind") == kind && entry.text_at("existing") == name) return entry.text_at("name");
  }
  return name;
}

std::string_view rotated_base(const Value& manifest, std::string_view name) {
  if (name.size() <= kSuffix || named_spec(manifest) == nullptr) return {};
  const std::string_view suffix = name.substr(name.size() - kSuffix);
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (suffix[0] != '-' || !std::all_of(suffix.begin() + 1, suffix.end(), is_digit)) return {};
  return base_of(name);
}

const Value* template_spec(const Value& manifest) {
  const Value* value = &manifest;
  for (const std::string_view key : {"spec", "template", "spec"}) {
    value = value->is(Kind::Map) ? value->find(key) : nullptr;
    if (value == nullptr) return nullptr;
  }
  return value;
}

const Value* named_spec(const Value& manifest) {
  if (!manifest.is(Kind::Map) || string_at(manifest, "kind") != kClusterClass) return template_spec(manifest);
  return map_at(manifest, "spec");
}

std::optional<std::string_view> string_at(const Value& map, std::string_view key) {
  const Value* value = map.is(Kind::Map) ? map.find(key) : nullptr;
  if (value == nullptr || !value->is(Kind::String)) return std::nullopt;
  return value->text();
}

const Value* map_at(const Value& map, std::string_view key) {
  const Value* value = map.find(key);
  return value != nullptr && value->is(Kind::Map) ? value : nullptr;
}

std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

}  // namespace capwright::rotation
