// Applies the edits that findings offer to texts in memory, so that files are only written once all edits are known.
// Conflicting fixes wait for the next pass over the new texts.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "diag/diag.h"
#include "lint/fixes/pass_errors.h"

namespace capwright::lint {

// How lists of rules describe a rule's fixes: "fix", "unsafe fix" or empty.
std::string_view fix_words(Safety safety);

// The texts of files by displayed path.
using Texts = std::map<std::string, std::string, std::less<>>;

struct FixedTexts {
  Texts texts;                                            // the changed ones
  EditedPlaces edited;                                    // the written ranges in them
  std::map<std::string, std::size_t, std::less<>> fixes;  // applied fixes, by the path of their first edit
};

// The fixes of one lint pass.
class Fixes {
 public:
  struct FileEdit {
    std::string path;
    std::uint32_t begin, end;
    std::string text;
    friend auto operator<=>(const FileEdit&, const FileEdit&) = default;
  };
  struct Offer {
    Safety safety;
    std::vector<FileEdit> edits;
    std::string rule;
    friend auto operator<=>(const Offer&, const Offer&) = default;
  };
  using Offers = std::vector<Offer>;

  // Adds the fix that a finding offers, if any. The same edits of the same rule in other clusters are one fix.
  void add(const Diagnostic& diagnostic, const SourceSet& sources);

  // Applies the fixes that are at least as safe as `least_safe`: safer ones first, then by path and place. If two
  // overlap, the first wins. If one rule asks for different texts at one place, for different clusters, none is
  // applied. `may_edit` returns whether a file may be edited and is unchanged since it was read.
  using MayEdit = std::function<bool(const std::string& path, std::string_view text)>;
  FixedTexts carry_out(Safety least_safe, const MayEdit& may_edit) const {
    return carry_out(choose(least_safe, may_edit, {}));
  }
  // The same in two steps; never chooses `refused`.
  Offers choose(Safety least_safe, const MayEdit& may_edit, const std::set<Offer>& refused) const;
  FixedTexts carry_out(const Offers& chosen) const;
  // The place of an offer's first edit: "values/a.yaml:2:10".
  std::string place_of(const Offer& offer) const;
  // The same offer, adjusted to texts with other offers applied.
  static Offer moved(Offer offer, const Offers& others);
  // The text of a file with fixes, as it was read.
  const std::string& text(std::string_view path) const { return texts_.find(path)->second; }
  // The number of fixes with this safety in files that may be edited.
  std::size_t count(Safety safety, const MayEdit& may_edit) const;

 private:
  bool is_disputed(const Offer& offer) const;
  bool can_edit(const Offer& offer, const MayEdit& may_edit) const;

  std::set<Offer> offers_;
  Texts texts_;  // as they were read
  // The texts that a rule asks for at a place; more than one is a conflict.
  std::map<std::tuple<std::string, std::string, std::uint32_t, std::uint32_t>, std::set<std::string>> asked_;
};

// The state of texts over several passes. A text that returns to an earlier state, or never settles, would be fixed
// forever: it is reset to its first state and no longer fixed. So fixing is idempotent.
class FixHistory {
 public:
  // Adds the result of a pass whose input was edits(). Returns false when nothing changed.
  bool advance(const Fixes& look, FixedTexts fixed);

  // The texts that now differ from the files, and the number of fixes in them.
  const Texts& edits() const { return edits_; }
  std::size_t fixes() const;

 private:
  struct File {
    std::set<std::string> seen;
    std::size_t fixes = 0;
    bool is_left_alone = false;
  };
  bool take(const std::string& path, const std::string& before, std::string text, std::size_t fixes);

  std::map<std::string, File, std::less<>> files_;
  Texts edits_;
};

}  // namespace capwright::lint
