// Options that all commands accept, as plain structs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "workflow/requests.h"

namespace capwright::cli {

enum class ColorMode : std::uint8_t { Auto, Always, Never };
// The output format of findings; Other is one of report_forms().
enum class Format : std::uint8_t { Text, Concise, Json, Other };

// `-f FORM=FILE`: also writes findings to a file.
struct ReportFile {
  std::string form;
  std::string path;
};

struct CommonOptions : workflow::RepositoryOptions {
  ColorMode color = ColorMode::Auto;
  Format format = Format::Text;
  std::string form = "text";  // the name of the format
  std::vector<ReportFile> report_files;
  bool is_for_people = true;  // whether the result is text, too
  bool quiet = false;
  bool verbose = false;
};

// Shows progress on standard error. Null if that isn't a terminal that can erase a line, and with --quiet or `CI`.
Progress* terminal_progress(const CommonOptions&);

}  // namespace capwright::cli
