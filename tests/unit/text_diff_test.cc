// Differences are correct (applying them gives the new text) and minimal (no shorter list exists).
#include "files/text_diff.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace capwright {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

std::string carried_out(const std::string& old_text, const std::string& new_text,
                        const std::vector<LineChange>& changes) {
  const auto before = lines_of(old_text), after = lines_of(new_text);
  std::string result;
  std::uint32_t line = 0;
  for (const LineChange& change : changes) {
    while (line < change.old_begin) result += before[line++];
    for (std::uint32_t i = change.new_begin; i < change.new_end; ++i) result += after[i];
    line = change.old_end;
  }
  while (line < before.size()) result += before[line++];
  return result;
}

// The number of inserted and deleted lines of the shortest difference: by the longest common subsequence.
std::size_t fewest_edits(const std::string& old_text, const std::string& new_text) {
  const auto a = lines_of(old_text), b = lines_of(new_text);
  std::vector<std::vector<std::size_t>> common(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      common[i][j] = a[i - 1] == b[j - 1] ? common[i - 1][j - 1] + 1 : std::max(common[i - 1][j], common[i][j - 1]);
    }
  }
  return a.size() + b.size() - 2 * common[a.size()][b.size()];
}

std::size_t edits(const std::vector<LineChange>& changes) {
  std::size_t count = 0;
  for (const LineChange& c : changes) count += (c.old_end - c.old_begin) + (c.new_end - c.new_begin);
  return count;
}

TEST_CASE("applying a difference gives the new text, with the fewest edits") {
  std::uint32_t state = 1;
  const auto below = [&](std::uint32_t limit) { return (state = state * 1664525u + 1013904223u) / 65536 % limit; };
  for (int round = 0; round < 400; ++round) {
    std::string old_text, new_text;
    for (std::uint32_t i = below(12); i > 0; --i) old_text += std::string(1, static_cast<char>('a' + below(4))) + "\n";
    for (std::uint32_t i = below(12); i > 0; --i) new_text += std::string(1, static_cast<char>('a' + below(4))) + "\n";
    if (below(4) == 0 && !new_text.empty()) new_text.pop_back();
    const auto changes = line_changes(old_text, new_text);
    CHECK(carried_out(old_text, new_text, changes) == new_text);
    CHECK(edits(changes) == fewest_edits(old_text, new_text));
    CHECK(carried_out(old_text, new_text, line_changes(old_text, new_text, 2)) == new_text);
  }
}

TEST_CASE("texts that differ everywhere are one change") {
  std::string old_text, new_text;
  for (int i = 0; i < 2000; ++i) {
    old_text += "old " + std::to_string(i) + "\n";
    new_text += "new " + std::to_string(i) + "\n";
  }
  CHECK(line_changes(old_text, new_text) == std::vector{LineChange{0, 2000, 0, 2000}});
}

TEST_CASE("a unified diff has context, line numbers and a note on a missing line break") {
  CHECK(unified_diff({"a", "1\n2\n3\n4\n5\n6\n7\n8\n"}, {"b", "1\n2\n3\n4\nfive\n6\n7\n8"}) ==
        "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n-8\n+8\n\\ No newline at end of file\n");
  CHECK(unified_diff({"a", ""}, {"b", "x\n"}) == "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
  CHECK(unified_diff({"a", "x\n"}, {"b", ""}) == "--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n");
  CHECK(unified_diff({"a", "x\n"}, {"b", "x\n"}) == "");
}

TEST_CASE("distant changes are separate hunks") {
  std::string old_text, new_text;
  for (int i = 1; i <= 20; ++i) {
    old_text += std::to_string(i) + "\n";
    new_text += i == 2 || i == 19 ? "x\n" : std::to_string(i) + "\n";
  }
  CHECK(unified_diff({"a", old_text}, {"b", new_text}, {.context = 1}) ==
        "--- a\n+++ b\n@@ -1,3 +1,3 @@\n 1\n-2\n+x\n 3\n@@ -18,3 +18,3 @@\n 18\n-19\n+x\n 20\n");
}

TEST_CASE("a long diff is truncated, with the number of omitted lines") {
  CHECK(unified_diff({"a", ""}, {"b", "1\n2\n3\n4\n5\n"}, {.most_lines = 3}) ==
        "--- a\n+++ b\n@@ -0,0 +1,5 @@\n+1\n+2\n… and 3 more lines\n");
}

}  // namespace
}  // namespace capwright
