// The two sides that `diff` and `plan` compare, by their common options: the tree and its new render, two renders of
// the repository, or two folders.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "diff/fleet.h"
#include "git/repository.h"
#include "lint/engine/present.h"
#include "lint/facts/plugin_clusters.h"
#include "pipeline/schemas.h"
#include "workflow/base_project.h"
#include "workflow/exported_commit.h"
#include "workflow/git_history.h"
#include "workflow/open_project.h"
#include "workflow/source_pairs.h"

namespace capwright::workflow {

// Opens the repository of the working directory for a comparison.
std::unique_ptr<OpenProject> open_for(const RepositoryOptions& repository, const ComparisonRequest& request);

class Comparison {
 public:
  // Keeps references to both arguments.
  Comparison(const ComparisonRequest& request, OpenProject& open) : request_(request), open_(open) {}

  // Opens the sides. Returns false after an error, which is in faults() or in refusal().
  bool prepare(diff::Traces traces = diff::Traces::Calls);

  // Whether all objects of the base could be read. Otherwise the pairs are wrong, and faults() has the reason. After
  // the pairs were compared.
  bool has_whole_base();

  // Why the request can't be met; otherwise empty.
  const std::string& refusal() const { return refusal_; }

  // Valid after prepare().
  diff::PairSource& pairs() const { return *pairs_; }
  const std::string& before() const { return before_name_; }  // titles of the sides: "the tree", "HEAD~1"
  const std::string& after() const { return after_name_; }
  // Null without a repository.
  const crd::Registry* registry() const { return schemas_.registry.get(); }

  // What applied the objects of the base; empty: there is none, or it has no configuration and no values.
  std::optional<Delivery> delivery_of_base() const;

  // More findings for faults(), by cluster, which must outlive this object. Call it before faults().
  using FindingsOf = std::map<std::string, std::unique_ptr<lint::KeptFindings>>;
  void also_report(const FindingsOf& findings) { more_ = &findings; }

  // Errors in opening the sides, and findings of the comparison; `result` must outlive it. Null: nothing was compared.
  const report::Findings& faults(const diff::FleetResult* result);
  // The files of a cluster's folder on both sides, as they are, not rendered; `before` is null if the base lacks it.
  // Empty: this side's tree lacks it, nothing applies it because Argo CD's plugin renders values, or the sides are
  // folders. Thread-safe.
  std::optional<diff::LoadedPair> left_folder(const std::string& cluster) const;

 private:
  void load_kinds();
  void survey(const diff::FleetResult& result);
  void add_failed(const diff::FleetResult& result, bool of_before);
  bool open_folders();
  bool open_tree();
  bool open_output(const std::optional<std::string>& given);
  bool open_base();
  bool lacks_given_templates();
  std::vector<std::string> choose_rendered();
  bool add_sources(std::vector<std::string> before, std::vector<std::string> now);
  std::optional<std::string> export_base();
  std::vector<const ManifestSource*> wanted_sources(const Config& config) const;
  std::string root_of_project() const;
  FileSystem* find_base(Workspace& workspace);
  void warn_unless_ancestor(const git::ObjectId& base);

  const ComparisonRequest& request_;
  diff::Traces traces_ = diff::Traces::Calls;
  OpenProject& open_;
  std::string refusal_;
  std::unique_ptr<git::Repository> repository_;
  std::unique_ptr<git::CommitFiles> commit_files_;
  std::optional<git::ObjectId> base_commit_;  // empty: the base is a folder
  bool misses_objects_ = false;               // was reported
  ExportedCommit exported_;
  std::unique_ptr<BaseProject> base_;
  std::unique_ptr<GitHistory> history_;
  std::unique_ptr<OutputTree> tree_;
  std::optional<lint::PluginClusters> by_plugin_, by_plugin_before_;
  KnownSchemas schemas_;
  std::unique_ptr<diff::PairSource> pairs_;
  std::string before_name_, after_name_;
  Sink surveyed_;  // findings about the names of all clusters
  const FindingsOf* more_ = nullptr;
  std::optional<report::Findings> faults_;
};

// The places that `lint` redacts in the parsed files of the side; their `file` is SideFile::source. Not of rendered
// files, which know the bytes of their secrets.
std::vector<Span> readable_secrets(const diff::Side& side);

}  // namespace capwright::workflow
