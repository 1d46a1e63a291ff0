// Findings of other tools about rendered files, independent of their format.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"

namespace capwright::remap {

// The unit of columns.
enum class Column : std::uint8_t { Utf16, CodePoint };

// A region of text, from 1; 0 means "not given".
struct Region {
  std::uint32_t line = 0, column = 0;
  std::uint32_t end_line = 0, end_column = 0;  // after the last one
  Column unit = Column::Utf16;
};

struct ForeignFinding {
  std::string tool;  // "kubeconform"
  std::string rule;  // the tool's name for the problem: "invalid", "CKV_K8S_43"
  Severity severity = Severity::Error;
  std::string message;

  std::string path;       // as passed to the tool; empty: not in a file
  bool is_input = false;  // the tool read standard input: only the object gives the place
  Region region;
  // Instead of a region: an object, and a path in it.
  std::string kind, name;          // empty: not given
  std::vector<std::string> field;  // path steps; empty: the whole object
};

// Why a text isn't a valid report, for a message. Empty if it was read.
using Fault = std::optional<std::string>;

// `kubeconform -output json`: a finding for each of `validationErrors`, or for each field in `msg`, or one for the
// object. Valid and skipped objects have none.
Fault read_kubeconform(std::string_view text, std::vector<ForeignFinding>& findings);

// SARIF 2.1.0: the failed and unsuppressed results of all runs, at their first location.
Fault read_sarif(std::string_view text, std::vector<ForeignFinding>& findings);

}  // namespace capwright::remap
