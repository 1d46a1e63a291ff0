// Comments that take findings back: `# capwright: ignore=CAP401 -- two is all the lab has [until=2027-01-31]`, in
// values, templates (`{# capwright: … #}` too) and manifests. Behind something they count for their line, alone for the
// next.
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
  std::uint32_t line = 0;  // that it is for, from 1
  std::vector<std::string> selectors;
  bool has_reason = false;
  std::string until;             // a date; empty: for ever
  bool has_until = false;        // also when it is no date
  bool has_other_words = false;  // such as `until 2027-01-31` where `until=` should stand
  bool is_malformed = false;     // meant as one, and nothing is named in the way that is read
  std::set<std::size_t> used;    // which of `selectors` have taken something back

  // Whether its time is over on the day `as_of`, or nobody knows when that is.
  bool is_expired(std::string_view as_of) const { return has_other_words || (has_until && until < as_of); }
  // Which of `selectors` name it.
  std::set<std::size_t> names_of(const DiagInfo& info) const;
  // That it has taken back what `info` is of.
  void use(const DiagInfo& info) { used.merge(names_of(info)); }
};

// Those of a text, in its order.
std::vector<Suppression> read_suppressions(FileId file, std::string_view text);

// All of one cluster.
class Suppressions {
 public:
  void read(FileId file, const SourceSet& sources);
  // Takes back what one of them names at a place of it that they are for; marks those that were used. Errors of
  // rendering stay: there is nothing to look at without them.
  void apply(std::vector<Diagnostic>& diagnostics, const SourceSet& sources, std::string_view as_of);
  // Those that take back what has these places; they are not marked.
  std::vector<Suppression*> of(const DiagInfo& info, std::span<const Span> places, const SourceSet& sources,
                               std::string_view as_of);

  const std::vector<Suppression>& all() const { return all_; }

 private:
  std::vector<Suppression> all_;
  std::map<std::pair<FileId, std::uint32_t>, std::vector<std::size_t>> by_line_;  // that they are for
};

}  // namespace capwright::lint
