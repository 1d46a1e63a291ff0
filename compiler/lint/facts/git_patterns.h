// Patterns of the git generators of ApplicationSets, as Argo CD compares them with the paths of a repository.
#pragma once
#include <optional>
#include <string_view>

namespace capwright::lint {

// Whether a text has no special character of any pattern.
bool is_plain_path(std::string_view pattern);

// Whether the `path` of an item of `directories` matches a folder. nullopt: a class of characters, an escape or a
// parameter, none of which is evaluated.
std::optional<bool> matches_folder(std::string_view pattern, std::string_view folder);

// Whether the `path` of an item of `files` may match a file. Argo CD has two kinds of such patterns, by its settings.
bool may_match_file(std::string_view pattern, std::string_view file);

}  // namespace capwright::lint
