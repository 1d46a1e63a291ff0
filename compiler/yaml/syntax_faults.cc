// The library's message selects a check of the surrounding lines, which finds the likely mistake.
#include <algorithm>
#include <string>
#include <vector>

#include "diag/catalog/text.h"
#include "yaml/byte_checks.h"
#include "yaml/characters.h"
#include "yaml/reading.h"

namespace capwright::yaml {
namespace {

constexpr std::uint32_t kLongestShown = 40;

struct Line {
  std::uint32_t begin, end;  // without the line break
  std::uint32_t indent;      // spaces and tabs
};

class Explainer {
 public:
  Explainer(Reading& reading, std::uint32_t offset)
      : reading_(reading), text_(reading.text), at_(std::min(offset, size())) {}

  void explain(std::string_view message);
  bool bracket_left_open();

 private:
  std::uint32_t size() const { return static_cast<std::uint32_t>(text_.size()); }
  Line line_at(std::uint32_t offset) const;
  std::optional<Line> line_above(const Line&) const;
  std::optional<Line> line_below(const Line&) const;
  std::string_view content(const Line& line) const {
    return text_.substr(line.begin + line.indent, line.end - line.begin - line.indent);
  }
  bool is_item(const Line& line) const { return content(line) == "-" || content(line).starts_with("- "); }
  std::string_view first_word(const Line&) const;
  std::string_view shown(std::uint32_t offset) const;
  std::uint32_t end_of(std::string_view word, std::uint32_t begin) const {
    return begin + static_cast<std::uint32_t>(word.size());
  }

  bool conflict();
  bool template_tag();
  bool tab();
  void unexpected();
  void quote();
  void after_value();
  void bracket(std::string_view message);
  void unclosed(std::uint32_t opener);
  void comma(std::string_view message);
  bool bracket_in_text();
  void reserved();
  void second_colon();
  void no_colon();
  void multiline_key();
  void indentation();
  std::uint32_t outer_indent(const Line& line) const;
  void escape();
  void block_header();

  Reading& reading_;
  std::string_view text_;
  std::uint32_t at_;
};

bool has(std::string_view message, std::string_view part) { return message.find(part) != std::string_view::npos; }

Line Explainer::line_at(std::uint32_t offset) const {
  const std::size_t begin = offset == 0 ? 0 : text_.rfind('\n', offset - 1) + 1;
  std::size_t end = std::min(text_.find('\n', offset), text_.size());
  if (end > begin && text_[end - 1] == '\r') --end;
  const std::size_t indent = std::min(text_.find_first_not_of(" \t", begin), end) - begin;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), static_cast<std::uint32_t>(indent)};
}

// The nearest line above that has content other than a comment.
std::optional<Line> Explainer::line_above(const Line& line) const {
  Line above = line;
  while (above.begin != 0) {
    above = line_at(above.begin - 1);
    if (!content(above).empty() && content(above)[0] != '#') return above;
  }
  return std::nullopt;
}
std::optional<Line> Explainer::line_below(const Line& line) const {
  Line below = line;
  while (text_.find('\n', below.end) < text_.size() - 1) {
    below = line_at(static_cast<std::uint32_t>(text_.find('\n', below.end)) + 1);
    if (!content(below).empty() && content(below)[0] != '#') return below;
  }
  return std::nullopt;
}

// The key of a line, or the beginning of the line, shortened for display.
std::string_view Explainer::first_word(const Line& line) const {
  std::string_view word = content(line);
  while (word.starts_with("- ")) word.remove_prefix(std::min(word.find_first_not_of(' ', 1), word.size()));
  return cut(word.substr(0, std::min(word.find(": "), word.ends_with(':') ? word.size() - 1 : word.size())),
             kLongestShown);
}

// From `offset` to the next space.
std::string_view Explainer::shown(std::uint32_t offset) const {
  const std::string_view rest = text_.substr(offset);
  return cut(rest.substr(0, rest.find_first_of(" \t\r\n")), kLongestShown);
}

// Git's conflict markers. They start at the beginning of a line and end every block, so the library reports an error at
// the first of them or below it.
bool Explainer::conflict() {
  for (const std::string_view mark : {"<<<<<<< ", ">>>>>>> "}) {
    std::size_t begin = text_.starts_with(mark) ? 0 : text_.find("\n" + std::string(mark));
    if (begin == std::string_view::npos) continue;
    if (begin != 0 || !text_.starts_with(mark)) ++begin;
    const Line line = line_at(static_cast<std::uint32_t>(begin));
    const std::string_view marker = cut(text_.substr(line.begin, line.end - line.begin), kLongestShown);
    reading_.report(diag::yaml_syntax, line.begin, line.end, fmt::format("conflict marker `{}`", marker))
        .note("the file has an unresolved merge conflict")
        .advise("resolve the conflict, and delete the lines that start with `<<<<<<<`, `=======` and `>>>>>>>`");
    return true;
  }
  return false;
}

// A tag of Go's templates or of Jinja2 in the line of the error: a statement, or a value without quotes.
bool Explainer::template_tag() {
  const Line line = line_at(at_);
  std::size_t begin = std::string_view::npos;
  for (const std::string_view opening : {"{{", "{%"}) {
    if (content(line).starts_with(opening)) begin = line.begin + line.indent;
    for (const std::string_view before : {": ", "- "}) {
      const std::size_t found = content(line).find(std::string(before) + std::string(opening));
      if (found != std::string_view::npos) begin = std::min(begin, line.begin + line.indent + found + before.size());
    }
  }
  if (begin == std::string_view::npos) return false;
  const std::string_view rest = text_.substr(begin, line.end - begin);
  const std::size_t close = std::min(rest.find("}}"), rest.find("%}"));
  const std::string_view tag = rest.substr(0, close == std::string_view::npos ? close : close + 2);
  const auto from = static_cast<std::uint32_t>(begin);
  reading_
      .report(diag::yaml_syntax, from, end_of(tag, from), fmt::format("`{}` of a template", cut(tag, kLongestShown)))
      .note(std::string(kTemplateNote))
      .advise(std::string(kTemplateHelp));
  return true;
}

// A tab in the indentation of this line or the one below it, to which the library has often advanced.
bool Explainer::tab() {
  std::optional<Line> line = line_at(at_);
  for (int tries = 0; tries < 2 && line; ++tries, line = line_below(*line)) {
    const std::size_t place = text_.substr(line->begin, line->indent).find('\t');
    if (place == std::string_view::npos) continue;
    const auto begin = line->begin + static_cast<std::uint32_t>(place);
    reading_.report(diag::tab_indentation, begin, begin + 1).advise("replace it with spaces");
    return true;
  }
  return false;
}

void Explainer::unexpected() {
  const std::string_view word = shown(at_);
  reading_.report(diag::yaml_syntax, at_, end_of(word, at_),
                  word.empty() ? "end of the line" : fmt::format("`{}`", word));
}

void Explainer::quote() {
  while (at_ > 0 && at_ < size() && text_[at_] != '"' && text_[at_] != '\'') --at_;
  if (at_ == size() || (text_[at_] != '"' && text_[at_] != '\'')) return unexpected();
  const Line line = line_at(at_);
  auto& fault = reading_.report(diag::unclosed_quote, at_, line.end, text_[at_]);
  if (text_.find(text_[at_], line.end) == std::string_view::npos) {
    fault.advise(fmt::format("close it with `{}`", text_[at_]));
  } else {
    fault.note("a quoted text over several lines must be indented more than its key")
        .advise(fmt::format("close it with `{}` on its line, or indent the lines below", text_[at_]));
  }
}

void Explainer::after_value() {
  // If a quote was closed on a later line, the opening quote of another text probably closed it.
  const std::uint32_t opened = outline_brackets(text_.substr(0, at_), size() + 1, size() + 1).last_quote;
  if (opened != Outline::kNowhere && line_at(opened).begin != line_at(at_).begin) {
    at_ = opened;
    return quote();
  }
  const std::string_view rest = text_.substr(at_, line_at(at_).end - at_);
  const std::string_view word = cut(rest, kLongestShown);
  auto& fault = reading_.report(diag::text_after_value, at_, end_of(word, at_), fmt::format("`{}`", word));
  const char quote = at_ > 0 ? text_[at_ - 1] : ' ';
  if (word.starts_with('#')) {
    fault.advise("put a space before `#`");
  } else if (quote == '\'') {
    fault.advise("double a `'` inside single quotes: `'it''s'`");
  } else if (quote == '"' && has(rest, "\"")) {
    fault.advise("escape a `\"` inside double quotes (`\\\"`), or use single quotes around the text");
  } else {
    fault.advise("put the quotes around the whole text");
  }
}

// Unclosed, closed twice, or closed by the wrong kind.
void Explainer::bracket(std::string_view message) {
  const Outline outline = outline_brackets(text_.substr(0, at_), size() + 1, size() + 1);
  const bool closer = at_ < size() && (text_[at_] == ']' || text_[at_] == '}');
  if (outline.open.empty()) {
    if (!closer) return unexpected();
    reading_.report(diag::unexpected_bracket, at_, at_ + 1, text_[at_], "nothing");
    return;
  }
  const std::uint32_t opener = outline.open.back();
  if (closer && (has(message, "mismatched") || has(message, "extra"))) {
    reading_.report(diag::unexpected_bracket, at_, at_ + 1, text_[at_], fmt::format("a `{}`", text_[opener]))
        .also(reading_.places.span(opener, opener + 1), "opened here");
    return;
  }
  unclosed(opener);
}

void Explainer::unclosed(std::uint32_t opener) {
  reading_.report(diag::unclosed_bracket, opener, opener + 1, text_[opener])
      .advise(fmt::format("close it with `{}`", text_[opener] == '[' ? ']' : '}'));
}

bool Explainer::bracket_left_open() {
  const Outline outline = outline_brackets(text_.substr(0, at_), size() + 1, size() + 1);
  if (outline.open.empty()) return false;
  const std::uint32_t opener = outline.open.back();
  const Line opened = line_at(opener);
  const auto whole = outline_brackets(text_.substr(0, text_.find("\n---", opener)), size() + 1, size() + 1);
  bool is_left = std::find(whole.open.begin(), whole.open.end(), opener) != whole.open.end();
  for (auto below = line_below(opened); !is_left && below && below->begin <= at_; below = line_below(*below)) {
    is_left = below->indent <= opened.indent && !has("]}", content(*below).substr(0, 1));
  }
  if (is_left) unclosed(opener);
  return is_left;
}

void Explainer::comma(std::string_view message) {
  if (has(message, "missing") && bracket_in_text()) return;
  const std::string_view word = shown(at_);
  const bool extra = has(message, "extra") || has(message, "beginning");
  auto& fault = reading_.report(
      diag::misplaced_comma, at_, std::min(at_ + 1, size()),
      extra ? "a comma without an item before it" : fmt::format("a comma is missing before this `{}`", word));
  if (!extra) fault.advise("separate the items with `,`; a text that holds `: ` or brackets needs quotes");
}

// `[apps/${cluster_name}.yaml]`: the bracket is meant as a part of the text before it.
bool Explainer::bracket_in_text() {
  if (at_ == 0 || at_ >= size() || (text_[at_] != '{' && text_[at_] != '[')) return false;
  constexpr std::string_view kAround = " \t\r\n,[]{}\"'";
  const std::size_t before = text_.find_last_of(kAround, at_ - 1);
  const std::uint32_t begin = before == std::string_view::npos ? 0 : static_cast<std::uint32_t>(before + 1);
  const std::size_t closer = text_.find(text_[at_] == '{' ? '}' : ']', at_);
  if (begin == at_ || closer >= line_at(at_).end) return false;
  const std::size_t end = std::min(text_.find_first_of(kAround, closer + 1), text_.size());
  const std::string_view whole = text_.substr(begin, end - begin);
  reading_.report(diag::misplaced_comma, at_, at_ + 1, fmt::format("unquoted text can't contain `{}`", text_[at_]))
      .advise(fmt::format("put the text in quotes: `\"{}\"`", cut(whole, kLongestShown)));
  return true;
}

void Explainer::reserved() {
  const std::string_view word = shown(at_);
  if (word.empty() || word.starts_with('-') || word.starts_with(':')) return unexpected();
  reading_.report(diag::reserved_character, at_, end_of(word, at_), cut(word, character_at(word, 0).size))
      .advise("put the text in quotes");
}

void Explainer::second_colon() {
  const Line line = line_at(at_);
  reading_.report(diag::second_colon, at_, std::min(at_ + 1, size()), first_word(line))
      .advise("put the value in quotes");
}

void Explainer::no_colon() {
  const Line line = line_at(at_);
  const std::string_view word = cut(content(line), kLongestShown);
  const std::uint32_t begin = line.begin + line.indent;
  auto& fault = reading_.report(diag::missing_colon, begin, end_of(word, begin), word);
  const std::size_t colon = word.find(':');
  if (colon != std::string_view::npos && colon + 1 < word.size()) {
    fault.advise(fmt::format("put a space after `:`: `{}: {}`", word.substr(0, colon), word.substr(colon + 1)));
  } else {
    fault.advise("end a key with `:`, or indent text that continues the line above");
  }
}

// A plain text runs into a line that looks like `key: value`.
void Explainer::multiline_key() {
  const Line line = line_at(at_);
  const bool has_key = has(content(line), ": ");
  const auto below = line_below(line);
  if (!has_key || !below) return no_colon();
  const std::uint32_t begin = below->begin + below->indent;
  reading_.report(diag::key_under_value, begin, end_of(first_word(*below), begin), first_word(*below), first_word(line))
      .also(reading_.places.span(at_, line.end), "its value")
      .advise("give the line the indentation of its siblings");
}

// The number of columns by which the file indents an embedded text: readers count columns in the file.
std::uint32_t Explainer::outer_indent(const Line& line) const {
  const std::uint32_t begin = line.begin + line.indent;
  const Span place = reading_.places.span(begin, begin + 1);
  if (!place.known()) return 0;
  const SourceSet& sources = reading_.stage.sources;
  const std::size_t column = sources.line_col(place).column - 1;
  const bool is_first = sources.line_text(place.file, place.begin).find_first_not_of(' ') == column;
  return is_first && column >= line.indent ? static_cast<std::uint32_t>(column) - line.indent : 0;
}

void Explainer::indentation() {
  const Line line = line_at(at_);
  std::vector<std::uint32_t> allowed;
  std::optional<Line> sibling;
  std::uint32_t least = 0xffffffff;
  for (auto above = line_above(line); above && least > 0; above = line_above(*above)) {
    if (above->indent >= least) continue;
    least = above->indent;
    if (least == line.indent && !sibling) sibling = above;
    std::uint32_t column = least;
    std::string_view rest = content(*above);
    while (rest.starts_with("- ")) {  // the keys of an item are siblings of its first key
      const std::size_t step = std::min(rest.find_first_not_of(' ', 1), rest.size());
      if (is_item(line)) allowed.push_back(column);
      column += static_cast<std::uint32_t>(step);
      rest.remove_prefix(step);
    }
    // A list may start at the column of its key. A line without a key is one of a text.
    const bool is_key = has(rest, ":"), is_text = !is_key && column == least;
    if (is_text || (is_key && (!is_item(line) || rest.ends_with(':')))) allowed.push_back(column);
  }
  const std::string_view word = first_word(line);
  const std::uint32_t begin = line.begin + line.indent;
  if (sibling && is_item(*sibling) != is_item(line)) {
    const bool item = is_item(line);
    auto& fault = reading_.report(diag::list_and_map_mixed, begin, end_of(word, begin),
                                  item ? "a list item" : fmt::format("`{}`", word), item ? "keys" : "list items");
    fault.also(reading_.places.span(sibling->begin + sibling->indent, sibling->end), item ? "a key" : "a list item");
    if (!item && word.starts_with('-')) fault.advise("put a space after `-`");
    return;
  }
  std::sort(allowed.begin(), allowed.end());
  allowed.erase(std::unique(allowed.begin(), allowed.end()), allowed.end());
  // Below a key without a value any deeper column is valid: the error is in the content there.
  const auto above = line_above(line);
  const bool may_be_deeper = above && line.indent > above->indent && content(*above).ends_with(':');
  if (may_be_deeper || allowed.empty() || std::find(allowed.begin(), allowed.end(), line.indent) != allowed.end()) {
    return has(content(line), ":") ? unexpected() : no_colon();
  }
  const std::uint32_t outer = outer_indent(line);
  std::string columns;
  for (const std::uint32_t column : allowed) {
    if (!columns.empty()) columns += column == allowed.back() ? " or " : ", ";
    columns += std::to_string(outer + column);
  }
  reading_.report(diag::bad_indentation, begin, end_of(word, begin), word, outer + line.indent, columns);
}

void Explainer::escape() {
  const std::size_t backslash = at_ < size() && text_[at_] == '\\' ? at_ : text_.rfind('\\', at_);
  if (backslash == std::string_view::npos) return unexpected();
  const auto begin = static_cast<std::uint32_t>(backslash);
  const std::string_view known = text_.substr(begin, begin + 1 < size() ? 1 + character_at(text_, begin + 1).size : 1);
  reading_.report(diag::unknown_escape, begin, end_of(known, begin), known)
      .advise(fmt::format("write a backslash as `\\\\`, or use single quotes around the text"));
}

void Explainer::block_header() {
  const Line line = line_at(at_);
  const std::size_t mark = text_.find_last_of("|>", at_);
  if (mark == std::string_view::npos || mark < line.begin) return unexpected();
  const std::string_view rest = cut(text_.substr(mark + 1, line.end - mark - 1), kLongestShown);
  reading_
      .report(diag::block_header, static_cast<std::uint32_t>(mark), line.end, fmt::format("unexpected `{}`", rest),
              text_[mark])
      .advise("start the text on the next line; a one-line text that starts with this character needs quotes");
}

void Explainer::explain(std::string_view message) {
  if (conflict()) return;
  if (reading_.options.rules == ScalarRules::Kubernetes && template_tag()) return;
  if (bracket_left_open()) return;
  const auto says = [&](auto... parts) { return (has(message, parts) || ...); };
  if (says("tab", "indent", "multiline plain key", "expected key", "expected ':'") && tab()) return;
  if (says("without closing quote", "quoted scalar used as key", "wrongly indented double", "wrongly indented single",
           "marker in double", "marker in single")) {
    return quote();
  }
  if (says("trailing content", "comment without whitespace after double", "comment without whitespace after single")) {
    return after_value();
  }
  if (says("without a closing bracket", "mismatched flow", "closing bracket", "closing brace", "extra closing")) {
    return bracket(message);
  }
  if (says("missing comma", "extra comma", "comma in the beginning")) return comma(message);
  if (says("plain scalar cannot start", "expected node content")) return reserved();
  if (says("nested block mapping on the same line", "key on same line")) return second_colon();
  if (says("multiline plain key", "mapping in plain multiline")) return multiline_key();
  if (says("expected ':'")) return no_colon();
  if (says("escape")) return escape();
  if (says("block scalar no linebreak", "bad start of block scalar", "indentation indicator")) return block_header();
  if (says("block sequence on the same line")) {
    reading_.report(diag::list_on_key_line, at_, at_ + 1)
        .advise("start the list on the next line, or write it in brackets");
    return;
  }
  if (says("indent", "expected key", "value after mapping", "end of block sequence", "'-' indicator", "mapping key")) {
    return indentation();
  }
  unexpected();
}

}  // namespace

void report_syntax_fault(Reading& reading, std::uint32_t offset, std::string_view library_message) {
  Explainer(reading, offset).explain(library_message);
}

bool report_open_bracket(Reading& reading, std::uint32_t offset) {
  return Explainer(reading, offset).bracket_left_open();
}

}  // namespace capwright::yaml
