// Reports the findings of streamed manifests, which can be more than memory holds.
#pragma once
#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/lint_counts.h"
#include "cli/lint_options.h"
#include "workflow/lint_stream.h"

namespace capwright::cli {

// Shows findings at once if the format allows it, buffers others, and counts all.
class StreamReport final : public workflow::StreamFindings {
 public:
  StreamReport(const LintOptions& options, Console& console);
  ~StreamReport() override;

  void add_document() override { ++documents_; }
  // Returns false once the reader has closed the output.
  bool add(const std::vector<Diagnostic>& diagnostics, const SourceSet& sources, secrets::Redactor secrets) override;
  void add_unknown_kinds(const lint::UnknownKinds& kinds) override { counts_.add_unknown_kinds(kinds); }

  // Shows the rest. Returns the exit code.
  int finish();

 private:
  class Kept;

  std::string in_form(std::span<const report::Finding> findings) const;
  void keep(const report::Finding& finding, const SourceSet& sources);
  std::string rest_of_codes() const;

  const LintOptions& options_;
  Console& console_;
  bool leaves_at_once_, keeps_;
  LintCounts counts_;
  std::size_t documents_ = 0;
  std::deque<std::unique_ptr<Kept>> kept_;
  std::size_t kept_bytes_ = 0, left_out_ = 0;
};

}  // namespace capwright::cli
