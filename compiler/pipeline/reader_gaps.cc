// Follows YAMLReader of k8s.io/apimachinery, which kubectl, Flux and Argo CD share, and go-yaml. The former ends lines
// at `\n` only, the latter at each line break of YAML 1.1.
#include "pipeline/reader_gaps.h"

#include <algorithm>

#include "files/path_rules.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright {
namespace {

constexpr std::string_view kStart = "---", kEnd = "...";
constexpr std::string_view kOtherBreaks[] = {"\r", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};

bool begins_with_other_break(std::string_view text) {
  return std::any_of(std::begin(kOtherBreaks), std::end(kOtherBreaks),
                     [&](std::string_view each) { return text.starts_with(each); });
}

bool ends_with_other_break(std::string_view text) {
  return std::any_of(std::begin(kOtherBreaks), std::end(kOtherBreaks),
                     [&](std::string_view each) { return text.ends_with(each); });
}

std::size_t first_other_break(std::string_view text) {
  std::size_t first = text.size();
  for (const std::string_view each : kOtherBreaks) first = std::min(first, text.find(each));
  return first;
}

// Whether the text is a marker to YAML: `---` or `...`, and a space or a break.
bool is_marker(std::string_view text) {
  const std::string_view rest = text.substr(kStart.size());
  return rest.empty() || rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || begins_with_other_break(rest);
}

std::size_t skip_unicode_spaces(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const utf8::CodePoint next = utf8::decode(text, at);
    if (!unicode::is_space(next.value)) break;
    at += next.size;
  }
  return at;
}

// How the readers differ on `line`, which begins with `---` and ends before `\n`; empty: they don't.
std::string_view gap_at_start(std::string_view line, bool after_other_break) {
  std::string_view rest = line.substr(kStart.size());
  const std::size_t content = skip_unicode_spaces(rest);
  const bool separates = content == rest.size() || rest[content] == '#';
  if (after_other_break) return is_marker(line) ? "`---` after a line break that isn't a line feed" : "";
  if (!is_marker(line)) {
    if (!separates) return "";
    return content == 0 ? "`#` right after `---`" : "a Unicode space after `---`";
  }
  if (!separates) return "text after `---`";
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  const std::size_t blanks = std::min(rest.find_first_not_of(" \t"), rest.size());
  if (blanks != std::min(content, rest.size())) return "a Unicode space after `---`";
  return first_other_break(rest) == rest.size() ? "" : "a line break that isn't a line feed after `---`";
}

// Whether nothing but blank lines and comments follow, up to another marker.
bool ends_here(std::string_view text) {
  while (!text.empty()) {
    if ((text.starts_with(kStart) || text.starts_with(kEnd)) && is_marker(text)) return true;
    const std::size_t content = skip_unicode_spaces(text);
    if (content == text.size()) return true;
    const bool begins_line = text.substr(0, content).find('\n') != std::string_view::npos;
    if (begins_line) {
      text.remove_prefix(text.rfind('\n', content - 1) + 1);
      continue;
    }
    if (text[content] != '#') return false;
    const std::size_t end = std::min(text.find('\n', content), text.size());
    if (first_other_break(text.substr(0, end)) + 1 < end) return false;
    text.remove_prefix(end);
  }
  return true;
}

// Calls `visit(at, after_other_break)` for each `mark` at the start of a line, until it returns false.
template <typename Visit>
void each_at_line_start(std::string_view text, std::string_view mark, Visit visit) {
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
    const bool after_other_break = ends_with_other_break(text.substr(0, at));
    if (at != 0 && text[at - 1] != '\n' && !after_other_break) continue;
    if (!visit(at, after_other_break)) return;
  }
}

}  // namespace

std::optional<ReaderGap> reader_gap(std::string_view text) {
  std::optional<ReaderGap> gap;
  each_at_line_start(text, kStart, [&](std::size_t at, bool after_other_break) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const std::string_view what = gap_at_start(line, after_other_break);
    if (!what.empty()) gap = {at, at + line.size(), what};
    return what.empty();
  });
  if (gap) return gap;
  each_at_line_start(text, kEnd, [&](std::size_t at, bool) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (is_marker(line) && !ends_here(text.substr(at + kEnd.size())))
      gap = {at, at + kEnd.size(), "text after the document end `...`"};
    return !gap;
  });
  return gap;
}

bool is_chart_values(std::string_view path) { return path.substr(path.rfind('/') + 1) == "values.yaml"; }

bool is_skipped_by_argo(std::string_view path, std::string_view text) {
  return has_manifest_name(path) && !is_chart_values(path) && text.find(kSkipMarker) != std::string_view::npos;
}

}  // namespace capwright
