// Options that several commands accept, as plain structs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace capwright::cli {

enum class ColorMode : std::uint8_t { Auto, Always, Never };
// The output format of findings; Other is one of report_forms().
enum class Format : std::uint8_t { Text, Concise, Json, Other };

// `-f FORM=FILE`: also writes findings to a file.
struct ReportFile {
  std::string form;
  std::string path;
};

// Options of all commands. The options of a command may have `bool needs_git() const` and `bool gains_from_git()
// const`, see hand_over.h.
struct CommonOptions {
  std::optional<std::string> config;  // --config FILE
  bool isolated = false;              // ignore any capwright.yaml
  bool allow_outside = false;         // --allow-outside: paths of the repository may refer to files outside of it
  std::vector<std::string> words;     // the complete command line: the user chose the paths in it
  ColorMode color = ColorMode::Auto;
  Format format = Format::Text;
  std::string form = "text";  // the name of the format
  std::vector<ReportFile> report_files;
  bool quiet = false;
  bool verbose = false;
};

// Options that add or replace a cluster's values.
struct ValueOptions {
  std::vector<std::string> files;  // --values FILE, in order
  struct Set {
    std::string assignment;  // path=value
    bool as_string;          // --set-string
  };
  std::vector<Set> sets;  // --set and --set-string, in the order given
};

// A folder of Jinja2 templates without capwright's conventions.
struct PlainTemplates {
  std::string folder;                 // --template-dir
  std::string main;                   // --main
  std::optional<std::string> schema;  // --schema
  std::vector<std::string> jinja;     // --jinja trim_blocks,lstrip_blocks,…
};

}  // namespace capwright::cli
