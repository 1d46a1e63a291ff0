// A file is found by the end of its path, among few files and among many.
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <string>

#include "lint/facts/cluster_addons.h"

namespace capwright::lint {
namespace {

void check_paths(std::size_t others) {
  const Context context;
  Cluster cluster("", context);
  const auto add = [&](const std::string& path) { cluster.add_manifest(path, "a: 1\n"); };
  for (std::size_t i = 0; i < others; ++i) add(fmt::format("other/{}/values.yaml", i));
  for (const char* path : {"b/addons/x/values.yaml", "a/addons/x/values.yaml", "top.yaml", "a/addons/xx/values.yaml"})
    add(path);
  const auto found = [&](std::string_view path) {
    const File* file = file_at(cluster, path);
    return file == nullptr ? std::string() : file->path;
  };
  CHECK(found("a/addons/x/values.yaml") == "a/addons/x/values.yaml");
  CHECK(found("addons/x/values.yaml") == "b/addons/x/values.yaml");
  CHECK(found("clusters/a/addons/x/values.yaml") == "a/addons/x/values.yaml");
  CHECK(found("addons/xx/values.yaml") == "a/addons/xx/values.yaml");
  CHECK(found("deep/down/top.yaml") == "top.yaml");
  CHECK(found("s/x/values.yaml").empty());
  CHECK(found("stop.yaml").empty());
  CHECK(found("c/addons/x/values.yaml").empty());
}

TEST_CASE("a file is found by the end of its path") {
  check_paths(0);
  check_paths(200);
}

}  // namespace
}  // namespace capwright::lint
