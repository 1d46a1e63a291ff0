// How a template is read: Jinja2's Environment options, with Jinja2's names and defaults.
#pragma once
#include <cstdint>
#include <string>

namespace capwright::jinja {

// How an undefined value behaves when it is used: Jinja2's four classes.
enum class UndefinedMode : std::uint8_t { Strict, Default, Chainable, Debug };

// The reader of the YAML that filters write. Ansible's filters quote texts that PyYAML would misread.
enum class YamlReader : std::uint8_t {
  Python,  // bytes as ansible-core writes them
  Warned,  // the same, with a warning for texts to which kubectl and Helm give another type
  Go,      // quotes such texts too, and `from_yaml` reads as kubectl and Helm do
};

struct Options {
  std::string block_start = "{%", block_end = "%}";
  std::string variable_start = "{{", variable_end = "}}";
  std::string comment_start = "{#", comment_end = "#}";
  std::string line_statement_prefix;  // empty: none
  std::string line_comment_prefix;    // empty: none
  std::string newline_sequence = "\n";
  bool trim_blocks = false;
  bool lstrip_blocks = false;
  bool keep_trailing_newline = false;
  bool autoescape = false;
  bool extension_do = true;
  bool extension_loopcontrols = true;
  bool extras = true;  // filters and tests beyond Jinja2's
  UndefinedMode undefined = UndefinedMode::Strict;
  YamlReader yaml_reader = YamlReader::Python;  // not from Jinja2
  // The nesting limit of tags and brackets; not from Jinja2: Limits::depth.
  std::uint32_t depth = 200;
};

}  // namespace capwright::jinja
