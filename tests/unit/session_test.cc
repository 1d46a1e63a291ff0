// A session answers several requests about one repository, whose files may be edited in between.
#include "workflow/session.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "unit/scratch_folder.h"

using namespace capwright;
using workflow::LintedCluster;

namespace {

constexpr const char* kTemplate = R"(# FILE: clusters/{{ cluster_name }}/control-plane.yaml
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata:
  name: {{ cluster_name }}
  namespace: default
spec:
  replicas: {{ replicas }}
)";

// Two clusters, `a` and `b`, with three control planes each.
class Repository {
 public:
  Repository() {
    write("capwright.yaml", "");
    write("templates/main.j2", kTemplate);
    for (const std::string name : {"a", "b"}) write("values/" + name + ".yaml", values(name, 3));
  }

  static std::string values(const std::string& name, int replicas) {
    return "cluster_name: " + name + "\nreplicas: " + std::to_string(replicas) + "\n";
  }
  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = std::filesystem::path(scratch_.path()) / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  workflow::OpenRequest request() const {
    workflow::RepositoryOptions repository;
    repository.config = scratch_.path() + "/capwright.yaml";
    workflow::PlainTemplates plain;
    plain.folder = scratch_.path() + "/templates";
    plain.main = "main.j2";
    return {.repository = repository, .values = {}, .plain = plain, .writes = false, .output = std::nullopt};
  }

 private:
  test::ScratchFolder scratch_;
};

using Results = std::vector<std::shared_ptr<const LintedCluster>>;

Results linted(workflow::Session& session, const std::vector<std::string>& paths,
               const std::atomic<bool>* stops = nullptr) {
  const auto stop = session.load_rules({});
  REQUIRE_FALSE(stop.has_value());
  session.load_schemas();
  return session.lint(paths, 1, stops);
}

bool has(const LintedCluster& cluster, std::string_view code) {
  const auto& found = cluster.findings->diagnostics();
  return std::any_of(found.begin(), found.end(), [&](const Diagnostic& each) { return each.info->code == code; });
}

constexpr const char* kEven = "CAP401";

}  // namespace

TEST_CASE("A session lints the text of an editor, and what it knows of other clusters") {
  const Repository repository;
  workflow::Session session(repository.request());
  const Results before = linted(session, {"values/a.yaml", "values/b.yaml"});
  CHECK(before[0]->is_clean);
  CHECK_FALSE(has(*before[0], kEven));
  session.edit("values/a.yaml", Repository::values("a", 2));
  const Results edited = linted(session, {"values/a.yaml", "values/b.yaml"});
  CHECK(has(*edited[0], kEven));
  CHECK(edited[1] == before[1]);  // as it was
  CHECK_FALSE(has(*before[0], kEven));
  session.revert("values/a.yaml");
  CHECK_FALSE(has(*linted(session, {"values/a.yaml"})[0], kEven));
}

TEST_CASE("A session reads a file again that changed on disk") {
  const Repository repository;
  workflow::Session session(repository.request());
  const Results before = linted(session, {"values/a.yaml"});
  repository.write("values/a.yaml", Repository::values("a", 2));
  CHECK(linted(session, {"values/a.yaml"})[0] == before[0]);
  session.forget("values/a.yaml");
  CHECK(has(*linted(session, {"values/a.yaml"})[0], kEven));
}

TEST_CASE("A session opens its project again after an edit of a template or the configuration") {
  const Repository repository;
  workflow::Session session(repository.request());
  const Results before = linted(session, {"values/a.yaml", "values/b.yaml"});
  std::string text = kTemplate;
  session.edit("templates/main.j2", text.replace(text.find("{{ replicas }}"), 14, "4"));
  for (const auto& cluster : linted(session, {"values/a.yaml", "values/b.yaml"})) CHECK(has(*cluster, kEven));
  session.edit("capwright.yaml", "lint: {ignore: [CAP401]}\n");
  for (const auto& cluster : linted(session, {"values/a.yaml", "values/b.yaml"})) CHECK_FALSE(has(*cluster, kEven));
  session.edit("capwright.yaml", "lint: {ignore: [CAP999]}\n");
  const auto stop = session.load_rules({});
  REQUIRE(stop.has_value());
  CHECK(stop->messages.size() == 1);
  CHECK_FALSE(has(*before[0], kEven));  // results outlive their project
}

TEST_CASE("A stopped session renders no further cluster, and goes on with the next request") {
  const Repository repository;
  workflow::Session session(repository.request());
  const std::atomic<bool> stops = true;
  const Results none = linted(session, {"values/a.yaml", "values/b.yaml"}, &stops);
  CHECK((none[0] == nullptr && none[1] == nullptr));
  CHECK(linted(session, {"values/b.yaml"})[0]->name == "b");
}
