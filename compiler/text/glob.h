// Patterns of paths as .gitignore and CODEOWNERS have them: `*` and `?` stay within a part, `**` crosses parts.
#pragma once
#include <string_view>

namespace capwright {

// Whether the whole `path` matches. `**/` also matches no directory. Takes time proportional to both lengths' product.
bool glob_matches(std::string_view pattern, std::string_view path);

// As Argo CD matches patterns (gobwas/glob): `*` and `?` don't match `separator`, `**` matches any bytes. Without a
// separator (0) `*` matches any bytes, too.
bool text_glob_matches(std::string_view pattern, std::string_view text, char separator = 0);

}  // namespace capwright
