// Names are in one column, except long ones, whose text starts on the next line.
#include "cli/help_page.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/shared_options.h"

namespace capwright::cli {
namespace {

constexpr std::size_t kWidestName = 24, kIndent = 2, kGap = 2;

std::string full_name(const CLI::App& app) {
  const std::string above = app.get_parent() == nullptr ? "" : full_name(*app.get_parent()) + " ";
  return above + app.get_name();
}

// What a title shows for an argument's value, or for an option's: "ID", "[CLUSTER|FILE]...".
std::string argument_title(const HelpOption& option) {
  const std::string name = option.is_required ? option.type : "[" + option.type + "]";
  return name + (option.is_repeated ? "..." : "");
}

HelpOption help_of(CLI::Option& option, bool is_argument) {
  HelpOption help;
  help.is_argument = is_argument;
  help.is_required = option.get_required();
  help.is_repeated = option.get_items_expected_max() > 1;
  help.text = option.get_description();
  help.type = value_type(option);
  help.choices = choices_of(option);
  if (is_argument) return help;
  for (const std::string& name : option.get_snames()) help.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) help.names.push_back("--" + name);
  std::vector<std::string> conditions;
  if (help.is_required) conditions.emplace_back("required");
  for (const CLI::Option* needed : option.get_needs()) conditions.push_back("needs " + needed->get_name());
  for (const CLI::Option* excluded : option.get_excludes()) conditions.push_back("not with " + excluded->get_name());
  std::sort(conditions.begin(), conditions.end());  // the library's order is that of pointers
  if (!conditions.empty()) help.text += fmt::format(" ({})", fmt::join(conditions, ", "));
  return help;
}

HelpGroup& group_of(std::vector<HelpGroup>& groups, const std::string& title) {
  for (HelpGroup& group : groups) {
    if (group.title == title) return group;
  }
  return groups.emplace_back(HelpGroup{title, {}});
}

std::vector<HelpGroup> groups_of(CLI::App& app) {
  std::vector<HelpGroup> groups{{"Arguments", {}}, {"Options", {}}};
  HelpGroup common{kCommonOptions, {}};
  for (CLI::Option* option : app.get_options()) {
    if (option->get_positional()) groups[0].options.push_back(help_of(*option, true));
    if (option->get_snames().empty() && option->get_lnames().empty()) continue;
    const bool is_common = option == app.get_help_ptr() && app.get_parent() != nullptr;
    HelpGroup& group =
        is_common || option->get_group() == common.title ? common : group_of(groups, option->get_group());
    group.options.push_back(help_of(*option, false));
  }
  // Help is the first option that the library adds; it belongs to the end of the common ones.
  if (!common.options.empty()) std::rotate(common.options.begin(), common.options.begin() + 1, common.options.end());
  groups.push_back(std::move(common));
  std::erase_if(groups, [](const HelpGroup& group) { return group.options.empty(); });
  return groups;
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

using Rows = std::vector<std::pair<std::string, std::string>>;  // name and text

std::string as_lines(const Rows& rows, std::size_t column, std::size_t width) {
  std::string text;
  for (const auto& [name, meaning] : rows) {
    text += std::string(kIndent, ' ') + name;
    std::size_t at = kIndent + columns(name);
    const bool is_long = at + kGap > column;
    if (is_long) text += "\n", at = 0;
    for (const std::string& line : wrapped(meaning, width - column)) {
      text += std::string(column - at, ' ') + line + "\n";
      at = 0;
    }
    if (meaning.empty() && !is_long) text += "\n";
  }
  return text;
}

// The sections of a page that are tables, by title.
std::vector<std::pair<std::string, Rows>> tables_of(const HelpPage& page) {
  std::vector<std::pair<std::string, Rows>> tables;
  for (const CommandSummary& command : page.commands) {
    const std::string title = command.group.empty() ? "Commands" : command.group;
    if (tables.empty() || tables.back().first != title) tables.push_back({title, {}});
    tables.back().second.emplace_back(command.name, command.summary);
  }
  for (const HelpGroup& group : page.groups) {
    Rows& rows = tables.emplace_back(group.title, Rows{}).second;
    for (const HelpOption& option : group.options) rows.emplace_back(option.title(), option.full_text());
  }
  return tables;
}

}  // namespace

std::string HelpOption::title() const {
  if (is_argument) return argument_title(*this);
  const bool needs_space = !type.empty() && !type.starts_with('[');
  const std::string value = (needs_space ? " " : "") + type;
  const bool is_long = names.front().starts_with("--");
  return fmt::format("{}{}{}", is_long ? "    " : "", fmt::join(names, ", "), value);
}

std::string HelpOption::full_text() const {
  const std::string listed = fmt::format("{}", fmt::join(choices, "|"));
  if (choices.empty() || listed == type) return text;
  return fmt::format("{} [possible values: {}]", text, fmt::join(choices, ", "));
}

HelpPage page_of(CLI::App& app, const std::vector<Example>& all) {
  HelpPage page;
  page.name = full_name(app);
  page.summary = app.get_description();
  page.groups = groups_of(app);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    page.commands.push_back({command->get_name(), command->get_description(), ""});
  page.usage = page.name + (app.get_require_subcommand_min() > 0 ? " COMMAND [OPTIONS]" : " [OPTIONS]");
  for (const HelpGroup& group : page.groups) {
    for (const HelpOption& option : group.options) {
      if (option.is_argument) page.usage += " " + option.title();
    }
  }
  for (const Example& example : all) {
    if ((example.line + " ").find(page.name + " ") != std::string::npos) page.examples.push_back(example);
  }
  return page;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (lines.empty() || columns(lines.back()) + 1 + columns(word) > width) lines.push_back(word);
    else lines.back() += " " + word;
    at = end + 1;
  }
  return lines;
}

std::string as_text(const HelpPage& page, std::size_t width) {
  const auto tables = tables_of(page);
  std::size_t widest = 0;
  for (const auto& [title, rows] : tables) {
    for (const auto& [name, text] : rows) widest = std::max(widest, columns(name) > kWidestName ? 0 : columns(name));
  }
  std::string text = fmt::format("{}\n\nUsage: {}\n", fmt::join(wrapped(page.summary, width), "\n"), page.usage);
  if (!page.examples.empty()) text += "\nExamples:\n";
  for (const Example& example : page.examples) text += fmt::format("  # {}\n  {}\n", example.purpose, example.line);
  for (const auto& [title, rows] : tables)
    text += fmt::format("\n{}:\n{}", title, as_lines(rows, kIndent + widest + kGap, width));
  if (!page.end.empty()) text += fmt::format("\n{}\n", fmt::join(wrapped(page.end, width), "\n"));
  return text;
}

}  // namespace capwright::cli
