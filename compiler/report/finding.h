// The content of a report: diagnostics of several clusters, each with the sources of its places.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diag/diag.h"
#include "pipeline/compile_cluster.h"
#include "report/printable.h"
#include "secrets/redactor.h"

namespace capwright::report {

// Made by Findings, which redacts it.
struct Finding {
  const Diagnostic* diagnostic = nullptr;
  const SourceSet* sources = nullptr;
  const secrets::Places* secrets = nullptr;  // to redact in its lines
  // The clusters that have it: a cause in a shared layer or template is one finding. Empty: not specific to clusters.
  std::vector<std::string> clusters;
  // How often the first of these clusters has it again, also with other words: "and 39 more".
  std::uint32_t repeats = 0;
  // Whether the messages of other clusters name other things: a machine, a port.
  bool likewise = false;
  bool elsewhere = false;                // in a run of several clusters, and not in one cluster's own file
  std::string revision;                  // the revision of its places; empty: the working tree
  std::vector<std::string> others = {};  // the first messages of repetitions that have other words
};

// Collects the findings of a run, in display order, without secrets: no report shows others.
class Findings {
 public:
  // Whether a finding counts. Called in display order, also for findings that an earlier cluster has.
  using Keep = std::function<bool(const Diagnostic&, const SourceSet&, std::string_view cluster)>;
  explicit Findings(Keep keep = nullptr) : keep_(std::move(keep)) {}

  // Adds all diagnostics of one sink, sorted for display. A finding of an earlier cluster (same place, code and
  // message, apart from the clusters' names, and the same kubectl command) only gets one more cluster; a repetition in
  // the same cluster is counted.
  // Diagnostics and sources must outlive this object, unchanged. `secrets`: of the sources. `own_file`: the cluster's
  // values file, in a run of several; findings in other files name the cluster.
  void add(const std::vector<Diagnostic>& diagnostics, const SourceSet& sources, secrets::Redactor secrets,
           const std::string& cluster, std::string_view own_file = {});
  // All findings of a render that no comment suppresses.
  void add(const CompiledCluster& cluster, std::string_view own_file = {});
  // Reserves room for `count` more.
  void expect(std::size_t count);
  // Findings that are added from now on belong to that revision.
  void go_to(std::string revision) { revision_ = std::move(revision); }
  std::span<const Finding> all() const { return findings_; }
  std::size_t count(Severity) const;
  // Whether an error is outside of values, templates and rendered files: I/O, an unknown target.
  bool has_outside_fault() const;

 private:
  // The key of equal findings; its texts point into the diagnostic and its sources.
  struct Identity {
    std::string_view code, path;
    std::uint32_t first_line, begin, end;
    std::string_view line, words;
    friend bool operator==(const Identity&, const Identity&) = default;
  };
  struct Digest {
    std::size_t operator()(const Identity&) const;
  };
  Identity identity(const Diagnostic&, const SourceSet&, std::string_view cluster);
  // The message, the same for all clusters that differ only in their names.
  std::string_view words_of(const std::string& message, std::string_view cluster);
  std::string_view words_of(const Diagnostic&, std::string_view cluster);

  Keep keep_;  // null: all of them
  std::string revision_;
  std::deque<Diagnostic> redacted_;
  std::deque<secrets::Places> places_;
  std::deque<std::string> words_;  // of identities, where they differ from the messages
  std::vector<Finding> findings_;
  std::unordered_map<Identity, std::size_t, Digest> known_;  // indexes in findings_
};

std::string_view severity_name(Severity);
// The first clusters: "a, b, c, d, e, …"; "a, likewise in b, c" if the message is specific to the first one.
std::string clusters_of(const Finding&);

}  // namespace capwright::report
