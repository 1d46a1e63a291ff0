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

// Where a URL of a repository leads, in any form that Git takes; in lower case.
struct Server {
  bool is_http = false;  // or https
  std::string scheme;    // "https"; "ssh" also where it is left out
  std::string host;      // "git.example.com", "[::1]"; empty for a folder
  std::string port;      // empty: the scheme's own
};
Server server_of(std::string_view url);

// Why a token for the server of `known`, a URL that the user has chosen, must not go to `place`; empty: it may.
std::string why_another_host(const Place& place, std::string_view known);
// Whether the connection is encrypted or stays on this machine.
bool is_encrypted_or_local(const Place& place);

// A part of a URL's path, with `%2B` and the like; slashes stay.
std::string escape_path(std::string_view path);

}  // namespace capwright::gitea
