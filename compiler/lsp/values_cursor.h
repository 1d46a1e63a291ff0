// The place of a cursor in a values file that is being typed, and so may not be valid YAML.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::lsp {

struct ValuesCursor {
  std::vector<std::string> parents;  // keys above the cursor's; `[]` for an item of a list
  std::string key;                   // of the cursor's line, as far as it is typed
  bool is_value = false;             // the cursor is after `key:`
};

// `offset` in bytes. Block style only: in brackets, the cursor counts as that of the line's first key.
ValuesCursor cursor_at(std::string_view text, std::size_t offset);

// The offset in bytes of an LSP position, whose line and character start at 0; at most the end of the line.
std::size_t offset_at(std::string_view text, std::size_t line, std::size_t character, bool is_utf16);

}  // namespace capwright::lsp
