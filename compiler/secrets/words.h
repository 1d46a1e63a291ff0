// The texts of a secret file that messages must not repeat: its values, but not keys and kinds, which other files
// share.
#pragma once
#include <string_view>

#include "secrets/texts.h"

namespace capwright::secrets {

constexpr std::size_t kShortestWord = 6;  // shorter ones occur in other messages, too

// Adds every line.
void add_lines(std::string_view text, SecretTexts& texts);
// For a text that consists of settings (YAML, JSON, `key = value`), adds their values, except common words. Other lines
// are added as in add_lines().
void add_settings(std::string_view text, SecretTexts& texts);

}  // namespace capwright::secrets
