// Converts findings to diagnostics: at the value to edit, with the template line and the rendered line as further
// places.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "diag/diag.h"
#include "lint/engine/lint_finding.h"
#include "lint/engine/selection.h"
#include "secrets/redactor.h"

namespace capwright::lint {

// Adds a diagnostic to the sink of the finding's cluster, with spans of its sources. A place in a manifest that wasn't
// rendered in this run stays as it is.
void present(Finding finding, Blame blame, Cluster& cluster);

// The available places of a finding, in this order: the value, the template line, the rendered line.
std::vector<Span> places_of(const Finding& finding);

// Calls `visit` with each place in a diagnostic, to read or change it.
template <class Visit>
void for_each_place(Diagnostic& diagnostic, Visit visit) {
  visit(diagnostic.where);
  visit(diagnostic.cause);
  for (Label& label : diagnostic.labels) visit(label.where);
  for (TraceFrame& frame : diagnostic.trace) visit(frame.where);
  if (!diagnostic.fix) return;
  for (Edit& edit : diagnostic.fix->edits) visit(edit.where);
}

// Diagnostics with the texts that they point into: they outlive their clusters.
class KeptFindings {
 public:
  // `shared`: templates that outlive this, so that their texts aren't copied; null: none.
  explicit KeptFindings(const SourceSet* shared = nullptr);
  KeptFindings(const KeptFindings&) = delete;
  KeptFindings& operator=(const KeptFindings&) = delete;

  // May be called for several clusters.
  void add(const Finding& finding, Blame blame);
  // Copies one of `from`.
  void add(std::size_t number, const KeptFindings& from);
  // Moves all diagnostics out of `sink`. Returns the places of secrets in `from`.
  secrets::Places take(Sink& sink, const SourceSet& from, secrets::Redactor secrets);

  const SourceSet& sources() const { return sources_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  // The words of these diagnostics are redacted already.
  secrets::Redactor redactor() const;

 private:
  void add(Diagnostic diagnostic, const SourceSet& from, const std::vector<Span>& secrets);
  Span carried(const Cluster& cluster, Span span) { return carried(cluster.sources(), cluster.secrets(), span); }
  Span carried(const SourceSet& from, const std::vector<Span>& secrets, Span span);
  FileId copy_of(FileId file, const SourceSet& from);
  void redact(const Cluster& cluster, Diagnostic& diagnostic);

  const SourceSet* shared_;
  SourceSet sources_;
  std::vector<Diagnostic> diagnostics_;
  std::vector<Span> secrets_;
  std::map<std::pair<const SourceSet*, FileId>, FileId> known_;
  std::map<const Cluster*, secrets::Redactor> of_clusters_;  // of the clusters that were requested
};

}  // namespace capwright::lint
