// What a user asks for, as far as the workflows read it; the commands add how results are shown.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/engine/selection.h"
#include "pipeline/parallel.h"

namespace capwright::workflow {

// Where the repository is, and what may be read.
struct RepositoryOptions {
  std::optional<std::string> config;  // --config FILE
  bool isolated = false;              // ignore any capwright.yaml
  bool run_sources = false;           // --run-sources: commands that capwright.yaml names may run
  bool allow_outside = false;         // --allow-outside: paths of the repository may refer to files outside of it
  std::vector<std::string> words;     // the complete command line: the user chose the paths in it
  Progress* progress = nullptr;       // of work on many clusters
};

// Options that add or replace a cluster's values.
struct ValueOptions {
  std::vector<std::string> files;  // --values FILE, in order
  struct Set {
    std::string assignment;  // path=value
    bool as_string;          // --set-string
  };
  std::vector<Set> sets;  // --set and --set-string, in the order given
};

// A folder of Jinja2 templates without capwright's conventions. Without a folder, the others change those of
// `template` in capwright.yaml.
struct PlainTemplates {
  std::string folder;                 // --template-dir
  std::string main;                   // --main
  std::optional<std::string> schema;  // --schema
  std::vector<std::string> jinja;     // --jinja trim_blocks,lstrip_blocks,…

  bool is_given() const { return !folder.empty() || !main.empty() || schema || !jinja.empty(); }
};

// A part of a fleet for one of several jobs, chosen by the digest of the cluster's name, so that a cluster stays in its
// part when others come and go.
struct Shard {
  std::uint32_t number = 0, count = 0;  // from 1; 0 of 0: all clusters

  bool has(std::string_view values_path) const;
  bool has_name(std::string_view name) const;
  bool is_part() const { return count != 0; }
};

// Values files, clusters, manifests, folders of manifests, `-`; without targets the complete repository.
struct LintRequest {
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  std::vector<std::string> targets;
  std::vector<std::string> select, ignore;  // codes, prefixes of codes, names
  lint::Blame blame = lint::Blame::Value;
  std::optional<std::string> stdin_filename;
  std::optional<std::string> as_of;                     // a date
  std::optional<std::string> baseline, write_baseline;  // files; an empty write_baseline: the default file
  std::optional<std::string> new_from_rev;
  bool merge_base = false;  // use the merge base of `new_from_rev` and HEAD
  bool fix = false, unsafe_fixes = false, diff = false;
  bool show_files = false;
  Shard shard;                            // checks only this part of the repository
  std::optional<std::string> claims;      // a file that gets what the clusters of the part claim
  std::vector<std::string> merge_claims;  // compares the clusters of the parts that wrote these files, and nothing else
  unsigned jobs = 0;                      // 0: one per processor
  const std::atomic<bool>* stops = nullptr;  // set by another thread to stop between two clusters
};

// Two sides: the tree and its new render; or two folders, if exactly these are the targets.
struct ComparisonRequest {
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  std::vector<std::string> targets;
  std::optional<std::string> output;  // -o: the folder with the tree
  std::optional<std::string> base;    // the repository to compare with: a revision, or another checkout
  bool merge_base = false;            // use the merge base of `base` and HEAD
  bool upgrade_set = false;
  unsigned jobs = 0;  // 0: one per processor

  // Whether `base` is a revision.
  bool compares_with_revision() const;
};

}  // namespace capwright::workflow
