// Merges the texts of one file, without a repository.
#include <algorithm>

#include "git/local_repository.h"

namespace capwright::git {
namespace {

git_merge_file_input input_of(std::string_view text) {
  git_merge_file_input input = GIT_MERGE_FILE_INPUT_INIT;
  input.ptr = text.data();
  input.size = text.size();
  return input;
}

}  // namespace

std::vector<std::string> LocalRepository::merged_texts(const ThreeTexts& texts, Favored favored) const {
  const git_merge_file_input base = input_of(texts.base), ours = input_of(texts.ours), theirs = input_of(texts.theirs);
  std::vector<std::string> merged;
  for (const unsigned how : {GIT_MERGE_FILE_DEFAULT, GIT_MERGE_FILE_DIFF_PATIENCE, GIT_MERGE_FILE_DIFF_MINIMAL}) {
    git_merge_file_options options = GIT_MERGE_FILE_OPTIONS_INIT;
    options.flags = how;
    options.favor = favored == Favored::Ours ? GIT_MERGE_FILE_FAVOR_OURS : GIT_MERGE_FILE_FAVOR_THEIRS;
    git_merge_file_result result{};
    if (git_merge_file(&result, &base, &ours, &theirs, &options) != 0) continue;
    std::string text(result.ptr == nullptr ? "" : result.ptr, result.len);
    git_merge_file_result_free(&result);
    if (std::find(merged.begin(), merged.end(), text) == merged.end()) merged.push_back(std::move(text));
  }
  return merged;
}

}  // namespace capwright::git
