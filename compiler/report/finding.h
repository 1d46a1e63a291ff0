// What a report is made of: diagnostics of several clusters, each with the sources that it points into.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diag/diag.h"
#include "report/printable.h"

namespace capwright::report {

struct Finding {
  const Diagnostic* diagnostic = nullptr;
  const SourceSet* sources = nullptr;
  const SecretSpans* secrets = nullptr;
  // Clusters that have it; one cause in a shared layer or template is one finding. Empty: not bound to clusters.
  std::vector<std::string> clusters;
  // How often the first of them has it again, also with other words: "and 39 more".
  std::uint32_t repeats = 0;
  // Whether the message of another of these clusters names other things: a machine, a port.
  bool likewise = false;
  bool elsewhere = false;  // in a run of several clusters, and not in a file that is one cluster's own
  std::string revision;    // that its places are in; empty: in the repository as it is
};

// Collects the findings of a run, in the order in which they are to be shown.
class Findings {
 public:
  // Whether a finding counts; asked in the order in which they are shown, also for what an earlier cluster has.
  using Keep = std::function<bool(const Diagnostic&, const SourceSet&, std::string_view cluster)>;
  explicit Findings(Keep keep = nullptr) : keep_(std::move(keep)) {}

  // All of one sink, sorted for display. What an earlier cluster has already (same place, code and message) only
  // gets one cluster more, and what the same cluster has is counted. Diagnostics and sources stay as they are as long
  // as this. `own_file`: the cluster's values file, in a run of several; findings elsewhere name it.
  void add(const std::vector<Diagnostic>& diagnostics, const SourceSet& sources, const SecretSpans* secrets,
           const std::string& cluster, std::string_view own_file = {});
  // That so many are about to be added.
  void expect(std::size_t count);
  // What is added from now on is of that revision.
  void go_to(std::string revision) { revision_ = std::move(revision); }
  std::span<const Finding> all() const { return findings_; }
  std::size_t count(Severity) const;
  // Something other than values, templates or rendered files is at fault: input and output, a target that isn't there.
  bool has_outside_fault() const;

 private:
  // What makes findings the same; its texts are those of the diagnostic and its sources.
  struct Identity {
    std::string_view code, path;
    std::uint32_t first_line, begin, end;
    std::string_view line, words;
    friend bool operator==(const Identity&, const Identity&) = default;
  };
  struct Digest {
    std::size_t operator()(const Identity&) const;
  };
  static Identity identity(const Diagnostic&, const SourceSet&);

  Keep keep_;  // null: all of them
  std::string revision_;
  std::vector<Finding> findings_;
  std::unordered_map<Identity, std::size_t, Digest> known_;  // their places in findings_
};

std::string_view severity_name(Severity);
// The first few of its clusters: "a, b, c, d, e, …"; "a, likewise in b, c" where the message is the first one's alone.
std::string clusters_of(const Finding&);

}  // namespace capwright::report
