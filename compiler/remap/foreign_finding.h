// What other tools say of rendered files, whatever form they say it in.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"

namespace capwright::remap {

// What a column of a line counts.
enum class Column : std::uint8_t { Utf16, CodePoint };

// A place of text, from 1; 0 is "not said".
struct Region {
  std::uint32_t line = 0, column = 0;
  std::uint32_t end_line = 0, end_column = 0;  // behind the last one
  Column unit = Column::Utf16;
};

struct ForeignFinding {
  std::string tool;  // "kubeconform"
  std::string rule;  // its own name for what is wrong: "invalid", "CKV_K8S_43"
  Severity severity = Severity::Error;
  std::string message;

  std::string path;       // as the tool was given it; empty: of no file
  bool is_input = false;  // the tool read its standard input: the object alone says where it is
  Region region;
  // Instead of a region: an object, and a place in it.
  std::string kind, name;          // empty: not said
  std::vector<std::string> field;  // its steps; empty: the object as a whole
};

// Why a text is no report: said to people. Nothing when it was read.
using Fault = std::optional<std::string>;

// `kubeconform -output json`: a finding for each of `validationErrors`, else for what `msg` tells of fields, else one
// for the object. Those that are valid or skipped are none.
Fault read_kubeconform(std::string_view text, std::vector<ForeignFinding>& findings);

// SARIF 2.1.0: the results of all runs that are faults and not suppressed, at their first location.
Fault read_sarif(std::string_view text, std::vector<ForeignFinding>& findings);

}  // namespace capwright::remap
