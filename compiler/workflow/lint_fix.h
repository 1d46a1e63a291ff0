// `lint --fix`: lints, fixes in memory, and lints again until nothing changes; then writes, or shows the difference.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lint/fixes/fix_trials.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

class LintFixes {
 public:
  explicit LintFixes(const LintRequest& request);

  // Texts that replace files in the next pass, by shown path.
  const lint::Texts& edits() const { return trials_.edits(); }
  // Call it before a pass: drops the offers of the last one. `open` must live until the next call.
  void begin(OpenProject& open);
  // Call it during a pass: for every finding; for a reported finding; for the place of a secret.
  void note(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster);
  void offer(const Diagnostic& diagnostic, const SourceSet& sources) { offered_.add(diagnostic, sources); }
  void redact(std::string_view path, Span secret);
  // Call it after a pass: applies the offered fixes, if requested, and reverts those that cause errors. Returns whether
  // another pass is needed.
  bool advance();
  // Whether fixes are on trial, which may be why a pass fails; fail() then reverts them.
  bool is_trying() const { return trials_.is_trying(); }
  void fail() { trials_.fail(); }

  // Call it when nothing changes any more: writes all files, or none if an error can be foreseen (write_fixed_files()).
  // Returns the error, or an empty text.
  std::string write();
  // A human-readable diff of the changes that write() would make, with secrets redacted.
  std::string diff() const;
  // Reverted fixes, a line each: "the fix of CAP101 at values/a.yaml:2:10 is left out: it leads to …".
  std::vector<std::string> left_out() const;
  // "fixed 3 findings in 2 files; 1 more with `--unsafe-fixes`"; empty if there is nothing to report.
  std::string summary() const;

 private:
  bool is_asked() const { return request_.fix || request_.unsafe_fixes || request_.diff; }
  using SecretPlaces = std::map<std::string, std::set<Span>, std::less<>>;
  bool may_edit(const std::string& path, std::string_view text);
  bool is_editable(const std::string& path, std::string_view text) const;
  bool is_rendered_by_us(const std::string& path) const;
  std::string redacted(const std::string& path, std::string text, const SecretPlaces& secrets) const;
  void redact_what_was_secret(const std::string& path, std::string& text) const;

  const LintRequest& request_;
  OpenProject* open_ = nullptr;
  lint::Fixes offered_;
  lint::Faults faults_;
  lint::FixTrials trials_;
  bool is_first_ = true;
  std::map<std::string, bool, std::less<>> editable_;  // the files checked in this pass
  lint::Texts originals_;                              // the texts that were read, before the edits
  SecretPlaces secrets_at_first_, secrets_now_;
};

}  // namespace capwright::workflow
