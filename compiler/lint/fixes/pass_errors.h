// The errors of one lint pass, to find those that a fix introduced.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "lint/engine/baseline.h"

namespace capwright::lint {

// Byte ranges of files that fixes have written, by displayed path.
struct TextRange {
  std::uint32_t begin = 0, end = 0;
};
using EditedPlaces = std::map<std::string, std::vector<TextRange>, std::less<>>;

struct Fault {
  std::string code, message;
  std::string place;    // "values/a.yaml:2:10"; empty: it has none
  std::string cluster;  // the cluster with the error; may be empty
  std::string path;
  std::uint32_t begin = 0, end = 0;
  // The scope that isn't checked further while the error exists: the cluster, for an error of its render; the object or
  // file, for a lint error.
  std::string scope;
  Safety fix = Safety::DisplayOnly;  // the safety of the offered fix
};

class Faults {
 public:
  // Adds the diagnostic if it is an error.
  void add(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster);

  // The first error that occurs more often than in `first` and in `before`. Ignores errors that fixes as safe as
  // `least_safe` resolve in the next round. If another error of the same scope is gone, more of the scope was checked:
  // a newly visible error then counts only at an edited place.
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
