// Golden cases in a repository: golden/<set>/<case>/ with values, the expected render, and other expectations.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "source/file_system.h"
#include "value/stage.h"

namespace capwright::golden {

inline constexpr std::string_view kFolder = "golden";
inline constexpr std::string_view kExpectName = "expect.yaml";

struct Case {
  std::string set, name;    // its two directory names
  std::string folder;       // its path in the file system
  std::string values;       // the name of its values file; empty: none
  bool has_config = false;  // it has a capwright.yaml, which replaces the repository's
  bool has_expectation = false;
  bool has_tree = false;  // `clusters/`

  std::string title() const { return set + "/" + name; }
};

// All second-level directories below `folder`, by set and name; skips names that begin with a dot, and symbolic links.
// Reports unreadable directories, and `folder` itself if it is a link.
std::vector<Case> find_cases(FileSystem& fs, const std::string& folder, Sink& sink);

// Opens the case's directory; ELOOP if its path from the repository's root now contains a link.
IoError open_case(FileSystem& fs, const Case& golden, Dir& opened);

// Another case, and the machine templates whose names may differ from it.
struct Comparison {
  std::string against;             // as written: `minimal`, `capo/minimal`
  std::vector<std::string> rolls;  // names without the digest; empty: none
};

// expect.yaml. schemas/config/expect.schema.json defines its form.
struct Expectation {
  std::string path;                 // the values file that the case represents; empty: not given
  std::vector<std::string> codes;   // expected findings; then it is a negative case
  std::vector<std::string> values;  // files of the case with precedence over its values, like `--values`
  std::vector<Comparison> comparisons;
};

// Reports errors; then empty.
std::optional<Expectation> read_expectation(FileId file, Stage& stage);

}  // namespace capwright::golden
