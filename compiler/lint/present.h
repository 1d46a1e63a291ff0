// Findings become diagnostics: each at the value that one has to edit, with the template line and the rendered line
// beside it.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "diag/diag.h"
#include "lint/blame.h"
#include "lint/finding.h"

namespace capwright::lint {

// Adds a diagnostic to `sink`, with spans of Cluster::sources(). A place in a manifest that was not rendered in this
// run is shown as it is.
void present(const Finding& finding, Blame blame, Sink& sink);

// Where it can be said to be: the value, the template line, the rendered line, as far as there are.
std::vector<Span> places_of(const Finding& finding);

// Diagnostics of findings that concern several clusters, with the texts that they point into.
class FleetReport {
 public:
  void add(const Finding& finding, Blame blame);
  const SourceSet& sources() const { return sources_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  const std::vector<Span>& secrets() const { return secrets_; }

 private:
  Span carried(const Cluster& cluster, Span span);

  SourceSet sources_;
  std::vector<Diagnostic> diagnostics_;
  std::vector<Span> secrets_;
  std::map<std::pair<const Cluster*, FileId>, FileId> known_;
};

}  // namespace capwright::lint
