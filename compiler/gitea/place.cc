// The API is below the same root as the pages are.
#include "gitea/place.h"

#include <algorithm>
#include <fmt/format.h>

#include "git/remote.h"

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
