// What words may not repeat of a secret that is a whole file: its values, not the keys and kinds that others have, too.
#pragma once
#include <string_view>

#include "value/secret_texts.h"

namespace capwright::lint {

constexpr std::size_t kShortestWord = 6;  // shorter ones are words of other messages, too

// Every line.
void add_lines(std::string_view text, SecretTexts& texts);
// Of a text that is made of settings (YAML, JSON, `key = value`) what they are set to, unless that is a word that
// anybody may write; what is no setting as add_lines() does.
void add_settings(std::string_view text, SecretTexts& texts);

}  // namespace capwright::lint
