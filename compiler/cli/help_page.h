// The page of a command: the data of `--help`, man pages, completion and docs/commands.md, and its layout as text.
#pragma once
#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/command.h"

namespace capwright::cli {

// An argument or an option.
struct HelpOption {
  bool is_argument = false, is_required = false, is_repeated = false;
  std::vector<std::string> names;    // "-f", "--format"; empty for an argument
  std::string type;                  // "FORM[=FILE]"; empty for a flag
  std::vector<std::string> choices;  // all values that it accepts; empty if there are too many to list
  std::string text;

  // "-f, --format FORM[=FILE]", "[CLUSTER|FILE]...".
  std::string title() const;
  // The text, with the choices that the title doesn't show.
  std::string full_text() const;
};

struct HelpGroup {
  std::string title;  // "Options"
  std::vector<HelpOption> options;
};

struct CommandSummary {
  std::string name, summary;
  std::string group;  // its title in `capwright --help`; empty for a subcommand
};

struct HelpPage {
  std::string name;  // "capwright addons list"
  std::string summary;
  std::string usage;
  std::vector<CommandSummary> commands;  // its subcommands
  std::vector<HelpGroup> groups;         // the common options last
  std::vector<Example> examples;
  std::string end;  // a paragraph after the options
};

inline constexpr const char* kCommonOptions = "Common options";

// The page of `app`, whose options must have been added. Examples of `all` are chosen by their command.
HelpPage page_of(CLI::App& app, const std::vector<Example>& all);

// The lines of `text`, broken at spaces where they are longer than `width` columns.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

std::string as_text(const HelpPage&, std::size_t width);

// "capwright-addons-list".
std::string man_name(const HelpPage&);
// The page as a manual page: troff with the macros of man(7), for groff and mandoc. `all`: the other pages, of which
// the page refers to the nearest. It holds no date, so that builds are reproducible.
std::string as_man_page(const HelpPage&, const std::vector<HelpPage>& all);

}  // namespace capwright::cli
