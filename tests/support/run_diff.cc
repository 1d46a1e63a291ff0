// Compares two sides in memory, with the built-in kinds.
#include "support/run_diff.h"

#include <algorithm>
#include <sstream>

#include "diff/compare.h"
#include "diff/file_texts.h"
#include "diff/record.h"
#include "pipeline/schemas.h"
#include "report/diff_report.h"

namespace capwright::spec {
namespace {

const crd::Registry& built_in_kinds() {
  static const crd::Registry registry(built_in_digests(), {});
  return registry;
}

// The path of a side's file, empty for other files: `before/a.yaml` and `before.yaml`.
std::string path_in(const Block& block, const std::string& side) {
  if (block.info == side + ".yaml") return "manifests.yaml";
  return block.info.starts_with(side + "/") ? block.info.substr(side.size() + 1) : "";
}

void fill(diff::Side& side, const Case& test, const std::string& name) {
  for (const Block* block : test.files()) {
    const std::string path = path_in(*block, name);
    if (!path.empty()) side.add_file(path, block->text);
  }
}

struct DiffSettings {
  diff::CompareOptions options;
  bool lines = false;
};

DiffSettings settings_of(const Case& test) {
  DiffSettings settings;
  settings.options.registry = &built_in_kinds();
  const Block* block = test.find("options");
  std::istringstream lines(block != nullptr ? block->text : "");
  for (std::string line; std::getline(lines, line);) {
    std::string why;
    if (line == "lines: true") settings.lines = true;
    if (!line.starts_with("ignore: ")) continue;
    if (auto pattern = diff::PathPattern::read(line.substr(8), why)) settings.options.ignore.push_back(*pattern);
  }
  return settings;
}

// Without the cluster's line, the empty line and the count at the end.
std::string objects_in(const std::string& text) {
  const std::size_t begin = text.find('\n') + 1;
  const std::size_t end = text.rfind("\n\n");
  return end == std::string::npos || end < begin ? "" : text.substr(begin, end + 1 - begin);
}

}  // namespace

bool is_diff_case(const Case& test) {
  const auto files = test.files();
  return test.find("diff") != nullptr || std::any_of(files.begin(), files.end(), [](const Block* block) {
           return !path_in(*block, "before").empty() || !path_in(*block, "after").empty();
         });
}

std::vector<Mismatch> run_diff_case(const Case& test) {
  const Block* expected = test.find("diff");
  if (expected == nullptr) return {{nullptr, "", "the case expects nothing: it needs a `diff` block"}};
  diff::Side before("prod"), after("prod");
  fill(before, test, "before");
  fill(after, test, "after");
  const DiffSettings settings = settings_of(test);
  const diff::ClusterDiff found = diff::compare(&before, &after, settings.options);
  std::string actual;
  if (settings.lines) {
    actual = diff::diff_of_files(found, &before, &after, {});
  } else {
    std::vector<diff::ClusterRecord> records{diff::record_of(found, &before, &after)};
    const bool shown = !found.pairs.empty();
    records[0].differs = shown;  // ignored changes matter here, too
    const report::FleetDifferences differences{records, 1, 0, found.ignored, "before", "after"};
    actual = objects_in(report::diff_as_text(differences, {.by_cluster = true, .verbose = true}));
    if (!found.differs() && shown) actual += "(no difference)\n";
  }
  if (actual == expected->text) return {};
  return {{expected, actual, "other differences are found"}};
}

}  // namespace capwright::spec
