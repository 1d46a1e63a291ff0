// The adapter to RE2; regex_dialect.cc translates the dialects.
#include "text/regex.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <re2/re2.h>

#include "base/check.h"
#include "text/regex_dialect.h"
#include "text/utf8.h"

namespace capwright {

struct Regex::Program {
  Program(const std::string& pattern, const RE2::Options& options) : compiled(pattern, options) {}
  RE2 compiled;
  bool dollar_before_newline = false;
  std::vector<std::pair<std::string, std::size_t>> names;
};

struct Regex::Shared {
  Shared(std::string_view text, const RegexOptions& chosen) : pattern(text), options(chosen) {}
  // Null if the pattern is rejected; then `fault` says why.
  static std::unique_ptr<const Program> make(std::string_view pattern, const RegexOptions&, RegexFault& fault);

  std::string pattern;  // of a deferred one
  RegexOptions options;
  mutable std::once_flag once;
  mutable std::unique_ptr<const Program> program;
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

std::unique_ptr<const Regex::Program> Regex::Shared::make(std::string_view pattern, const RegexOptions& options,
                                                          RegexFault& fault) {
  std::optional<regex::Translated> translated = regex::translate(pattern, options, fault);
  if (!translated) return nullptr;
  std::string flags;
  if (options.multiline) flags += 'm';
  if (options.dot_all) flags += 's';
  if (!flags.empty()) translated->pattern = "(?" + flags + ":" + translated->pattern + ")";

  RE2::Options settings(RE2::Quiet);
  settings.set_case_sensitive(!options.ignore_case);
  auto program = std::make_unique<Program>(translated->pattern, settings);
  if (!program->compiled.ok()) {
    fault = {explain(program->compiled), 0, false};
    return nullptr;
  }
  if (const int groups = program->compiled.NumberOfCapturingGroups(); groups > kMostGroups) {
    fault = {fmt::format("it has {} groups; the limit is {}", groups, kMostGroups), 0, false};
    return nullptr;
  }
  program->dollar_before_newline = translated->dollar_before_newline;
  for (const auto& [name, number] : program->compiled.NamedCapturingGroups()) {
    program->names.emplace_back(name, static_cast<std::size_t>(number));
  }
  std::sort(program->names.begin(), program->names.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  return program;
}

std::optional<Regex> Regex::compile(std::string_view pattern, const RegexOptions& options, RegexFault& fault) {
  std::unique_ptr<const Program> program = Shared::make(pattern, options, fault);
  if (program == nullptr) return std::nullopt;
  const auto shared = std::make_shared<Shared>(std::string_view(), options);
  std::call_once(shared->once, [&] { shared->program = std::move(program); });
  return Regex(shared);
}

Regex Regex::deferred(std::string_view pattern, const RegexOptions& options) {
  return Regex(std::make_shared<const Shared>(pattern, options));
}

const Regex::Program& Regex::program() const {
  std::call_once(shared_->once, [this] {
    RegexFault fault;
    shared_->program = Shared::make(shared_->pattern, shared_->options, fault);
    CW_CHECK(shared_->program != nullptr, "the program's own patterns are well-formed");
  });
  return *shared_->program;
}

bool Regex::matches(std::string_view text, RegexAnchor anchor) const {
  const RE2& compiled = program().compiled;
  if (compiled.Match(piece(text), 0, text.size(), re2_anchor(anchor), nullptr, 0)) return true;
  if (!program().dollar_before_newline || anchor == RegexAnchor::Both || !text.ends_with('\n')) return false;
  return compiled.Match(piece(text.substr(0, text.size() - 1)), 0, text.size() - 1, re2_anchor(anchor), nullptr, 0);
}

std::optional<RegexMatch> Regex::find(std::string_view text, std::size_t from, RegexAnchor anchor) const {
  if (from > text.size()) return std::nullopt;
  std::optional<RegexMatch> match = find_once(program().compiled, text, from, anchor);
  const bool second_end = program().dollar_before_newline && anchor != RegexAnchor::Both && text.ends_with('\n');
  if (!second_end || from == text.size()) return match;
  // RE2's `$` matches only at the very end; Python's also matches before the last line break. The leftmost match wins.
  std::optional<RegexMatch> earlier = find_once(program().compiled, text.substr(0, text.size() - 1), from, anchor);
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

std::size_t Regex::size() const { return static_cast<std::size_t>(program().compiled.ProgramSize()); }

std::size_t Regex::group_count() const {
  return static_cast<std::size_t>(program().compiled.NumberOfCapturingGroups());
}

const std::vector<std::pair<std::string, std::size_t>>& Regex::group_names() const { return program().names; }

}  // namespace capwright
