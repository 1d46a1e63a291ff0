// `fmt`: brings values files and layers into the canonical layout.
#pragma once
#include <string>
#include <vector>

#include "workflow/open_project.h"

namespace capwright::workflow {

struct FormattedFile {
  std::string shown, opened;  // paths
  std::string before, after;
};

struct FormattedFiles {
  std::vector<FormattedFile> changed;
  std::size_t unchanged = 0;
  std::vector<std::string> skipped;  // a line each: "`a.yaml` is skipped: it is encrypted by sops"
};

// Formats these files, or all values files and the layers of the configuration with those that they extend. Writes
// nothing. Errors go to the project's sink.
FormattedFiles format_files(OpenProject& open, const std::vector<std::string>& targets);

// Writes all files, or none if an error can be foreseen. Returns the error, or an empty text.
std::string write_formatted(const FormattedFiles& files);

// A human-readable diff. Redacts texts at keys that a template set marks as secret.
std::string diff_of(const FormattedFiles& files, OpenProject& open);

}  // namespace capwright::workflow
