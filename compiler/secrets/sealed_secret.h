// SealedSecrets of the Sealed Secrets controller in a rendered text: where their values stand, and whether somebody has
// sealed them. Only the controller can open one, so what is in it can't be compared with anything.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/limits.h"
#include "value/value.h"

namespace capwright::secrets {

// A value of `spec.encryptedData`. Until it is sealed, a place holder or the secret's own text.
struct SealedItem {
  std::string key;
  std::string text;
  // In the file: from the end of the key to the end of the value.
  std::uint32_t begin = 0, end = 0;
};

struct SealedSecret {
  std::string name, namespace_name;
  std::string scope;  // "strict", "namespace-wide", "cluster-wide": what the cipher text is bound to
  std::vector<SealedItem> items;

  // Cipher texts of one are those of the other.
  bool is_bound_as(const SealedSecret& other) const {
    return name == other.name && namespace_name == other.namespace_name && scope == other.scope;
  }
  const SealedItem* find(std::string_view key) const;  // null when there is none
};

// Of the kind that the controller opens, whatever its version.
bool is_sealed_secret(const Value& document);

// In the order of the file; none when it can't be read. `path` tells JSON from YAML.
std::vector<SealedSecret> find_sealed_secrets(std::string_view path, std::string_view text, const Limits& limits);

// How many bytes are sealed in a cipher text; nothing when it has not the form of one: two bytes that say how long the
// encrypted AES key is, that key, and the text by AES-GCM with its tag, all in base64.
std::optional<std::size_t> sealed_size(std::string_view cipher_text);

}  // namespace capwright::secrets
