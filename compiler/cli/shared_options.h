// Options that several commands have, and checks of their combinations.
#pragma once
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common_options.h"
#include "diag/diag.h"
#include "diag/suggest.h"
#include "lint/engine/selection.h"

namespace capwright::cli {

// Sets the type of an option's value for help and messages, with the words that help and completion offer. The option
// checks its value itself. A type such as `auto|always|never` is its own list.
CLI::Option* offer(CLI::Option* option, const std::string& type, const std::vector<std::string>& words);
std::string value_type(const CLI::Option&);
std::vector<std::string> choices_of(const CLI::Option&);

// An option that takes one of a few words, in any case of letters.
template <class T>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& target,
                        const std::vector<std::pair<std::string_view, T>>& choices, const char* help) {
  const auto choose = [name, &target, choices](const std::string& given) {
    std::vector<std::string_view> words;
    for (const auto& [word, value] : choices) {
      words.push_back(word);
      if (CLI::detail::to_lower(given) != word) continue;
      target = value;
      return;
    }
    const std::string suggestion = did_you_mean(given, words);
    const std::size_t dashes = name.find("--");
    throw CLI::ValidationError(fmt::format("`{}` takes {}, not `{}`{}{}",
                                           name.substr(dashes == std::string::npos ? 0 : dashes), list_names(words),
                                           given, suggestion.empty() ? "" : "; ", suggestion));
  };
  std::vector<std::string_view> words;
  for (const auto& choice : choices) words.push_back(choice.first);
  return app.add_option_function<std::string>(name, choose, help)->type_name(fmt::format("{}", fmt::join(words, "|")));
}

// An option that can be repeated, with one value each time.
CLI::Option* add_list(CLI::App& app, const char* name, std::vector<std::string>& target, const char* help);

// The forms of findings.
std::vector<std::string> all_forms();
// `-f FORM` for the terminal, once, and `-f FORM=FILE` for files, as many as there are.
void add_common(CLI::App& app, CommonOptions& common, std::vector<std::string> forms = all_forms());
void add_common_but_format(CLI::App& app, CommonOptions& common);
// `--run-sources`, for commands that read the sources of capwright.yaml.
void add_run_sources(CLI::App& app, CommonOptions& common);
void add_values(CLI::App& app, workflow::ValueOptions& values);
void add_plain_templates(CLI::App& app, workflow::PlainTemplates& plain);
// `--shard I/N`: a part of the fleet.
void add_shard(CLI::App& app, workflow::Shard& shard);
void add_fail_level(CLI::App& app, Severity& level);
// `--as-of`: the date of lint, for support of versions and the end of suppressions.
void add_as_of(CLI::App& app, std::optional<std::string>& date);
void add_blame(CLI::App& app, lint::Blame& blame);

// An error for `--stdin-filename` without `-`; otherwise empty.
std::string needless_name(const std::vector<std::string>& targets, const std::optional<std::string>& stdin_filename);

}  // namespace capwright::cli
