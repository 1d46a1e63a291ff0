// The container images that clusters need, for `capwright images`. docs/images.md describes the JSON.
#pragma once
#include <compare>
#include <map>
#include <set>
#include <string>

namespace capwright::report {

// A source of images: an object, a chart or Kubernetes itself.
struct ImageUser {
  std::string what;  // "Kubernetes v1.35.8", "chart cilium 1.20.0", "KubeadmControlPlane prod-a-control-plane"
  std::string path;  // the rendered file that names it
  std::uint32_t line = 0;

  friend auto operator<=>(const ImageUser&, const ImageUser&) = default;
};

struct NeededImage {
  std::set<std::string> pulled_as;  // from the registries of `registries.images`
  std::set<ImageUser> users;
  std::set<std::string> clusters;
};

struct UnlistedImages {
  std::string why;
  std::set<ImageUser> users;
  std::set<std::string> clusters;
};

struct Images {
  std::set<std::string> clusters;
  std::map<std::string, NeededImage> needed;       // by the name in the image's own registry
  std::map<std::string, UnlistedImages> unlisted;  // by what has them

  void add(const Images& more);
};

// A line for each image: its name, and what needs it. With several clusters also those that do, unless all do.
std::string images_as_text(const Images&);
// A line for each source whose images aren't in the list. Empty if the list is complete.
std::string unlisted_as_text(const Images&);
std::string images_as_json(const Images&);

}  // namespace capwright::report
