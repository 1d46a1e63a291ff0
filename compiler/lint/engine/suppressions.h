// Suppression comments: `# capwright: ignore=CAP401 -- two is all the lab has [until=2027-01-31]`, in values, templates
// (also `{# capwright: … #}`) and manifests. A comment at the end of a line applies to that line, a comment on a line
// of its own to the next.
#pragma once
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diag/diag.h"
#include "source/source.h"

namespace capwright::lint {

struct Suppression {
  Span where;              // of the comment
  std::uint32_t line = 0;  // the line it applies to, from 1
  std::vector<std::string> selectors;
  bool has_reason = false;
  std::string until;             // a date; empty: no expiry
  bool has_until = false;        // also for an invalid date
  bool has_other_words = false;  // such as `until 2027-01-31` without `=`
  bool is_malformed = false;     // looks like a suppression, but has no readable selectors
  std::set<std::size_t> used;    // which of `selectors` have suppressed a finding

  // Whether it has expired on the date `as_of`, or its expiry can't be read.
  bool is_expired(std::string_view as_of) const { return has_other_words || (has_until && until < as_of); }
  // Which of `selectors` match it.
  std::set<std::size_t> names_of(const DiagInfo& info) const;
  // Marks the selectors that match `info` as used.
  void use(const DiagInfo& info) { used.merge(names_of(info)); }
};

// The suppressions in a text, in order.
std::vector<Suppression> read_suppressions(FileId file, std::string_view text);

// All suppressions of one cluster.
class Suppressions {
 public:
  Suppressions() = default;
  // All of them in these files.
  explicit Suppressions(const SourceSet& sources);

  void read(FileId file, const SourceSet& sources);
  // Removes the diagnostics that a suppression matches at one of their places, and marks it as used. Errors of a render
  // stay: there is nothing to lint without the render.
  void apply(std::vector<Diagnostic>& diagnostics, const SourceSet& sources, std::string_view as_of);
  // The suppressions for a diagnostic with these places; doesn't mark them.
  std::vector<const Suppression*> of(const DiagInfo& info, std::span<const Span> places, const SourceSet& sources,
                                     std::string_view as_of) const;

  // Whether apply() would remove it; doesn't mark anything.
  bool suppresses(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view as_of) const;

  const std::vector<Suppression>& all() const { return all_; }

 private:
  std::vector<std::size_t> numbers_of(const Diagnostic& diagnostic, const SourceSet& sources,
                                      std::string_view as_of) const;
  std::vector<std::size_t> numbers_of(const DiagInfo& info, std::span<const Span> places, const SourceSet& sources,
                                      std::string_view as_of) const;

  std::vector<Suppression> all_;
  std::map<std::pair<FileId, std::uint32_t>, std::vector<std::size_t>> by_line_;  // by the line they apply to
};

}  // namespace capwright::lint
