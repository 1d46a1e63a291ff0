// The API has the same root URL as the pages.
#include "gitea/repository_url.h"

#include <algorithm>
#include <fmt/format.h>

#include "git/remote_access.h"

namespace capwright::gitea {

std::optional<Place> read_place(std::string_view url) {
  std::string text = git::shown_url(url);
  if (!text.starts_with("https://") && !text.starts_with("http://")) return std::nullopt;
  if (text.find_first_of("?#% \"\\") != std::string::npos) return std::nullopt;
  while (text.ends_with('/')) text.pop_back();
  if (text.ends_with(".git")) text.resize(text.size() - 4);
  const std::size_t host = text.find("://") + 3;
  const std::size_t repository = text.rfind('/');
  if (repository == std::string::npos || repository <= host) return std::nullopt;
  const std::size_t owner = text.rfind('/', repository - 1);
  if (owner == std::string::npos || owner <= host || owner + 1 == repository) return std::nullopt;
  return Place{fmt::format("{}/api/v1/repos/{}", text.substr(0, owner), text.substr(owner + 1)), text + ".git"};
}

Server server_of(std::string_view url) {
  std::string text = git::shown_url(url);
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  Server server;
  std::size_t begin = text.find("://");
  const bool is_short = begin == std::string::npos;  // `git@git.example.com:platform/fleet`, or a directory
  server.scheme = is_short ? "ssh" : text.substr(0, begin);
  server.is_http = server.scheme == "http" || server.scheme == "https";
  begin = is_short ? 0 : begin + 3;
  std::string rest = text.substr(begin, text.find('/', begin) - begin);
  if (server.scheme == "file" || (is_short && rest.find(':') == std::string::npos)) return server;
  if (const std::size_t at = rest.rfind('@'); at != std::string::npos) rest.erase(0, at + 1);
  const std::size_t end = rest.starts_with('[') ? rest.find(']') : rest.find(':');
  const std::size_t colon = end == std::string::npos ? end : rest.find(':', end);
  server.host = rest.substr(0, colon);
  if (colon != std::string::npos && !is_short) server.port = rest.substr(colon + 1);
  if (server.port == (server.scheme == "http" ? "80" : "443")) server.port.clear();
  return server;
}

std::string why_another_host(const Place& place, std::string_view known) {
  const Server wanted = server_of(place.clone), given = server_of(known);
  const std::string shown = git::shown_url(known);
  if (given.host.empty()) return fmt::format("`{}` has no host", shown);
  const bool is_same = wanted.host == given.host && (!given.is_http || wanted.port == given.port);
  return is_same ? "" : fmt::format("`{}` is on another host or port", shown);
}

bool is_encrypted_or_local(const Place& place) {
  const Server server = server_of(place.clone);
  return server.scheme == "https" || server.host == "localhost" || server.host == "[::1]" ||
         (server.host.starts_with("127.") && server.host.find_first_not_of("0123456789.") == std::string::npos);
}

std::string escape_path(std::string_view path) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/-._~").find(c) != std::string_view::npos;
  };
  std::string escaped;
  for (const char c : path) {
    if (is_plain(c)) escaped.push_back(c);
    else escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return escaped;
}

}  // namespace capwright::gitea
