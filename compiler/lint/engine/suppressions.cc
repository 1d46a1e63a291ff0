// Finds comments by their words, whatever language surrounds them.
#include "lint/engine/suppressions.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "diag/suggest.h"
#include "lint/engine/selection.h"
#include "schema/format.h"
#include "text/trim.h"

namespace capwright::lint {
namespace {

constexpr std::string_view kMark = "capwright";
constexpr std::string_view kInstruction = ": ignore=";  // after the mark
constexpr std::string_view kUntil = "until=";
constexpr std::string_view kBlanks = " \t\r";

std::string_view line_at(std::string_view text, std::size_t offset) {
  const std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  return text.substr(begin, std::min(text.find('\n', offset), text.size()) - begin);
}

bool is_comment(std::string_view line) {
  const std::string_view text = trimmed(line, " \t\r");
  return text.empty() || text[0] == '#' || text.starts_with("{#");
}

// The start of the comment that contains the mark; npos if there is none.
std::size_t opening(std::string_view text, std::size_t mark) {
  std::size_t at = mark;
  while (at != 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  const bool is_trimming = at > 2 && text[at - 1] == '-' && text.substr(at - 3, 2) == "{#";
  if (is_trimming) return at - 3;
  if (at == 0 || text[at - 1] != '#') return std::string_view::npos;
  --at;
  return at != 0 && text[at - 1] == '{' ? at - 1 : at;
}

// The kind of text after the mark.
enum class CommentKind : std::uint8_t { Instruction, Malformed, Prose };

// Words for suppressions in this or other linters.
bool is_instruction_word(std::string_view word) {
  constexpr std::string_view kWords[] = {"ignore",   "ignore-line",  "ignore-next-line",
                                         "disable",  "disable-line", "disable-next-line",
                                         "suppress", "noqa",         "nolint"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

CommentKind comment_kind_of(std::string_view words) {
  if (words.starts_with(kInstruction)) return CommentKind::Instruction;
  const bool has_colon = words.starts_with(':');
  words = trimmed(words.substr(has_colon ? 1 : 0), kBlanks);
  const auto is_of_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-'; };
  const auto end = static_cast<std::size_t>(std::find_if_not(words.begin(), words.end(), is_of_word) - words.begin());
  const std::string_view word = words.substr(0, end), rest = trimmed(words.substr(end), kBlanks);
  constexpr std::string_view kMeant[] = {"ignore"};
  if (rest.starts_with('=')) {
    const bool is_meant = is_instruction_word(word) || !nearest(word, kMeant).empty();
    return is_meant ? CommentKind::Malformed : CommentKind::Prose;
  }
  const bool ends_there = end == words.size() || std::string_view(" \t:,[(").find(words[end]) != std::string_view::npos;
  return has_colon && ends_there && is_instruction_word(word) ? CommentKind::Malformed : CommentKind::Prose;
}

// Selectors contain only these characters, and messages show them.
bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

// Takes the codes from the front of `words`; white space may follow a comma.
void take_selectors(std::string_view& words, Suppression& suppression) {
  for (bool goes_on = true; goes_on;) {
    const std::size_t end = std::min(words.find_first_of(", \t"), words.size());
    if (is_word(words.substr(0, end))) suppression.selectors.emplace_back(words.substr(0, end));
    goes_on = end != words.size() && words[end] == ',';
    words = words.substr(end);
    if (!goes_on) return;
    words = trimmed(words.substr(1), kBlanks);
    goes_on = !words.starts_with("--") && !words.starts_with('[') && !words.starts_with(kUntil);
  }
}

// Words where only `until=` is valid. Without `--` they are probably the reason, unless there is a date among them.
bool has_other_words(std::string_view words, bool has_dashes) {
  constexpr std::string_view kBetween = " \t\r[]()=:,";
  while (!words.empty()) {
    words.remove_prefix(std::min(words.find_first_not_of(kBetween), words.size()));
    const std::string_view word = words.substr(0, words.find_first_of(kBetween));
    if (!word.empty() && (has_dashes || schema::matches_format(word, schema::Format::Date))) return true;
    words.remove_prefix(word.size());
  }
  return false;
}

void read_words(std::string_view words, Suppression& suppression) {
  take_selectors(words, suppression);
  suppression.is_malformed = suppression.selectors.empty();
  std::string rest(words);
  if (const std::size_t until = rest.find(kUntil); until != std::string::npos) {
    std::string_view date = std::string_view(rest).substr(until + kUntil.size());
    date = date.substr(0, date.find_first_of(" \t])"));
    suppression.has_until = true;
    if (schema::matches_format(date, schema::Format::Date)) suppression.until = date;
    rest.erase(until, kUntil.size() + date.size());
  }
  const std::size_t dashes = rest.find("--");
  suppression.has_other_words = has_other_words(std::string_view(rest).substr(0, dashes), dashes != std::string::npos);
  if (dashes == std::string::npos) return;
  suppression.has_reason = rest.find_first_not_of(" \t[]()", dashes + 2) != std::string::npos;
}

}  // namespace

std::vector<Suppression> read_suppressions(FileId file, std::string_view text) {
  std::vector<Suppression> found;
  std::size_t counted = 0, run_end = 0;  // the end of the block of comment lines around the last one
  std::uint32_t number = 1, run_line = 1;
  for (std::size_t mark = text.find(kMark); mark != std::string_view::npos; mark = text.find(kMark, mark + 1)) {
    const std::size_t open = opening(text, mark);
    if (open == std::string_view::npos) continue;
    const std::string_view line = line_at(text, open);
    const auto begin = static_cast<std::size_t>(line.data() - text.data());
    const std::size_t line_end = begin + line.size();
    const bool is_jinja = text[open] == '{';
    const std::size_t close = is_jinja ? std::min(line.find("#}", open - begin), line.size()) + begin : line_end;
    const std::size_t words = mark + kMark.size();
    const std::string_view said = text.substr(words, std::max(close, words) - words);
    const CommentKind kind = comment_kind_of(said);
    if (kind == CommentKind::Prose) continue;
    number += static_cast<std::uint32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                                    text.begin() + static_cast<std::ptrdiff_t>(mark), '\n'));
    counted = mark;
    Suppression& suppression = found.emplace_back();
    suppression.where = {file, static_cast<std::uint32_t>(open),
                         static_cast<std::uint32_t>(std::min(close + (is_jinja ? 2 : 0), line_end))};
    suppression.is_malformed = kind == CommentKind::Malformed;
    if (kind == CommentKind::Instruction) read_words(trimmed(said.substr(kInstruction.size()), kBlanks), suppression);
    suppression.line = number;
    if (!trimmed(text.substr(begin, open - begin), kBlanks).empty()) continue;
    // A comment on its own line applies to the next line without a comment. The first comment of a block searches for
    // all.
    if (begin >= run_end) {
      run_end = begin + line.size() + 1;
      for (run_line = number + 1; run_end < text.size() && is_comment(line_at(text, run_end)); ++run_line)
        run_end += line_at(text, run_end).size() + 1;
    }
    suppression.line = run_line;
  }
  return found;
}

std::set<std::size_t> Suppression::names_of(const DiagInfo& info) const {
  std::set<std::size_t> found;
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    if (names(selectors[i], info)) found.insert(i);
  }
  return found;
}

Suppressions::Suppressions(const SourceSet& sources) {
  for (const FileId file : sources.files()) read(file, sources);
}

void Suppressions::read(FileId file, const SourceSet& sources) {
  std::vector<Suppression> found = read_suppressions(file, sources.text(file));
  const std::uint32_t lines_above = sources.line_col(file, 0).line - 1;
  for (Suppression& suppression : found) {
    suppression.line += lines_above;
    by_line_[{file, suppression.line}].push_back(all_.size());
    all_.push_back(std::move(suppression));
  }
}

std::vector<const Suppression*> Suppressions::of(const DiagInfo& info, std::span<const Span> places,
                                                 const SourceSet& sources, std::string_view as_of) const {
  std::vector<const Suppression*> found;
  for (const std::size_t number : numbers_of(info, places, sources, as_of)) found.push_back(&all_[number]);
  return found;
}

std::vector<std::size_t> Suppressions::numbers_of(const DiagInfo& info, std::span<const Span> places,
                                                  const SourceSet& sources, std::string_view as_of) const {
  std::vector<std::size_t> found;
  if (all_.empty()) return found;
  std::set<std::size_t> here;
  for (const Span& place : places) {
    const auto on_line = by_line_.find({place.file, sources.line_col(place).line});
    if (on_line != by_line_.end()) here.insert(on_line->second.begin(), on_line->second.end());
  }
  for (const std::size_t number : here) {
    const Suppression& suppression = all_[number];
    if (!suppression.names_of(info).empty() && !suppression.is_expired(as_of)) found.push_back(number);
  }
  return found;
}

std::vector<std::size_t> Suppressions::numbers_of(const Diagnostic& diagnostic, const SourceSet& sources,
                                                  std::string_view as_of) const {
  if (all_.empty() || !is_removable(diagnostic)) return {};
  std::vector<Span> places = {diagnostic.where};
  for (const Label& label : diagnostic.labels) places.push_back(label.where);
  return numbers_of(*diagnostic.info, places, sources, as_of);
}

bool Suppressions::suppresses(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view as_of) const {
  return !numbers_of(diagnostic, sources, as_of).empty();
}

void Suppressions::apply(std::vector<Diagnostic>& diagnostics, const SourceSet& sources, std::string_view as_of) {
  if (all_.empty()) return;
  std::erase_if(diagnostics, [&](const Diagnostic& diagnostic) {
    const std::vector<std::size_t> comments = numbers_of(diagnostic, sources, as_of);
    for (const std::size_t number : comments) all_[number].use(*diagnostic.info);
    return !comments.empty();
  });
}

}  // namespace capwright::lint
