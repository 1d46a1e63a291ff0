// Forms of a secret in another program's output: unchanged, in hexadecimal, in Base64 (alone or inside more text), with
// escapes of JSON and of URLs.
#pragma once
#include <string_view>

#include "secrets/texts.h"

namespace capwright::secrets {

// Adds all these forms. For a secret under ten bytes, Base64 inside more text is omitted: it would be too short to
// distinguish from words.
void add_encoded(std::string_view secret, SecretTexts& texts);
// For all tainted scalars in `value`.
void add_encoded(const Value& value, SecretTexts& texts);

}  // namespace capwright::secrets
