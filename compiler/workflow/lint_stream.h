// Lints manifests that are too long for memory: reads, lints and frees one document after the other.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "lint/engine/linter.h"
#include "lint/facts/unknown_kinds.h"
#include "workflow/open_project.h"
#include "workflow/stop.h"

namespace capwright::workflow {

// Takes the findings of a document before the document is freed.
class StreamFindings {
 public:
  virtual ~StreamFindings() = default;
  // Before the findings of each document.
  virtual void add_document() = 0;
  // Returns false to stop reading. `secrets`: of the sources.
  virtual bool add(const std::vector<Diagnostic>& diagnostics, const SourceSet& sources, secrets::Redactor secrets) = 0;
  virtual void add_unknown_kinds(const lint::UnknownKinds& kinds) = 0;
};

// Whether a target is longer than Limits::input_bytes. Reads and keeps at most that much of standard input.
bool has_long_target(const LintRequest& request, OpenProject& open);

// Lints such targets: each document by the rules for single objects, and by the server checks.
std::optional<Stop> lint_streams(const lint::Linter& linter, const lint::Context& context, const LintRequest& request,
                                 OpenProject& open, StreamFindings& findings);

}  // namespace capwright::workflow
