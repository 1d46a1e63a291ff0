// What findings offer to write, carried out on texts: a pure function, so that nothing is written before all of it is
// known. Fixes that get into each other's way wait for the next look at what became of the texts.
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
#include "lint/faults.h"

namespace capwright::lint {

// What lists of rules say of a rule's fixes: "fix", "unsafe fix" or nothing.
std::string_view fix_words(Safety safety);

// The texts of files by the paths that are shown.
using Texts = std::map<std::string, std::string, std::less<>>;

struct FixedTexts {
  Texts texts;                                            // those that are changed
  EditedPlaces edited;                                    // in them: what was written
  std::map<std::string, std::size_t, std::less<>> fixes;  // carried out, by the path of their first edit
};

// The fixes of one look at everything.
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

  // Adds what a finding offers, if anything. The same edits of the same rule, in other clusters, are one fix.
  void add(const Diagnostic& diagnostic, const SourceSet& sources);

  // Carries out those that are at least as safe as `least_safe`, the safer ones first, in the order of paths and
  // places. Where two overlap the first wins; where one rule asks for different texts at one place, for different
  // clusters, nobody knows which is right, and none does. `may_edit` says whether a file is one to be edited, and is as
  // it was read.
  using MayEdit = std::function<bool(const std::string& path, std::string_view text)>;
  FixedTexts carry_out(Safety least_safe, const MayEdit& may_edit) const {
    return carry_out(choose(least_safe, may_edit, {}));
  }
  // The same in two steps; `refused` are never chosen.
  Offers choose(Safety least_safe, const MayEdit& may_edit, const std::set<Offer>& refused) const;
  FixedTexts carry_out(const Offers& chosen) const;
  // Where the first edit of an offer is: "values/a.yaml:2:10".
  std::string place_of(const Offer& offer) const;
  // The same offer after others were carried out on the texts.
  static Offer moved(Offer offer, const Offers& others);
  // A text that fixes are for, as it was read.
  const std::string& text(std::string_view path) const { return texts_.find(path)->second; }
  // How many fixes of one safety there are, in files to be edited.
  std::size_t count(Safety safety, const MayEdit& may_edit) const;

 private:
  bool is_disputed(const Offer& offer) const;
  bool can_edit(const Offer& offer, const MayEdit& may_edit) const;

  std::set<Offer> offers_;
  Texts texts_;  // as they were read
  // The texts that a rule asks for at a place; more than one is a dispute.
  std::map<std::tuple<std::string, std::string, std::uint32_t, std::uint32_t>, std::set<std::string>> asked_;
};

// What look after look makes of the texts. One that comes back to what it was, or is never done, has no end of fixes:
// it is put back to what it was at first, and left alone. So fixing what is fixed changes nothing.
class FixHistory {
 public:
  // Takes what a look's fixes made of texts, which were read as edits() has them. False when nothing is new.
  bool advance(const Fixes& look, FixedTexts fixed);

  // What differs from the files now, and the number of fixes in it.
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
