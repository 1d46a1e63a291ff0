// Reads the words like the parser, but tolerates errors: the line isn't complete.
#include "cli/complete.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/candidates.h"
#include "cli/command_tree.h"
#include "cli/console.h"
#include "cli/shared_options.h"

namespace capwright::cli {
namespace {

// Where the cursor is.
struct Cursor {
  CLI::App* app;
  CLI::Option* value_of = nullptr;     // the word is the value of this option
  bool takes_options = true;           // no `--` before
  std::vector<std::string> arguments;  // before the word
  workflow::RepositoryOptions repository;
};

CLI::Option* option_of(CLI::App& app, std::string_view word) {
  const std::string name(word.substr(0, word.find('=')));
  return app.get_option_no_throw(name);
}

CLI::App* below(CLI::App& app, const std::string& word) {
  const auto found = app.get_subcommands([&](CLI::App* each) { return each->get_name() == word; });
  return found.empty() ? nullptr : found.front();
}

// Words before the last one.
Cursor follow(CommandTree& tree, std::span<const std::string> words) {
  Cursor cursor{tree.find({}), nullptr, true, {}, {}};
  std::vector<std::string> commands;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (cursor.takes_options && word == "--") {
      cursor.takes_options = false;
    } else if (cursor.takes_options && word.size() > 1 && word[0] == '-') {
      CLI::Option* option = option_of(*cursor.app, word);
      const bool has_value = word.find('=') != std::string::npos;
      if (option != nullptr && option->check_name("--isolated")) cursor.repository.isolated = true;
      if (option == nullptr || has_value || option->get_items_expected_min() == 0) continue;
      if (++i == words.size()) cursor.value_of = option;
      else if (option->check_name("--config")) cursor.repository.config = words[i];
    } else if (CLI::App* inner = cursor.arguments.empty() ? below(*cursor.app, word) : nullptr; inner != nullptr) {
      commands.push_back(word);
      cursor.app = tree.find(commands);  // also makes its options
    } else {
      cursor.arguments.push_back(word);
    }
  }
  return cursor;
}

// The argument that comes after those that are there.
CLI::Option* next_argument(const Cursor& cursor) {
  std::size_t left = cursor.arguments.size();
  for (CLI::Option* option : cursor.app->get_options()) {
    if (!option->get_positional()) continue;
    if (left == 0 || option->get_items_expected_max() > 1) return option;
    --left;
  }
  return nullptr;
}

void add_options(CLI::App& app, Candidates& found) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) found.add("--" + name, option->get_description());
  }
}

void add_commands(CLI::App& app, Candidates& found) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    found.add(command->get_name(), command->get_description());
}

}  // namespace

int complete(std::span<const std::string> words) {
  const std::string word = words.empty() ? "" : words.back();
  CommandTree tree;
  const Cursor cursor = follow(tree, words.first(words.empty() ? 0 : words.size() - 1));
  Candidates found(word, cursor.repository);
  const std::size_t equals = word.find('=');
  if (cursor.value_of != nullptr) {
    found.add_values(*cursor.value_of);
  } else if (cursor.takes_options && word.starts_with("--") && equals != std::string::npos) {
    found.skip(equals + 1);
    if (const CLI::Option* option = option_of(*cursor.app, word)) found.add_values(*option);
  } else if (cursor.takes_options && word.starts_with('-')) {
    add_options(*cursor.app, found);
  } else {
    if (cursor.arguments.empty()) add_commands(*cursor.app, found);
    const CLI::Option* argument = next_argument(cursor);
    if (argument != nullptr && value_type(*argument) == "COMMAND") {  // of `capwright help`
      if (CLI::App* named = tree.find(cursor.arguments)) add_commands(*named, found);
    } else if (argument != nullptr) {
      found.add_values(*argument);
    }
  }
  const CommonOptions common;
  Console console(common);
  return console.finish(found.lines());
}

}  // namespace capwright::cli
