// A repository that stays open for several requests. They share its configuration, template sets, schemas and rules,
// and what is known of clusters, until a file of these changes.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "admission/providers.h"
#include "files/output_tree.h"
#include "lint/engine/present.h"
#include "lint/engine/setup.h"
#include "workflow/open_project.h"
#include "workflow/stop.h"

namespace capwright::workflow {

// What lint found in one cluster. It stays valid when the session goes on.
struct LintedCluster {
  std::string values_path, name;
  bool is_clean = false;                     // rendered without errors
  std::set<std::string, std::less<>> files;  // its values and layers, as shown
  std::unique_ptr<lint::KeptFindings> findings;
  // The findings refer to the project's templates, and to the rules.
  std::shared_ptr<const OpenProject> project;
  std::shared_ptr<const lint::Setup> setup;
};

// Requests come from one thread; each may use several.
class Session {
 public:
  // The request's edits apply from the beginning. OpenRequest::edited_file is only for a session that is opened once:
  // standard input can't be read again.
  explicit Session(OpenRequest request);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Opened on first use. Its project is null, or its sink has errors, if the repository can't be used.
  OpenProject& open();
  // What load_rules() and load_schemas() have read, for linters and contexts.
  lint::Setup& setup() { return *setup_; }
  // The repository's own rules and the selected ones; `select` and `ignore` as on the command line. Once for each
  // project.
  std::optional<Stop> load_rules(const LintRequest& request);
  // Errors go to the project's sink. Once for each project.
  void load_schemas();
  // The rendered files of earlier runs, which names of generations depend on. Null after an error in the project's
  // sink.
  OutputTree* tree();

  // From the next request on, `text` replaces the file's text; the file need not exist. `path` as shown.
  void edit(const std::string& path, std::string text);
  // The file counts again.
  void revert(const std::string& path);
  // The file changed on disk.
  void forget(const std::string& path);

  // Whether a change of the file changes what templates render for all clusters: a template, a schema, a setting. The
  // repository must be open.
  bool is_of_project(std::string_view path) const;

  // One cluster in memory, with all its diagnostics.
  std::unique_ptr<CompiledCluster> render(const std::string& values_path);
  // Renders and lints each cluster by itself, or returns what is known. A cluster is null if `stops` was set before it
  // was reached, by any thread. Call load_rules() and load_schemas() before.
  std::vector<std::shared_ptr<const LintedCluster>> lint(std::span<const std::string> values_paths, unsigned jobs = 0,
                                                         const std::atomic<bool>* stops = nullptr);

 private:
  std::shared_ptr<const LintedCluster> lint_one(const std::string& values_path, const lint::Linter& linter,
                                                const lint::Context& context);
  void close();

  OpenRequest request_;
  std::map<std::string, std::string, std::less<>> edits_;
  const admission::Providers webhooks_{admission::built_in_rules()};
  std::shared_ptr<OpenProject> open_;   // null: not open
  std::shared_ptr<lint::Setup> setup_;  // of open_
  std::optional<OutputTree> tree_;
  bool has_rules_ = false;
  std::map<std::string, std::shared_ptr<const LintedCluster>, std::less<>> known_;  // by values file
};

}  // namespace capwright::workflow
