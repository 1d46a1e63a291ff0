// Commit messages. They need no repository, so programs without libgit2 have this file, too.
#include <algorithm>
#include <fmt/format.h>

#include "git/commit.h"

namespace capwright::git {
namespace {

std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string_view without_breaks(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  while (text.starts_with('\n')) text.remove_prefix(1);
  return text;
}

}  // namespace

std::string commit_message(std::string_view subject, std::string_view body,
                           const std::vector<std::pair<std::string, std::string>>& trailers) {
  std::string message = on_one_line(std::string(without_breaks(subject))) + "\n";
  if (!without_breaks(body).empty()) message.append("\n").append(without_breaks(body)).append("\n");
  if (!trailers.empty()) message += "\n";
  for (const auto& [key, value] : trailers) message += fmt::format("{}: {}\n", key, on_one_line(value));
  return message;
}

}  // namespace capwright::git
