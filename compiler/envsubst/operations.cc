// The operators of substitutions.
#include "envsubst/operations.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::envsubst {
namespace {

using Arguments = std::span<const std::string>;
constexpr std::size_t kCharactersOfStep = 16;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

// One code point for one, as Go converts case; invalid bytes become U+FFFD.
std::string with_case(std::string_view text, bool upper) {
  std::string converted;
  for (std::size_t at = 0; at < text.size();) {
    const utf8::CodePoint c = utf8::decode(text, at);
    at += c.size;
    std::string one;
    utf8::append(one, c.value);
    const std::string other = upper ? unicode::upper(one) : unicode::lower(one);
    converted += utf8::length(other) == 1 ? other : one;
  }
  return converted;
}

std::string with_first_case(std::string_view text, bool upper) {
  if (text.empty()) return {};
  const std::size_t first = utf8::decode(text, 0).size;
  return with_case(text.substr(0, first), upper) + std::string(text.substr(first));
}

// A decimal number of 64 bits with an optional sign; nothing else, not even a space.
std::optional<std::int64_t> number(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  std::int64_t parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return parsed;
}

// Counted in bytes.
Problem slice(std::string_view value, Arguments arguments, std::string& result) {
  result = value;
  const auto size = static_cast<std::int64_t>(value.size());
  const std::optional<std::int64_t> begin = number(arguments[0]);
  if (!begin) return Problem::None;
  std::int64_t from = *begin;
  if (from < 0) from = std::max<std::int64_t>(from + size, 0);
  std::int64_t to = size;
  if (arguments.size() > 1) {
    const std::optional<std::int64_t> length = number(arguments[1]);
    if (!length) return Problem::None;
    if (__builtin_add_overflow(from, *length, &to)) return Problem::BadSlice;
  }
  if (to >= size) {
    result = from < size ? value.substr(static_cast<std::size_t>(from)) : std::string_view();
    return Problem::None;
  }
  if (to < from) return Problem::BadSlice;
  result = value.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
  return Problem::None;
}

// Replaces the first argument with the second. An empty one is found before each character and at the end.
Problem replace(std::string_view value, Arguments arguments, std::size_t most, Work& work, std::string& result) {
  const std::string& from = arguments[0];
  const std::string_view to = arguments.size() > 1 ? std::string_view(arguments[1]) : std::string_view();
  std::size_t copied = 0, at = 0;
  for (std::size_t count = 0; count < most && at <= value.size(); ++count) {
    if (from.empty() && count > 0) {
      if (at == value.size()) break;
      at += utf8::decode(value, at).size;
    }
    const std::size_t found = value.find(from, at);
    if (found == std::string_view::npos) break;
    if (result.size() + (found - copied) + to.size() > work.string_bytes) return Problem::TooLong;
    result += value.substr(copied, found - copied);
    result += to;
    copied = at = found + from.size();
  }
  result += value.substr(copied);
  return result.size() > work.string_bytes ? Problem::TooLong : Problem::None;
}

// Tries the prefixes of `value` from the longest one on. A malformed pattern removes nothing.
Problem trim(std::string_view value, std::string_view pattern, bool longest, Work& work, std::string& result) {
  std::size_t removed = 0;
  result = value;
  for (std::size_t size = value.size(); size > 0; --size) {
    // A star compares the rest of the pattern at each character, a few in the time of a step.
    if (!work.step(1 + size * (1 + pattern.size()) / kCharactersOfStep)) return Problem::TooManySteps;
    const Match match = match_pattern(pattern, value.substr(0, size));
    if (match == Match::BadPattern) return Problem::None;
    if (match == Match::Yes) removed = size;
    if (match == Match::Yes && longest) break;
  }
  result = value.substr(removed);
  return Problem::None;
}

// By code point; invalid bytes become U+FFFD.
std::string reversed(std::string_view text) {
  std::u32string characters = utf8::decode_all(text);
  std::reverse(characters.begin(), characters.end());
  return utf8::encode_all(characters);
}

Problem trim_suffix(std::string_view value, std::string_view pattern, bool longest, Work& work, std::string& result) {
  std::string rest;
  const Problem problem = trim(reversed(value), reversed(pattern), longest, work, rest);
  result = reversed(rest);
  return problem;
}

Problem replace_suffix(std::string_view value, Arguments arguments, Work& work, std::string& result) {
  result = value;
  if (arguments.size() != 2 || !value.ends_with(arguments[0])) return Problem::None;
  result.resize(value.size() - arguments[0].size());
  result += arguments[1];
  return result.size() > work.string_bytes ? Problem::TooLong : Problem::None;
}

}  // namespace

Problem apply(std::string_view name, std::string_view value, Arguments arguments, Work& work, std::string& result) {
  std::uint64_t bytes = value.size();
  for (const std::string& argument : arguments) bytes += argument.size();
  if (!work.step(1 + bytes)) return Problem::TooManySteps;
  if (name == "," || name == "^") result = with_first_case(value, name == "^");
  else if (name == ",," || name == "^^") result = with_case(value, name == "^^");
  else if (name == "#" && arguments.empty()) result = std::to_string(value.size());
  else if (name == ":") return slice(value, arguments, result);
  else if (name == "#" || name == "##") return trim(value, arguments[0], name == "##", work, result);
  else if (name == "%" || name == "%%") return trim_suffix(value, arguments[0], name == "%%", work, result);
  else if (name == "/%") return replace_suffix(value, arguments, work, result);
  else if (name.starts_with('/')) {
    const bool unchanged = name == "/#" && (arguments.size() != 2 || !value.starts_with(arguments[0]));
    if (!unchanged) return replace(value, arguments, name == "//" ? kAll : 1, work, result);
    result = value;
  } else {
    result = value;  // `^,` and `,^` do nothing
  }
  return Problem::None;
}

}  // namespace capwright::envsubst
