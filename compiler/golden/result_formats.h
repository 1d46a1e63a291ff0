// Formats the results of golden cases for people and programs. docs/testing.md describes the formats.
#pragma once
#include <span>
#include <string>

#include "golden/check_case.h"

namespace capwright::golden {

struct TextOptions {
  bool verbose = false;  // also cases that pass, and all lines that differ
};

// Failed cases with their errors, then the differences from the stored trees, grouped over all cases by the shape of
// changes. Empty if there are none.
std::string as_text(std::span<const Outcome> outcomes, TextOptions options);

// Before an update: the number of files that it rewrites in each case, and their differences, grouped as above.
std::string as_update_text(std::span<const Outcome> outcomes, TextOptions options);

// JSON, version 1: every case.
std::string as_json(std::span<const Outcome> outcomes);

// JUnit XML: one suite per set, one test per case, including those that pass.
std::string as_junit(std::span<const Outcome> outcomes);

// "3 of 67 cases failed", "67 cases passed".
std::string summary(std::span<const Outcome> outcomes);

}  // namespace capwright::golden
