// What commands that edit files of a repository have in common.
#pragma once
#include <string>
#include <string_view>

#include "workflow/open_project.h"

namespace capwright::workflow {

// Whether capwright rendered the file: its next render would overwrite an edit. `path` as shown.
bool is_rendered(const std::string& path, const OpenProject& open);

// Whether sops has encrypted the text: an edit would invalidate its checksum.
bool is_encrypted(std::string_view text);

// A text for display, without what is recognized as a secret.
std::string without_secrets(std::string text, const SecretNames& names);

}  // namespace capwright::workflow
