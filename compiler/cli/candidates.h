// Words that may complete the one at the cursor.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "workflow/open_project.h"

namespace capwright::cli {

class Candidates {
 public:
  // `word` ends at the cursor.
  Candidates(std::string word, workflow::RepositoryOptions repository)
      : word_(std::move(word)), repository_(std::move(repository)) {}

  // The first bytes of the word are fixed; the rest is to be completed.
  void skip(std::size_t size) { start_ = size; }
  // Dropped unless it starts with the part that is to be completed.
  void add(std::string_view candidate, std::string_view meaning);
  // Values that the option takes, by the words of its type: names of the repository are read from it. Its errors are
  // ignored, so there may be fewer.
  void add_values(const CLI::Option& option);

  // See complete().
  std::string lines() const;

 private:
  void add_named(std::string_view kind);
  void add_clusters();
  void add_codes();
  void add_addons();
  void add_sets();
  void add_cases();
  void add_value_paths();
  workflow::OpenProject* project();
  std::string part() const { return word_.substr(start_); }

  std::string word_;
  std::size_t start_ = 0;
  workflow::RepositoryOptions repository_;
  std::unique_ptr<workflow::OpenProject> open_;
  std::string lines_;
  bool files_ = false, dirs_ = false, continues_ = false;
};

}  // namespace capwright::cli
