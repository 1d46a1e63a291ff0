// Findings become diagnostics: each at the value that one has to edit, with the template line and the rendered line
// beside it.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "diag/diag.h"
#include "lint/blame.h"
#include "lint/finding.h"
#include "pipeline/cover_secrets.h"

namespace capwright::lint {

// Adds a diagnostic to `sink`, with spans of Cluster::sources(). A place in a manifest that was not rendered in this
// run is shown as it is.
void present(Finding finding, Blame blame, Sink& sink);

// Where it can be said to be: the value, the template line, the rendered line, as far as there are.
std::vector<Span> places_of(const Finding& finding);

// Calls `visit` with each place that a diagnostic names, to look at it or to move it.
template <class Visit>
void for_each_place(Diagnostic& diagnostic, Visit visit) {
  visit(diagnostic.where);
  for (Label& label : diagnostic.labels) visit(label.where);
  for (TraceFrame& frame : diagnostic.trace) visit(frame.where);
  if (!diagnostic.fix) return;
  for (Edit& edit : diagnostic.fix->edits) visit(edit.where);
}

// Diagnostics with the texts that they point into: they outlive the clusters that they are about.
class KeptFindings {
 public:
  // `shared`: templates that outlive this, so that their texts need not be kept; null: none.
  explicit KeptFindings(const SourceSet* shared = nullptr);
  KeptFindings(const KeptFindings&) = delete;
  KeptFindings& operator=(const KeptFindings&) = delete;

  // Of one or several clusters.
  void add(const Finding& finding, Blame blame);
  // Whatever is added from the same sources, they stay until all of it is.
  void add(Diagnostic diagnostic, const SourceSet& from, const std::vector<Span>& secrets);
  // All of `sink`, which is empty then.
  void take(Sink& sink, const SourceSet& from, const std::vector<Span>& secrets);

  const SourceSet& sources() const { return sources_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  const std::vector<Span>& secrets() const { return secrets_; }

 private:
  struct Secrets {
    SecretTexts texts;
    ShownLines lines;
  };

  Span carried(const Cluster& cluster, Span span) { return carried(cluster.sources(), cluster.secrets(), span); }
  Span carried(const SourceSet& from, const std::vector<Span>& secrets, Span span);
  FileId copy_of(FileId file, const SourceSet& from);
  void cover(const Cluster& cluster, Diagnostic& diagnostic);

  const SourceSet* shared_;
  SourceSet sources_;
  std::vector<Diagnostic> diagnostics_;
  std::vector<Span> secrets_;
  std::map<std::pair<const SourceSet*, FileId>, FileId> known_;
  std::map<const Cluster*, Secrets> of_clusters_;  // of those that were asked for
};

}  // namespace capwright::lint
