// Small readers of manifests, and the digest.
#include "rotation/naming.h"

#include <algorithm>

#include "base/sha256.h"
#include "yaml/write.h"

namespace capwright::rotation {

std::string name_suffix(const Value& template_spec) {
  return "-" + to_hex(sha256(canonical_json(template_spec))).substr(0, kSuffix - 1);
}

std::string_view base_of(std::string_view name) { return name.substr(0, name.size() - std::min(name.size(), kSuffix)); }

const Value* template_spec(const Value& manifest) {
  const Value* value = &manifest;
  for (const std::string_view key : {"spec", "template", "spec"}) {
    value = value->is(Kind::Map) ? value->find(key) : nullptr;
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::optional<std::string_view> string_at(const Value& map, std::string_view key) {
  const Value* value = map.is(Kind::Map) ? map.find(key) : nullptr;
  if (value == nullptr || !value->is(Kind::String)) return std::nullopt;
  return value->text();
}

std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

}  // namespace capwright::rotation
