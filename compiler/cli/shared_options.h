// Options that several commands have, and checks of their combinations.
#pragma once
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <initializer_list>
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
    throw CLI::ValidationError(fmt::format("`{}` takes {}, not `{}`{}{}", name.substr(name.find("--")),
                                           list_names(words), given, suggestion.empty() ? "" : "; ", suggestion));
  };
  return app.add_option_function<std::string>(name, choose, help);
}

// An option that can be repeated, with one value each time.
CLI::Option* add_list(CLI::App& app, const char* name, std::vector<std::string>& target, const char* help);

// `-f FORM` for the terminal, once, and `-f FORM=FILE` for files, as many as there are.
void add_format(CLI::App& app, CommonOptions& common);
void add_common_but_format(CLI::App& app, CommonOptions& common);
void add_common(CLI::App& app, CommonOptions& common);
void add_values(CLI::App& app, workflow::ValueOptions& values);
void add_plain_templates(CLI::App& app, workflow::PlainTemplates& plain);
void add_fail_level(CLI::App& app, Severity& level);
void add_blame(CLI::App& app, lint::Blame& blame);

// An error for a format that isn't one of `forms`; otherwise empty.
std::string unknown_form(const CommonOptions& options, std::string_view command,
                         std::initializer_list<std::string_view> forms);
// The same for `--stdin-filename` without `-`.
std::string needless_name(const std::vector<std::string>& targets, const std::optional<std::string>& stdin_filename);

}  // namespace capwright::cli
