// Golden cases as they lie in a repository: golden/<set>/<case>/ with values, what they render to, and what else is
// expected of them.
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
  std::string set, name;    // its two folders
  std::string folder;       // how the file system reaches it
  std::string values;       // the name of its values file; empty: there is none
  bool has_config = false;  // a capwright.yaml of its own, which counts in place of the repository's
  bool has_expectation = false;
  bool has_tree = false;  // `clusters/`

  std::string title() const { return set + "/" + name; }
};

// All folders of the second level below `folder`, by set and name; names that begin with a dot and symbolic links are
// passed over. What can't be read is reported, `folder` itself when it is a link.
std::vector<Case> find_cases(FileSystem& fs, const std::string& folder, Sink& sink);

// The case's folder; ELOOP where the way there from the repository's root is no longer one without links.
IoError open_case(FileSystem& fs, const Case& golden, Dir& opened);

// Another case, and which machine templates may have other names than there.
struct Comparison {
  std::string against;             // as it is written: `minimal`, `capo/minimal`
  std::vector<std::string> rolls;  // names without the digest; empty: none
};

// expect.yaml. Its shape is schemas/config/expect.schema.json.
struct Expectation {
  std::vector<std::string> codes;   // findings; with them it is a negative case
  std::vector<std::string> values;  // files of the case that count above its values, as `--values` does
  std::vector<Comparison> comparisons;
};

// Faults are reported; then nothing.
std::optional<Expectation> read_expectation(FileId file, Stage& stage);

}  // namespace capwright::golden
