// Names of resources are kinds in lower case: kubectl takes these as well as plurals.
#include "text/kubectl.h"

#include <algorithm>
#include <fmt/format.h>

namespace capwright {
namespace {

std::string in_namespace(std::string_view space) {
  return space.empty() ? std::string() : fmt::format(" -n {}", shell_word(space));
}

}  // namespace

std::string shell_word(std::string_view text) {
  constexpr std::string_view kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:/=";
  if (!text.empty() && text.find_first_not_of(kSafe) == std::string_view::npos && text[0] != '-' && text[0] != '=')
    return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string kubectl_resource(std::string_view group, std::string_view kind) {
  std::string resource(kind);
  std::transform(resource.begin(), resource.end(), resource.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (!group.empty()) resource.append(".").append(group);
  return resource;
}

std::string kubectl_delete(std::string_view group, std::string_view kind, std::string_view name,
                           std::string_view space) {
  const std::string resource = shell_word(kubectl_resource(group, kind));
  // No API server accepts such a name, but a manifest may have it: kubectl must not take it as an option.
  if (name.starts_with('-'))
    return fmt::format("kubectl delete {}{} -- {}", resource, in_namespace(space), shell_word(name));
  return fmt::format("kubectl delete {} {}{}", resource, shell_word(name), in_namespace(space));
}

std::string kubectl_delete_selected(std::string_view group, std::string_view kind, std::string_view selector,
                                    std::string_view space) {
  return fmt::format("kubectl delete {} -l {}{}", shell_word(kubectl_resource(group, kind)), shell_word(selector),
                     in_namespace(space));
}

std::string kubectl_filled(std::string_view pattern, std::string_view group, std::string_view kind,
                           std::string_view name, std::string_view space) {
  std::string command(pattern);
  const auto put = [&](std::string_view hole, const std::string& word) {
    if (const std::size_t at = command.find(hole); at != std::string::npos) command.replace(at, hole.size(), word);
  };
  put(" -n {namespace}", in_namespace(space));
  put("{resource}", shell_word(kubectl_resource(group, kind)));
  put("{name}", shell_word(name));
  return command;
}

}  // namespace capwright
