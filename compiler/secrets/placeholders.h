// Placeholders for secrets that are filled in later: `${PASSWORD}`, `{{ .password }}`, `<path:vault#key>`.
#pragma once
#include <string_view>

namespace capwright::secrets {

// Whether a text contains a placeholder: a fast check before the others.
bool has_placeholder(std::string_view text);
// Whether a text consists only of placeholders, white space and quotes.
bool is_placeholder(std::string_view text);
// Whether it contains a placeholder and the rest isn't secret: `postgres://app:${PASSWORD}@db`. With `is_named_secret`,
// for a field named like a secret, less of the rest may count as part of a secret.
bool has_placeholder_only(std::string_view text, bool is_named_secret);
// Whether a line of a configuration sets a key named like a secret to something other than a placeholder.
bool has_secret_line(std::string_view text);
// Whether it is the key of such a line.
bool is_called_secret(std::string_view key);

}  // namespace capwright::secrets
