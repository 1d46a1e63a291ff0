// Parses the file again with separate sources, like secret_leaves.cc.
#include "secrets/sealed_secret.h"

#include <algorithm>
#include <utility>

#include "text/base64.h"
#include "yaml/read.h"

namespace capwright::secrets {
namespace {

constexpr std::string_view kGroup = "bitnami.com/";
constexpr std::string_view kScopeAnnotations = "sealedsecrets.bitnami.com/";

std::string_view text_at(const Value* map, std::string_view key) {
  const Value* value = map != nullptr && map->is(Kind::Map) ? map->find(key) : nullptr;
  return value != nullptr && value->is(Kind::String) ? value->text() : std::string_view();
}

const Value* map_at(const Value* map, std::string_view key) {
  const Value* value = map != nullptr && map->is(Kind::Map) ? map->find(key) : nullptr;
  return value != nullptr && value->is(Kind::Map) ? value : nullptr;
}

std::string scope_of(const Value* metadata) {
  const Value* annotations = map_at(metadata, "annotations");
  for (const char* scope : {"cluster-wide", "namespace-wide"}) {
    if (text_at(annotations, std::string(kScopeAnnotations) + scope) == "true") return scope;
  }
  return "strict";
}

// Six bits of base64; empty for another character.
std::optional<std::uint32_t> bits_of(char c) {
  const std::size_t at = kBase64.find(c);
  return at == std::string_view::npos ? std::nullopt : std::optional(static_cast<std::uint32_t>(at));
}

}  // namespace

const SealedItem* SealedSecret::find(std::string_view key) const {
  const auto found = std::find_if(items.begin(), items.end(), [&](const SealedItem& item) { return item.key == key; });
  return found == items.end() ? nullptr : &*found;
}

bool is_sealed_secret(const Value& document) {
  return document.is(Kind::Map) && text_at(&document, "kind") == "SealedSecret" &&
         text_at(&document, "apiVersion").starts_with(kGroup);
}

std::vector<SealedSecret> find_sealed_secrets(std::string_view path, std::string_view text, const Limits& limits) {
  if (text.find("SealedSecret") == std::string_view::npos) return {};
  OwnStage own(limits);  // its errors are dropped: all rendered YAML is checked elsewhere
  const FileId file = own.sources.add(std::string(path), std::string(text));
  std::vector<SealedSecret> found;
  for (const YamlDocument& document : read_yaml_documents(file, own.stage, {ScalarRules::Kubernetes})) {
    if (!is_sealed_secret(document.value)) continue;
    const Value* metadata = map_at(&document.value, "metadata");
    SealedSecret& sealed = found.emplace_back();
    sealed.name = text_at(metadata, "name");
    sealed.namespace_name = text_at(metadata, "namespace");
    sealed.scope = scope_of(metadata);
    const Value* data = map_at(map_at(&document.value, "spec"), "encryptedData");
    if (data == nullptr) continue;
    for (const Entry& entry : data->entries()) {
      const Span key = own.origins[entry.key.origin()].span, value = own.origins[entry.value.origin()].span;
      const bool is_text = entry.value.is(Kind::String);
      sealed.items.push_back({std::string(entry.key.text()),
                              std::string(is_text ? entry.value.text() : text.substr(value.begin, value.size())),
                              key.end, std::max(key.end, value.end)});
    }
  }
  return own.sink.failed() ? std::vector<SealedSecret>() : found;
}

std::optional<std::size_t> sealed_size(std::string_view cipher_text) {
  constexpr std::size_t kLengthBytes = 2, kTag = 16, kShortestKey = 128;  // RSA of 1024 bits
  std::size_t size = cipher_text.size() / 4 * 3;
  std::string_view digits = cipher_text;
  for (int padding = 0; padding < 2 && digits.ends_with('='); ++padding, --size) digits.remove_suffix(1);
  const bool is_base64 = !digits.empty() && cipher_text.size() % 4 == 0 &&
                         std::all_of(digits.begin(), digits.end(), [](char c) { return bits_of(c).has_value(); });
  if (!is_base64 || size < kLengthBytes + kShortestKey + kTag) return std::nullopt;
  const std::uint32_t first = *bits_of(digits[0]) << 18 | *bits_of(digits[1]) << 12 | *bits_of(digits[2]) << 6;
  const std::size_t key = first >> 8;
  if (key < kShortestKey || kLengthBytes + key + kTag > size) return std::nullopt;
  return size - kLengthBytes - key - kTag;
}

}  // namespace capwright::secrets
