// `lint --fix`: look, mend in memory, look again until nothing changes; then write, or show the difference.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/open_project.h"
#include "lint/fix_trials.h"

namespace capwright::cli {

class LintFixes {
 public:
  explicit LintFixes(const LintOptions& options);

  // Texts that count instead of files in the next look, by shown path.
  const lint::Texts& edits() const { return trials_.edits(); }
  // Before a look: forgets what the last one offered. `open` is kept until the next.
  void begin(OpenProject& open);
  // During it: whatever is found; a finding that counts; a place of a secret.
  void note(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster);
  void offer(const Diagnostic& diagnostic, const SourceSet& sources) { offered_.add(diagnostic, sources); }
  void conceal(std::string_view path, Span secret);
  // After it: carries out what was offered, if that is asked for, and takes back what makes errors. Whether another
  // look is needed.
  bool advance();
  // Whether fixes are tried, that may be why a look can't be taken; fail() then takes them back.
  bool is_trying() const { return trials_.is_trying(); }
  void fail() { trials_.fail(); }

  // When nothing changes any more: writes the files, all or, as far as can be known before, none (write_fixed_files()).
  // The exit code when one can't be written.
  std::optional<int> write(Console& console);
  // What write() would change, for people; secrets are covered.
  std::string diff() const;
  // What was taken back, a line each: "the fix of CAP101 at values/a.yaml:2:10 is left out: it leads to …".
  std::vector<std::string> left_out() const;
  // "fixed 3 findings in 2 files; 1 more with `--unsafe-fixes`"; empty when there is nothing to say.
  std::string summary() const;

 private:
  bool is_asked() const { return options_.fix || options_.unsafe_fixes || options_.diff; }
  using SecretPlaces = std::map<std::string, std::set<Span>, std::less<>>;
  bool may_edit(const std::string& path, std::string_view text);
  bool is_editable(const std::string& path, std::string_view text) const;
  bool is_rendered_by_us(const std::string& path) const;
  std::string masked(const std::string& path, std::string text, const SecretPlaces& secrets) const;
  void mask_what_was_secret(const std::string& path, std::string& text) const;

  const LintOptions& options_;
  OpenProject* open_ = nullptr;
  lint::Fixes offered_;
  lint::Faults faults_;
  lint::FixTrials trials_;
  bool is_first_ = true;
  std::map<std::string, bool, std::less<>> editable_;  // as far as it was asked in this look
  lint::Texts originals_;                              // that the edits were made from, as they were read
  SecretPlaces secrets_at_first_, secrets_now_;
};

}  // namespace capwright::cli
