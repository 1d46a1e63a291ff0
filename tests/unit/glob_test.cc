// Patterns of paths.
#include "text/glob.h"

#include <catch2/catch.hpp>
#include <string>

namespace capwright {
namespace {

TEST_CASE("stars match within one part of a path, two of them across parts") {
  CHECK(glob_matches("", ""));
  CHECK(glob_matches("values/*.yaml", "values/prod.yaml"));
  CHECK_FALSE(glob_matches("values/*.yaml", "values/eu/prod.yaml"));
  CHECK(glob_matches("values/**", "values/eu/prod.yaml"));
  CHECK(glob_matches("values/**/prod.yaml", "values/eu/west/prod.yaml"));
  CHECK(glob_matches("values/**/prod.yaml", "values/prod.yaml"));
  CHECK(glob_matches("**/prod.yaml", "prod.yaml"));
  CHECK_FALSE(glob_matches("**/prod.yaml", "nonprod.yaml"));
  CHECK(glob_matches("v?.yaml", "v1.yaml"));
  CHECK_FALSE(glob_matches("v?1", "v/1"));
  CHECK_FALSE(glob_matches("a", "ab"));
  CHECK(glob_matches("*a*b", "xaybzb"));
}

TEST_CASE("a pattern with many stars is matched without backtracking") {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "**a";
  CHECK_FALSE(glob_matches(pattern + "b", std::string(2000, 'a')));
  pattern.clear();
  for (int i = 0; i < 200; ++i) pattern += "*a";
  CHECK_FALSE(text_glob_matches(pattern + "b", std::string(2000, 'a')));
}

TEST_CASE("stars of a text's pattern match any bytes, or all but a separator") {
  CHECK(text_glob_matches("git.*.example.com", "git.a/b.example.com"));
  CHECK_FALSE(text_glob_matches("charts/*", "charts/a/b", '/'));
  CHECK(text_glob_matches("charts/**", "charts/a/b", '/'));
  CHECK_FALSE(text_glob_matches("x/**/b", "x/b", '/'));
  CHECK(text_glob_matches("a?c", "a/c"));
  CHECK_FALSE(text_glob_matches("a?c", "a/c", '/'));
}

}  // namespace
}  // namespace capwright
