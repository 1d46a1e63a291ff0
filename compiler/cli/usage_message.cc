// Suggests similar commands and options; otherwise uses the library's words if they are about the command line.
#include "cli/usage_message.h"

#include <algorithm>
#include <fmt/format.h>

#include "diag/suggest.h"

namespace capwright::cli {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// Where the command line needs the name of a command: the commands that it may be one of, and its index. Null: nowhere.
std::pair<const CLI::App*, int> expected_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* above = &app;
  int at = 1;
  for (; at < argc && !above->get_subcommands().empty(); ++at) above = above->get_subcommands().front();
  if (above != &app && above->get_name() != argv[at - 1]) return {nullptr, at};  // there are options between
  return {command_names(*above).empty() ? nullptr : above, at};
}

std::string unknown_name(const CLI::App& above, const std::string& given) {
  const std::vector<std::string> names = command_names(above);
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const bool is_program = above.get_parent() == nullptr;
  std::string advice = did_you_mean(given, candidates);
  if (advice.empty() && !is_program) advice = fmt::format("use {}", list_names(candidates, candidates.size()));
  return fmt::format("unknown command `{}{}`{}{}", is_program ? "" : above.get_name() + " ", given,
                     advice.empty() ? "" : "; ", advice);
}

// A suggestion for an option that the command doesn't have. Otherwise empty.
std::string unknown_option(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  std::vector<std::string> names;
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  for (int i = 1; i < argc; ++i) {
    const std::string given = std::string(argv[i]).substr(0, std::string_view(argv[i]).find('='));
    if (!given.starts_with("--") || given == "--") continue;
    if (std::find(names.begin(), names.end(), given) != names.end()) continue;
    const std::string suggestion = did_you_mean(given, candidates);
    const std::string full = command == &app ? app.get_name() : app.get_name() + " " + command->get_name();
    return fmt::format("`{}` has no option `{}`{}{}", full, given, suggestion.empty() ? "" : "; ", suggestion);
  }
  return {};
}

// Replaces those messages of the library that are about C++ instead of the command line. Otherwise empty.
std::string reworded(const CLI::ParseError& error) {
  const std::string_view words = error.what();
  const std::string kind = error.get_name();
  if (kind == "ArgumentMismatch") return fmt::format("`{}` needs a value", words.substr(0, words.find(':')));
  if (kind == "RequiredError" && words.ends_with(" is required"))
    return fmt::format("`{}` is missing", words.substr(0, words.find(' ')));
  if (kind == "ConversionError" && words.find(": ") != std::string_view::npos &&
      words.find(" = ") != std::string_view::npos) {
    const std::string_view both = words.substr(words.find(": ") + 2);
    const std::size_t equals = both.find(" = ");
    return fmt::format("`{}` can't be `{}`", both.substr(0, equals), both.substr(equals + 3));
  }
  return {};
}

}  // namespace

std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  const auto [above, at] = expected_command(app, argc, argv);
  return above == nullptr || at == argc || argv[at][0] == '-' ? "" : unknown_name(*above, argv[at]);
}

bool ends_before_command(const CLI::App& app, int argc, char** argv) {
  const auto [above, at] = expected_command(app, argc, argv);
  return above != nullptr && at == argc;
}

std::string unknown_word(CommandTree& tree, const std::vector<std::string>& words) {
  std::size_t known = 0;
  while (tree.find(std::span(words).first(known + 1)) != nullptr) ++known;
  const CLI::App& above = *tree.find(std::span(words).first(known));
  if (!command_names(above).empty()) return unknown_name(above, words[known]);
  return fmt::format("`{}` has no subcommands", fmt::join(words.begin(), words.begin() + known, " "));
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const std::string unknown = unknown_command(app, argc, argv);
  if (!unknown.empty()) return unknown;
  const bool is_extra = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);  // named as the command
  if (is_extra || std::string_view(error.what()).starts_with("A subcommand is required")) {
    if (const std::string option = unknown_option(app, argc, argv); !option.empty()) return option;
  }
  if (const std::string ours = reworded(error); !ours.empty()) return ours;
  std::string message = error.what();
  if (!message.empty() && message[0] >= 'A' && message[0] <= 'Z')
    message[0] = static_cast<char>(message[0] + ('a' - 'A'));
  return message;
}

}  // namespace capwright::cli
