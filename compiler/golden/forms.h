// What came out of a run of golden cases, for people and for programs. docs/testing.md describes the forms.
#pragma once
#include <span>
#include <string>

#include "golden/check.h"

namespace capwright::golden {

struct TextOptions {
  bool verbose = false;  // cases that are as expected, and all lines that differ
};

// Failed cases with what is wrong, then what differs from the kept trees, grouped over all cases by the shape of
// changes. Nothing when there is nothing to say.
std::string as_text(std::span<const Outcome> outcomes, TextOptions options);

// Before an update: how many files of which case it keeps anew, and what differs from them, grouped as above.
std::string as_update_text(std::span<const Outcome> outcomes, TextOptions options);

// JSON, version 1: every case.
std::string as_json(std::span<const Outcome> outcomes);

// JUnit XML: a suite a set, a test a case, those that pass as well.
std::string as_junit(std::span<const Outcome> outcomes);

// "3 of 67 cases failed", "67 cases passed".
std::string summary(std::span<const Outcome> outcomes);

}  // namespace capwright::golden
