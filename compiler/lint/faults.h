// The errors of one look at everything, to know which of them a fix has made.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "lint/baseline.h"

namespace capwright::lint {

// Bytes of files that fixes have written, by shown path.
struct TextRange {
  std::uint32_t begin = 0, end = 0;
};
using EditedPlaces = std::map<std::string, std::vector<TextRange>, std::less<>>;

struct Fault {
  std::string code, message;
  std::string place;    // "values/a.yaml:2:10"; empty: it has none
  std::string cluster;  // that has it; may be empty
  std::string path;
  std::uint32_t begin = 0, end = 0;
  // What is not looked at any further while it is there: the cluster, of an error of its render; the object or file, of
  // what lint says.
  std::string scope;
  Safety fix = Safety::DisplayOnly;  // of what it offers
};

class Faults {
 public:
  // Takes what is an error.
  void add(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster);

  // The first error that is there more often than in `first` and in `before`. Not one that the next round mends, by
  // fixes as safe as `least_safe`. And where another error of the same scope is gone, more of the scope is looked at:
  // what comes to light then was there, unless it is at an edited place.
  const Fault* made_since(const Faults& first, const Faults& before, const EditedPlaces& edited,
                          Safety least_safe) const;

 private:
  struct Known {
    std::uint32_t count = 0;
    Fault fault;
  };
  std::uint32_t count(const BaselineKey& key) const;
  std::set<std::string> scopes_that_lost(const Faults& before) const;

  std::map<BaselineKey, Known> known_;
};

}  // namespace capwright::lint
