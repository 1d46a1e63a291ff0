// Comments are found by their words, whatever the language around them.
#include "lint/suppressions.h"

#include <algorithm>
#include <set>
#include <utility>

#include "lint/removable.h"
#include "lint/selection.h"
#include "schema/format.h"
#include "text/trim.h"

namespace capwright::lint {
namespace {

constexpr std::string_view kMark = "capwright: ignore=";
constexpr std::string_view kUntil = "until=";

std::string_view line_at(std::string_view text, std::size_t offset) {
  const std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  return text.substr(begin, std::min(text.find('\n', offset), text.size()) - begin);
}

bool is_comment(std::string_view line) {
  const std::string_view text = trimmed(line, " \t\r");
  return text.empty() || text[0] == '#' || text.starts_with("{#");
}

// Where the comment opens that holds the mark; npos when the mark is in no comment.
std::size_t opening(std::string_view line, std::size_t mark) {
  const std::size_t hash = line.substr(0, mark).rfind('#');
  if (hash == std::string_view::npos || !trimmed(line.substr(hash + 1, mark - hash - 1), " \t\r").empty())
    return std::string_view::npos;
  return hash != 0 && line[hash - 1] == '{' ? hash - 1 : hash;
}

// Names have nothing else, and messages show them.
bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

void read_words(std::string_view words, Suppression& suppression) {
  const std::size_t end = std::min(words.find_first_of(" \t"), words.size());
  for (std::string_view list = words.substr(0, end); !list.empty();) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (is_word(list.substr(0, comma))) suppression.selectors.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  std::string_view rest = words.substr(end);
  if (const std::size_t until = rest.find(kUntil); until != std::string_view::npos) {
    std::string_view date = rest.substr(until + kUntil.size());
    date = date.substr(0, date.find_first_of(" \t]"));
    suppression.has_until = true;
    if (schema::matches_format(date, schema::Format::Date)) suppression.until = date;
    rest = rest.substr(0, until);
  }
  const std::size_t dashes = rest.find("--");
  if (dashes == std::string_view::npos) return;
  suppression.has_reason = rest.find_first_not_of(" \t[", dashes + 2) != std::string_view::npos;
}

}  // namespace

std::vector<Suppression> read_suppressions(FileId file, std::string_view text) {
  std::vector<Suppression> found;
  std::size_t counted = 0, run_end = 0;  // the end of the lines of comments that the last one was among
  std::uint32_t number = 1, run_line = 1;
  for (std::size_t mark = text.find(kMark); mark != std::string_view::npos; mark = text.find(kMark, mark + 1)) {
    const std::string_view line = line_at(text, mark);
    const auto begin = static_cast<std::size_t>(line.data() - text.data());
    const std::size_t open = opening(line, mark - begin);
    if (open == std::string_view::npos) continue;
    number += static_cast<std::uint32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                                    text.begin() + static_cast<std::ptrdiff_t>(mark), '\n'));
    counted = mark;
    const bool is_jinja = line[open] == '{';
    const std::size_t close = is_jinja ? std::min(line.find("#}", open), line.size()) : line.size();
    Suppression& suppression = found.emplace_back();
    suppression.where = {file, static_cast<std::uint32_t>(begin + open),
                         static_cast<std::uint32_t>(begin + std::min(close + (is_jinja ? 2 : 0), line.size()))};
    const std::size_t words = mark - begin + kMark.size();
    read_words(trimmed(line.substr(words, std::max(close, words) - words), " \t\r"), suppression);
    suppression.line = number;
    if (!trimmed(line.substr(0, open), " \t\r").empty()) continue;
    // Alone: for the next line that is none. Of many comments, the first one looks for all.
    if (begin >= run_end) {
      run_end = begin + line.size() + 1;
      for (run_line = number + 1; run_end < text.size() && is_comment(line_at(text, run_end)); ++run_line)
        run_end += line_at(text, run_end).size() + 1;
    }
    suppression.line = run_line;
  }
  return found;
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

std::vector<Suppression*> Suppressions::of(const DiagInfo& info, std::span<const Span> places, const SourceSet& sources,
                                           std::string_view as_of) {
  std::vector<Suppression*> found;
  if (all_.empty()) return found;
  std::set<std::size_t> here;
  for (const Span& place : places) {
    const auto on_line = by_line_.find({place.file, sources.line_col(place).line});
    if (on_line != by_line_.end()) here.insert(on_line->second.begin(), on_line->second.end());
  }
  for (const std::size_t number : here) {
    Suppression& suppression = all_[number];
    const bool is_named = std::any_of(suppression.selectors.begin(), suppression.selectors.end(),
                                      [&](const std::string& selector) { return names(selector, info); });
    if (is_named && !suppression.is_expired(as_of)) found.push_back(&suppression);
  }
  return found;
}

void Suppressions::apply(std::vector<Diagnostic>& diagnostics, const SourceSet& sources, std::string_view as_of) {
  if (all_.empty()) return;
  std::erase_if(diagnostics, [&](const Diagnostic& diagnostic) {
    if (!is_removable(diagnostic)) return false;
    std::vector<Span> places = {diagnostic.where};
    for (const Label& label : diagnostic.labels) places.push_back(label.where);
    const std::vector<Suppression*> comments = of(*diagnostic.info, places, sources, as_of);
    for (Suppression* comment : comments) comment->used = true;
    return !comments.empty();
  });
}

}  // namespace capwright::lint
