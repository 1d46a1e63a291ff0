// The adapter to RE2; regex_dialect.cc translates the dialects.
#include "text/regex.h"

#include <algorithm>
#include <fmt/format.h>
#include <re2/re2.h>

#include "text/regex_dialect.h"
#include "text/utf8.h"

namespace capwright {

struct Regex::Program {
  Program(const std::string& pattern, const RE2::Options& options) : compiled(pattern, options) {}
  RE2 compiled;
  bool dollar_before_newline = false;
  std::vector<std::pair<std::string, std::size_t>> names;
};

namespace {

// RE2 keeps the bounds of all groups for each state of a search.
constexpr int kMostGroups = 1000;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

RE2::Anchor re2_anchor(RegexAnchor anchor) {
  switch (anchor) {
    case RegexAnchor::Start: return RE2::ANCHOR_START;
    case RegexAnchor::Both: return RE2::ANCHOR_BOTH;
    default: return RE2::UNANCHORED;
  }
}

std::string explain(const RE2& refused) {
  switch (refused.error_code()) {
    case RE2::ErrorMissingParen: return "a group is never closed";
    case RE2::ErrorUnexpectedParen: return "`)` has no matching `(`";
    case RE2::ErrorMissingBracket: return "`[` is never closed";
    case RE2::ErrorRepeatArgument: return "`" + refused.error_arg() + "` repeats nothing";
    case RE2::ErrorRepeatSize: return "`" + refused.error_arg() + "` repeats more than 1000 times, or less than 0";
    case RE2::ErrorRepeatOp: return "`" + refused.error_arg() + "` repeats a repetition";
    case RE2::ErrorBadCharRange: return "the range `" + refused.error_arg() + "` runs backwards";
    case RE2::ErrorBadUTF8: return "it is not UTF-8";
    case RE2::ErrorBadNamedCapture: return "`" + refused.error_arg() + "` names a group badly, or a second time";
    case RE2::ErrorPatternTooLarge: return "it needs too much memory";
    default: return "`" + refused.error_arg() + "` is not understood";
  }
}

RegexMatch to_match(std::string_view text, const std::vector<re2::StringPiece>& groups) {
  RegexMatch match(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].data() == nullptr) continue;
    match[i].begin = static_cast<std::size_t>(groups[i].data() - text.data());
    match[i].end = match[i].begin + groups[i].size();
  }
  return match;
}

std::optional<RegexMatch> find_once(const RE2& compiled, std::string_view text, std::size_t from, RegexAnchor anchor) {
  // An empty view may have a null pointer, which RE2 would report as a group that didn't match.
  if (text.data() == nullptr) text = "";
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(compiled.NumberOfCapturingGroups()) + 1);
  if (!compiled.Match(piece(text), from, text.size(), re2_anchor(anchor), groups.data(),
                      static_cast<int>(groups.size()))) {
    return std::nullopt;
  }
  return to_match(text, groups);
}

}  // namespace

std::optional<Regex> Regex::compile(std::string_view pattern, const RegexOptions& options, RegexFault& fault) {
  std::optional<regex::Translated> translated = regex::translate(pattern, options, fault);
  if (!translated) return std::nullopt;
  std::string flags;
  if (options.multiline) flags += 'm';
  if (options.dot_all) flags += 's';
  if (!flags.empty()) translated->pattern = "(?" + flags + ":" + translated->pattern + ")";

  RE2::Options settings(RE2::Quiet);
  settings.set_case_sensitive(!options.ignore_case);
  const auto program = std::make_shared<Program>(translated->pattern, settings);
  if (!program->compiled.ok()) {
    fault = {explain(program->compiled), 0, false};
    return std::nullopt;
  }
  if (const int groups = program->compiled.NumberOfCapturingGroups(); groups > kMostGroups) {
    fault = {fmt::format("it has {} groups; the limit is {}", groups, kMostGroups), 0, false};
    return std::nullopt;
  }
  program->dollar_before_newline = translated->dollar_before_newline;
  for (const auto& [name, number] : program->compiled.NamedCapturingGroups()) {
    program->names.emplace_back(name, static_cast<std::size_t>(number));
  }
  std::sort(program->names.begin(), program->names.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  return Regex(program);
}

bool Regex::matches(std::string_view text, RegexAnchor anchor) const {
  const RE2& compiled = program_->compiled;
  if (compiled.Match(piece(text), 0, text.size(), re2_anchor(anchor), nullptr, 0)) return true;
  if (!program_->dollar_before_newline || anchor == RegexAnchor::Both || !text.ends_with('\n')) return false;
  return compiled.Match(piece(text.substr(0, text.size() - 1)), 0, text.size() - 1, re2_anchor(anchor), nullptr, 0);
}

std::optional<RegexMatch> Regex::find(std::string_view text, std::size_t from, RegexAnchor anchor) const {
  if (from > text.size()) return std::nullopt;
  std::optional<RegexMatch> match = find_once(program_->compiled, text, from, anchor);
  const bool second_end = program_->dollar_before_newline && anchor != RegexAnchor::Both && text.ends_with('\n');
  if (!second_end || from == text.size()) return match;
  // RE2's `$` matches only at the very end; Python's also matches before the last line break. The leftmost match wins.
  std::optional<RegexMatch> earlier = find_once(program_->compiled, text.substr(0, text.size() - 1), from, anchor);
  const bool earlier_wins = earlier && (!match || earlier->front().begin < match->front().begin);
  return earlier_wins ? earlier : match;
}

std::vector<RegexMatch> Regex::find_all(std::string_view text) const {
  std::vector<RegexMatch> matches;
  std::size_t from = 0;
  while (from <= text.size()) {
    std::optional<RegexMatch> match = find(text, from);
    if (!match) break;
    const RegexGroup whole = match->front();
    matches.push_back(std::move(*match));
    from = whole.end;
    if (whole.begin == whole.end) from += from < text.size() ? utf8::decode(text, from).size : 1;
  }
  return matches;
}

std::size_t Regex::size() const { return static_cast<std::size_t>(program_->compiled.ProgramSize()); }

std::size_t Regex::group_count() const {
  return static_cast<std::size_t>(program_->compiled.NumberOfCapturingGroups());
}

const std::vector<std::pair<std::string, std::size_t>>& Regex::group_names() const { return program_->names; }

}  // namespace capwright
