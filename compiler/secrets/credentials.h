// Credentials in texts, recognized by their form or by the name of their key.
#pragma once
#include <cstdint>
#include <string_view>

namespace capwright::secrets {

// The kind of text in a place for a secret.
enum class Exposure : std::uint8_t {
  Public,     // empty, or not a secret: a region, a certificate
  Encrypted,  // by sops
  Reference,  // replaced when it is applied: `<password>`, `{{ .password }}`
  Unset,      // a placeholder that was never replaced: `CHANGEME`
  Readable,
};
Exposure exposure_of(std::string_view key, std::string_view text);
// For a key in the data of a Secret: whether its value is a configuration file; whether it isn't secret, such as
// `region`.
bool is_configuration(std::string_view key);
bool is_public_key(std::string_view key);

// Whether a text contains `kind: Secret`, in YAML or JSON.
bool holds_secret_document(std::string_view text);

// The kind of secret in a text, recognized by its form alone: "an access key of AWS". Empty: none.
std::string_view key_material_in(std::string_view text);
// Whether this YAML may contain any. It rarely does, so one check covers all texts.
bool may_hold_key_material(std::string_view yaml);
// Whether a field of this name contains a secret if its text looks random, and whether the text does.
bool is_random_secret(std::string_view name, std::string_view text);
// Whether the last word of a name is one for secrets: `clientSecret`, `db-password`.
bool is_secret_name(std::string_view name);

}  // namespace capwright::secrets
