// Sorted by image, so that the lists of two revisions can be compared.
#include "report/images_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/json_values.h"

namespace capwright::report {
namespace {

// Charts and Kubernetes by what they are, images in manifests by their place. Clusters name the same thing each.
std::string name_of(const ImageUser& user) {
  const bool is_named = user.what.starts_with("chart ") || user.what.starts_with("Kubernetes ");
  return is_named || user.path.empty() ? user.what : fmt::format("{}:{}", user.path, user.line);
}

std::string names_of(const std::set<ImageUser>& users) {
  std::set<std::string> names;
  for (const ImageUser& user : users) names.insert(name_of(user));
  constexpr std::size_t kShown = 2;
  std::string text;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (shown++ < kShown) text += (text.empty() ? "" : ", ") + name;
  }
  return names.size() > kShown ? fmt::format("{} and {} more", text, names.size() - kShown) : text;
}

std::string which_clusters(const std::set<std::string>& some, const Images& images) {
  return some.size() == images.clusters.size() ? "" : fmt::format(" ({})", fmt::join(some, ", "));
}

Json users_json(const std::set<ImageUser>& users) {
  Json list = Json::array();
  for (const ImageUser& user : users) {
    Json item = {{"what", user.what}};
    add_text(item, "path", user.path);
    if (user.line != 0) item["line"] = user.line;
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace

void Images::add(const Images& more) {
  clusters.insert(more.clusters.begin(), more.clusters.end());
  for (const auto& [image, from] : more.needed) {
    NeededImage& into = needed[image];
    into.pulled_as.insert(from.pulled_as.begin(), from.pulled_as.end());
    into.users.insert(from.users.begin(), from.users.end());
    into.clusters.insert(from.clusters.begin(), from.clusters.end());
  }
  for (const auto& [what, from] : more.unlisted) {
    UnlistedImages& into = unlisted[what];
    into.why = from.why;
    into.users.insert(from.users.begin(), from.users.end());
    into.clusters.insert(from.clusters.begin(), from.clusters.end());
  }
}

std::string images_as_text(const Images& images) {
  std::size_t width = 0;
  for (const auto& [image, needed] : images.needed) width = std::max(width, image.size());
  std::string text;
  for (const auto& [image, needed] : images.needed)
    text +=
        fmt::format("{:<{}}  {}{}\n", image, width, names_of(needed.users), which_clusters(needed.clusters, images));
  return text;
}

std::string unlisted_as_text(const Images& images) {
  std::string text;
  for (const auto& [what, unlisted] : images.unlisted)
    text += fmt::format("not listed: {}{}: {}\n", what, which_clusters(unlisted.clusters, images), unlisted.why);
  return text;
}

std::string images_as_json(const Images& images) {
  Json needed = Json::array(), unlisted = Json::array();
  for (const auto& [image, about] : images.needed) {
    Json item = {{"image", image}};
    if (!about.pulled_as.empty()) item["pulled_as"] = about.pulled_as;
    item["from"] = users_json(about.users);
    item["clusters"] = about.clusters;
    needed.push_back(std::move(item));
  }
  for (const auto& [what, about] : images.unlisted) {
    unlisted.push_back(
        {{"what", what}, {"why", about.why}, {"from", users_json(about.users)}, {"clusters", about.clusters}});
  }
  const Json document = {
      {"version", 1}, {"clusters", images.clusters}, {"images", std::move(needed)}, {"unlisted", std::move(unlisted)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace capwright::report
