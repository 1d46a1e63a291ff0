// Patterns of JSON Schema and of Python on RE2: matches, their positions, and the messages for rejected patterns.
#include "text/regex.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using namespace capwright;

namespace {

constexpr RegexOptions kEcma{};
constexpr RegexOptions kPython{.dialect = RegexDialect::Python};

Regex compiled(std::string_view pattern, const RegexOptions& options) {
  RegexFault fault;
  std::optional<Regex> regex = Regex::compile(pattern, options, fault);
  INFO(pattern << ": " << fault.message);
  REQUIRE(regex.has_value());
  return *regex;
}

bool found(std::string_view pattern, std::string_view text, const RegexOptions& options = kEcma) {
  return compiled(pattern, options).matches(text);
}

std::string refusal(std::string_view pattern, const RegexOptions& options) {
  RegexFault fault;
  return Regex::compile(pattern, options, fault) ? "" : fault.message;
}

std::string all(std::string_view pattern, std::string_view text, const RegexOptions& options = kPython) {
  std::string joined;
  for (const RegexMatch& match : compiled(pattern, options).find_all(text)) {
    joined += "<" + std::string(match[0].in(text)) + ">";
  }
  return joined;
}

}  // namespace

TEST_CASE("ECMA-262: sets are ASCII, white space is Unicode, `$` is the end") {
  CHECK(found("^\\d+$", "12"));
  CHECK_FALSE(found("^\\d+$", "\u0967"));
  CHECK_FALSE(found("^\\w$", "\u00e9"));
  CHECK(found("^[\\w]$", "x"));
  CHECK(found("^\\W$", "\u00e9"));
  CHECK(found("^\\s$", "\ufeff"));
  CHECK_FALSE(found("^\\S$", "\u2028"));
  CHECK(found("^[^\\s,]+$", "a\u00e9"));
  CHECK_FALSE(found("^[\\S]$", " "));
  CHECK_FALSE(found("a$", "a\n"));
  CHECK_FALSE(found("^.$", "\u2028"));
  CHECK(found("^.$", "\U0001F432"));
}

TEST_CASE("ECMA-262: escapes, classes and properties") {
  CHECK(found("^\\u0041\\x42\\u{43}\\cI\\/$", "ABC\t/"));
  CHECK(found("^\\ud83d\\udc32*$", "\U0001F432\U0001F432"));
  CHECK(found("^\\p{Letter}+$", "\u00e9a"));
  CHECK_FALSE(found("^[\\p{Lu}]$", "a"));
  CHECK(found("^\\p{Script=Greek}$", "\u03b1"));
  CHECK_FALSE(found("[]", "x"));
  CHECK(found("^[^]$", "\n"));
  CHECK(found("^[a[b-]+$", "a[b-"));
  CHECK(found("^(?<year>\\d{4})$", "2024"));
  CHECK(found("^a{,2}$", "a{,2}"));
}

TEST_CASE("Python: sets are Unicode, `$` also matches before a final line break") {
  CHECK(found("^\\d$", "\u0967", kPython));
  CHECK(found("^\\w+$", "\u00e9_9", kPython));
  CHECK_FALSE(found("(?a)^\\w$", "\u00e9", kPython));
  CHECK(found("^\\s$", "\x1c", kPython));
  CHECK(all("[^\\W_]+", "a_\u00e9-b") == "<a><\u00e9><b>");
  CHECK(all("[\\W_]+", "a_ -b") == "<_ ->");
  CHECK(found("a$", "a\n", kPython));
  CHECK_FALSE(found("a\\Z", "a\n", kPython));
  CHECK_FALSE(compiled("a$", kPython).matches("a\n", RegexAnchor::Both));
  CHECK(all("$", "a\n") == "<><>");
  CHECK(all("(?m)^.*$", "a\nb\n") == "<a><b><>");
}

TEST_CASE("Python: classes, flags and comments") {
  CHECK(all("[]a]+", "]a]b") == "<]a]>");
  CHECK(all("a{,2}", "aaa") == "<aa><a><>");
  CHECK(all("(?x) a  b # the end", "ab") == "<ab>");
  CHECK(all("(?x: a )[ ]", "a ") == "<a >");
  CHECK(all("(?i:A)b", "abaB") == "<ab>");
  CHECK(all("a(?#comment)b", "ab") == "<ab>");
  CHECK(all("[\\b]\\101\\0", std::string_view("\bA\0", 3)) == std::string("<\bA\0>", 5));
  CHECK(all("a|b", "xaYB", {.dialect = RegexDialect::Python, .ignore_case = true}) == "<a><B>");
}

TEST_CASE("groups have numbers and names, and may not match") {
  const Regex regex = compiled("(?P<key>\\w+)(=(?P<value>\\w+))?", kPython);
  CHECK(regex.group_count() == 3);
  REQUIRE(regex.group_names().size() == 2);
  CHECK(regex.group_names()[0].first == "key");
  CHECK(regex.group_names()[1].second == 3);
  const std::string_view text = "a b=c";
  const std::optional<RegexMatch> second = regex.find(text, 1);
  REQUIRE(second.has_value());
  CHECK(second->at(3).in(text) == "c");
  CHECK_FALSE(regex.find(text)->at(2).took_part());
  CHECK(compiled("\\bb", kPython).find("ab", 1) == std::nullopt);
}

TEST_CASE("constructs that RE2 can't support are rejected by name") {
  CHECK(refusal("a(?=b)", kEcma) == "a lookahead `(?=` is not supported");
  CHECK(refusal("(?<!b)a", kPython) == "a lookbehind `(?<!` is not supported");
  CHECK(refusal("(a)\\1", kPython) == "a backreference `\\1` is not supported");
  CHECK(refusal("(?P<a>b)(?P=a)", kPython) == "a backreference `(?P=` is not supported");
  CHECK(refusal("a*+", kPython) == "a possessive repetition `*+` is not supported");
  CHECK(refusal("(?>a)", kPython) == "an atomic group `(?>` is not supported");
}

TEST_CASE("malformed patterns are reported with the reason") {
  CHECK(refusal("^(abc]", kEcma) == "a group is never closed");
  CHECK(refusal("a)", kEcma) == "`)` has no matching `(`");
  CHECK(refusal("[a", kEcma) == "`[` is never closed");
  CHECK(refusal("*a", kEcma) == "`*` repeats nothing");
  CHECK(refusal("[z-a]", kEcma) == "`z-a` isn't a range of characters");
  CHECK(refusal("\\a", kEcma) == "unknown escape `\\a`");
  CHECK(refusal("\\Z", kEcma) == "unknown escape `\\Z`");
  CHECK(refusal("a\\", kEcma) == "the pattern ends with a backslash");
  CHECK(refusal("a{1001}", kEcma) == "`{1001}` repeats more than 1000 times, or less than 0");
}

TEST_CASE("Go: RE2's own syntax is used unchanged") {
  constexpr RegexOptions go{.dialect = RegexDialect::Re2};
  CHECK(found("^(?P<a>x)\\z", "x", go));
  CHECK(found("\\p{Greek}", "λ", go));
  CHECK_FALSE(found("^\\w$", "é", go));
  CHECK_FALSE(found("a$", "a\n", go));
  CHECK(refusal("(?=a)", go) == "`(?=` is not understood");
}

TEST_CASE("a deferred pattern is compiled once, also if threads use it first") {
  const Regex regex = Regex::deferred("^a(b+)$", {.dialect = RegexDialect::Re2});
  std::vector<std::thread> threads;
  std::atomic<int> matches = 0;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { matches += regex.matches("abb") ? 1 : 0; });
  for (std::thread& thread : threads) thread.join();
  CHECK(matches == 4);
  CHECK(regex.group_count() == 1);
}
