// The test `version`: versions compared as Ansible does, loosely, strictly or as Semantic Versioning 2.0.0.
#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "diag/catalog/template_extras.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"

namespace capwright::jinja {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// A piece of a version: a number of any length, or text.
struct Part {
  bool number = false;
  std::string_view text;  // of a number: without leading zeros

  static Part of(std::string_view text) {
    if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return {false, text};
    return {true, text.substr(std::min(text.find_first_not_of('0'), text.size()))};
  }
  bool operator==(const Part&) const = default;
};

std::strong_ordering compare_numbers(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() <=> b.size() : a <=> b;
}

// Orders two different parts. Numbers precede text.
std::strong_ordering compare_parts(const Part& a, const Part& b) {
  if (a.number != b.number) return a.number ? std::strong_ordering::less : std::strong_ordering::greater;
  return a.number ? compare_numbers(a.text, b.text) : a.text <=> b.text;
}

using Parts = std::vector<Part>;

// The first index where two lists differ; the length of the shorter one if there is none.
std::size_t first_difference(const Parts& a, const Parts& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

std::strong_ordering compare_lists(const Parts& a, const Parts& b) {
  const std::size_t i = first_difference(a, b);
  return i < a.size() && i < b.size() ? compare_parts(a[i], b[i]) : a.size() <=> b.size();
}

// Numbers, runs of lower-case letters, and the text between them; dots only separate.
Parts loose_parts(std::string_view text) {
  const auto kind = [](char c) {
    if (is_digit(c)) return 1;
    if (is_lower(c)) return 2;
    if (c == '.') return 3;
    return 0;
  };
  Parts parts;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;
    while (end < text.size() && kind(text[end]) == kind(text[begin])) ++end;
    if (kind(text[begin]) != 3) parts.push_back(Part::of(text.substr(begin, end - begin)));
    begin = end;
  }
  return parts;
}

struct Version {
  Parts core;
  Parts prerelease;
};

// A release comes after all its prereleases.
std::strong_ordering compare(const Version& a, const Version& b) {
  if (const auto core = compare_lists(a.core, b.core); core != 0) return core;
  if (a.prerelease.empty() != b.prerelease.empty()) {
    return a.prerelease.empty() ? std::strong_ordering::greater : std::strong_ordering::less;
  }
  return compare_lists(a.prerelease, b.prerelease);
}

// Removes the longest prefix of `text` whose characters satisfy `belongs`.
template <class Predicate>
std::string_view take(std::string_view& text, Predicate belongs) {
  const auto end = std::find_if_not(text.begin(), text.end(), belongs);
  const std::string_view taken = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(taken.size());
  return taken;
}

bool skip(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// N.N[.N][aN|bN]
std::optional<Version> parse_strict(std::string_view text) {
  Version version;
  for (int i = 0; i < 3 && (i == 0 || skip(text, '.')); ++i) {
    const std::string_view number = take(text, is_digit);
    if (number.empty()) return std::nullopt;
    version.core.push_back(Part::of(number));
  }
  if (version.core.size() < 2) return std::nullopt;
  version.core.resize(3, Part{true, ""});
  if (text.starts_with('a') || text.starts_with('b')) {
    version.prerelease.push_back({false, text.substr(0, 1)});
    text.remove_prefix(1);
    const std::string_view number = take(text, is_digit);
    if (number.empty()) return std::nullopt;
    version.prerelease.push_back(Part::of(number));
  }
  return text.empty() ? std::optional(version) : std::nullopt;
}

bool is_identifier_part(char c) { return is_digit(c) || is_lower(c) || (c >= 'A' && c <= 'Z') || c == '-'; }

// Identifiers separated by dots. Numbers must not have leading zeros, except in build metadata.
bool take_identifiers(std::string_view& text, bool build, Parts& parts) {
  do {
    const std::string_view identifier = take(text, is_identifier_part);
    const Part part = Part::of(identifier);
    if (identifier.empty() || (!build && part.number && identifier.size() > 1 && identifier[0] == '0')) return false;
    parts.push_back(part);
  } while (skip(text, '.'));
  return true;
}

// N.N.N[-prerelease][+build]
std::optional<Version> parse_semantic(std::string_view text) {
  Version version;
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && !skip(text, '.')) return std::nullopt;
    const std::string_view number = take(text, is_digit);
    if (number.empty() || (number.size() > 1 && number[0] == '0')) return std::nullopt;
    version.core.push_back(Part::of(number));
  }
  if (skip(text, '-') && !take_identifiers(text, false, version.prerelease)) return std::nullopt;
  Parts build;
  if (skip(text, '+') && !take_identifiers(text, true, build)) return std::nullopt;
  return text.empty() ? std::optional(version) : std::nullopt;
}

enum class VersionType { Loose, Strict, Semantic };
constexpr std::array<std::string_view, 4> kTypeNames{"loose", "strict", "semver", "semantic"};
constexpr VersionType kTypes[] = {VersionType::Loose, VersionType::Strict, VersionType::Semantic,
                                  VersionType::Semantic};

enum class Comparison { Equal, Less, LessEqual, Greater, GreaterEqual, NotEqual };
constexpr std::array<std::string_view, 14> kOperatorNames{"==", "=",  "eq", "<",  "lt", "<=", "le",
                                                          ">",  "gt", ">=", "ge", "!=", "<>", "ne"};
constexpr Comparison kOperators[] = {Comparison::Equal,        Comparison::Equal,        Comparison::Equal,
                                     Comparison::Less,         Comparison::Less,         Comparison::LessEqual,
                                     Comparison::LessEqual,    Comparison::Greater,      Comparison::Greater,
                                     Comparison::GreaterEqual, Comparison::GreaterEqual, Comparison::NotEqual,
                                     Comparison::NotEqual,     Comparison::NotEqual};

bool holds(Comparison comparison, std::strong_ordering order) {
  switch (comparison) {
    case Comparison::Equal: return order == 0;
    case Comparison::Less: return order < 0;
    case Comparison::LessEqual: return order <= 0;
    case Comparison::Greater: return order > 0;
    case Comparison::GreaterEqual: return order >= 0;
    case Comparison::NotEqual: return order != 0;
  }
  return false;
}

// The version as text; Error (reported) if it is empty, as in Ansible.
Value version_text(Runtime& runtime, const Value& value) {
  const auto given = truth_of(runtime, value);
  if (!given) return Value::error();
  return *given ? text_of(runtime, value) : runtime.fail(diag::version_missing, runtime.repr(value));
}

std::optional<VersionType> version_type_of(Runtime& runtime, const Value& strict, const Value& type) {
  if (!strict.is(Kind::Null) && !type.is(Kind::Null)) {
    runtime.fail(diag::version_rule_twice);
    return std::nullopt;
  }
  if (!strict.is(Kind::Null)) {
    const auto flag = truth_of(runtime, strict);
    if (!flag) return std::nullopt;
    return *flag ? VersionType::Strict : VersionType::Loose;
  }
  if (type.is(Kind::Null)) return VersionType::Loose;
  const auto choice = extras::choice(runtime, "version", "version_type", type, kTypeNames);
  return choice ? std::optional(kTypes[*choice]) : std::nullopt;
}

std::optional<Comparison> operator_of(Runtime& runtime, const Value& value) {
  const auto choice = extras::choice(runtime, "version", "operator", value, kOperatorNames);
  return choice ? std::optional(kOperators[*choice]) : std::nullopt;
}

// Python can't order a number and text: a leading `v` in one of two versions.
std::optional<std::strong_ordering> compare_loose(Runtime& runtime, const Value& a, const Value& b) {
  const Parts left = loose_parts(a.text()), right = loose_parts(b.text());
  const std::size_t i = first_difference(left, right);
  if (i >= left.size() || i >= right.size() || left[i].number == right[i].number) return compare_lists(left, right);
  const auto shown = [](const Value& version, const Part& part) {
    return extras::shown(version, part.number && part.text.empty() ? "0" : part.text);
  };
  if (Diagnostic* fault =
          runtime.report(diag::versions_without_order, runtime.here, extras::shown(a), extras::shown(b))) {
    fault->note(fmt::format("`{}` can't be compared with `{}`: one is a number, the other text", shown(a, left[i]),
                            shown(b, right[i])));
    fault->advise("write both the same way, such as with or without a leading `v`");
  }
  return std::nullopt;
}

std::optional<Version> parse_version(Runtime& runtime, VersionType type, const Value& value) {
  const bool strict = type == VersionType::Strict;
  std::string_view text = value.text();
  if (text.ends_with('\n')) text.remove_suffix(1);  // Python's `$` allows one final line break
  auto version = strict ? parse_strict(text) : parse_semantic(text);
  if (version) return version;
  const std::string_view expected = strict ? "`1.2` or `1.2.3`, optionally followed by `a1` or `b1`"
                                           : "`1.2.3`, optionally followed by `-rc.1` and `+build`";
  runtime.fail(diag::not_a_version, extras::shown(value), strict ? "strict" : "semantic", expected);
  return std::nullopt;
}

std::optional<std::strong_ordering> compare_strictly(Runtime& runtime, VersionType type, const Value& a,
                                                     const Value& b) {
  const auto left = parse_version(runtime, type, a);
  const auto right = left ? parse_version(runtime, type, b) : std::nullopt;
  return right ? std::optional(compare(*left, *right)) : std::nullopt;
}

}  // namespace

Value version_test(Runtime& runtime, const BoundArguments& arguments) {
  const Value a = version_text(runtime, arguments[0]);
  const Value b = a.is_error() ? a : version_text(runtime, arguments[1]);
  const auto type = b.is_error() ? std::nullopt : version_type_of(runtime, arguments[3], arguments[4]);
  const auto comparison = type ? operator_of(runtime, arguments[2]) : std::nullopt;
  if (!comparison) return Value::error();
  const auto order =
      *type == VersionType::Loose ? compare_loose(runtime, a, b) : compare_strictly(runtime, *type, a, b);
  return order ? Value::boolean(holds(*comparison, *order)) : Value::error();
}

}  // namespace capwright::jinja
