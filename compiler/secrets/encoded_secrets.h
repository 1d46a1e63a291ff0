// A secret in the words of another program, which may have encoded it: as it is, in hexadecimal, in Base64 (alone or in
// the middle of more), with the escapes of JSON and of URLs.
#pragma once
#include <string_view>

#include "value/secret_texts.h"

namespace capwright::secrets {

// Adds all these forms. Of a secret under ten bytes, Base64 in the middle of more is not found: it would be too short
// to be told from words.
void add_encoded(std::string_view secret, SecretTexts& texts);
// Of all tainted scalars in `value`.
void add_encoded(const Value& value, SecretTexts& texts);

}  // namespace capwright::secrets
