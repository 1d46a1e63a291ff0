// The URLs of a Gitea repository and of its API.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace capwright::gitea {

struct Place {
  std::string api;    // "https://git.example.com/api/v1/repos/platform/fleet"
  std::string clone;  // "https://git.example.com/platform/fleet.git"
};

// Parses the URL of the repository's page or its clone URL: `https://git.example.com/platform/fleet.git`, with a path
// prefix if Gitea isn't at the host's root. Empty if it isn't an HTTP URL of a repository.
std::optional<Place> read_place(std::string_view url);

// The server of a repository URL, in any form that Git accepts; in lower case.
struct Server {
  bool is_http = false;  // or https
  std::string scheme;    // "https"; "ssh" also if it is implicit
  std::string host;      // "git.example.com", "[::1]"; empty for a directory
  std::string port;      // empty: the scheme's default
};
Server server_of(std::string_view url);

// Why a token for the server of `known`, a URL that the user has chosen, must not be sent to `place`; empty if it may
// be sent.
std::string why_another_host(const Place& place, std::string_view known);
// Whether the connection is encrypted or stays on this machine.
bool is_encrypted_or_local(const Place& place);

// Percent-encodes a part of a URL's path, except slashes.
std::string escape_path(std::string_view path);

}  // namespace capwright::gitea
