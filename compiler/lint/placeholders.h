// Texts that stand for a secret until somebody fills it in: `${PASSWORD}`, `{{ .password }}`, `<path:vault#key>`.
#pragma once
#include <string_view>

namespace capwright::lint {

// Whether there is one in a text: what the others ask first.
bool has_placeholder(std::string_view text);
// Whether a text has place holders, and nothing else but blanks and quotes.
bool is_placeholder(std::string_view text);
// Whether it has one, and what else stands there is no secret: `postgres://app:${PASSWORD}@db`. In what is called a
// secret (`is_named_secret`), less is taken for a part of one.
bool has_placeholder_only(std::string_view text, bool is_named_secret);
// Whether a line of a configuration sets something that is called a secret, to something else than a place holder.
bool has_secret_line(std::string_view text);
// Whether a key is one that such a line has.
bool is_called_secret(std::string_view key);

}  // namespace capwright::lint
