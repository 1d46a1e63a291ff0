// Where a repository of a Gitea is, and where its API.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace capwright::gitea {

struct Place {
  std::string api;    // "https://git.example.com/api/v1/repos/platform/fleet"
  std::string clone;  // "https://git.example.com/platform/fleet.git"
};

// Of the repository's page, or the URL that it is cloned from: `https://git.example.com/platform/fleet.git`, with more
// folders in front where the host has other things at its root. Nothing: it isn't one, or not of HTTP.
std::optional<Place> read_place(std::string_view url);

// A part of a URL's path, with `%2B` and the like; slashes stay.
std::string escape_path(std::string_view path);

}  // namespace capwright::gitea
