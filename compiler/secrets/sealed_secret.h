// SealedSecrets of the Sealed Secrets controller in a rendered text: the places of their values, and whether these are
// sealed. Only the controller can open one, so its content can't be compared.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/limits.h"
#include "value/value.h"

namespace capwright::secrets {

// A value of `spec.encryptedData`. Until it is sealed, a placeholder or the secret's plain text.
struct SealedItem {
  std::string key;
  std::string text;
  // In the file: from the end of the key to the end of the value.
  std::uint32_t begin = 0, end = 0;
};

struct SealedSecret {
  std::string name, namespace_name;
  std::string scope;  // "strict", "namespace-wide", "cluster-wide": the binding of the cipher text
  std::vector<SealedItem> items;

  // Whether cipher texts of one are valid in the other.
  bool is_bound_as(const SealedSecret& other) const {
    return name == other.name && namespace_name == other.namespace_name && scope == other.scope;
  }
  const SealedItem* find(std::string_view key) const;  // null if there is none
};

// Has the kind that the controller opens, in any version.
bool is_sealed_secret(const Value& document);

// In the order of the file; empty if it can't be parsed. `path` determines JSON or YAML.
std::vector<SealedSecret> find_sealed_secrets(std::string_view path, std::string_view text, const Limits& limits);

// The number of sealed bytes in a cipher text; empty if it isn't one. A cipher text is base64 of: two bytes with the
// length of the encrypted AES key, that key, and the text in AES-GCM with its tag.
std::optional<std::size_t> sealed_size(std::string_view cipher_text);

}  // namespace capwright::secrets
