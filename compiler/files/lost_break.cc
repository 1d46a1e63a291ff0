// Two pieces of template text that are neighbours in a line of the output came from two lines if a line break follows
// the first in its template, and one precedes the second in its own, with only tags between.
#include "files/lost_break.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace capwright {
namespace {

constexpr std::string_view kBlanks = " \t\r", kSpace = " \t\r\n";
constexpr auto kNone = std::string_view::npos;

bool opens_tag(std::string_view text, std::size_t at) {
  return text.substr(at, 2) == "{%" || text.substr(at, 2) == "{#";
}

// Whether a tag that prints nothing by itself ends before `end`.
bool closes_tag(std::string_view text, std::size_t end) {
  return end >= 2 && text[end - 1] == '}' && (text[end - 2] == '%' || text[end - 2] == '#');
}

std::size_t tag_end(std::string_view text, std::size_t begin) {
  const std::size_t close = text.find(text[begin + 1] == '%' ? "%}" : "#}", begin + 2);
  return close == kNone ? text.size() : close + 2;
}

std::size_t tag_begin(std::string_view text, std::size_t end) {
  return text.substr(0, end - 2).rfind(text[end - 2] == '%' ? "{%" : "{#");
}

// The first word of the tag at `begin`.
std::string_view keyword(std::string_view text, std::size_t begin) {
  text.remove_prefix(begin + 2);
  text.remove_prefix(std::min(text.find_first_not_of("-+ \t\r\n"), text.size()));
  return text.substr(0, std::min(text.find_first_of("-+% \t\r\n"), text.size()));
}

// How two neighbours in the output are placed in their templates.
struct Neighbours {
  bool is_one = false;     // in the same template
  bool goes_back = false;  // the second is in the next round of a loop
};

// The end of a line of a template, and its line break if that is between the neighbours.
struct LineEnd {
  bool is_end = false;
  std::size_t line_break = kNone;
};

// Of the line that goes on at `at`, which must have nothing but tags there.
LineEnd end_after(std::string_view text, std::size_t at, Neighbours are) {
  bool has_left_loop = false;
  while (true) {
    at = std::min(text.find_first_not_of(kBlanks, at), text.size());
    if (at == text.size()) return {true, kNone};
    if (text[at] == '\n') return {true, has_left_loop ? kNone : at};
    const std::string_view word = opens_tag(text, at) ? keyword(text, at) : "";
    const bool prints_other = word == "include" && (!are.is_one || are.goes_back);
    if (!opens_tag(text, at) || prints_other) return {};
    has_left_loop = has_left_loop || (are.goes_back && word == "endfor");
    at = tag_end(text, at);
  }
}

// Of the line before the one in which `at` is, which must have nothing but tags before.
LineEnd end_before(std::string_view text, std::size_t at, Neighbours are) {
  bool is_elsewhere = false;  // before an include, or before a loop that goes on
  while (true) {
    at = text.substr(0, at).find_last_not_of(kBlanks) + 1;  // npos + 1 is 0
    if (at == 0) return {true, kNone};
    if (text[at - 1] == '\n') return {true, is_elsewhere ? kNone : at - 1};
    if (!closes_tag(text, at)) return {};
    at = tag_begin(text, at);
    if (at == kNone) return {};
    const std::string_view word = keyword(text, at);
    is_elsewhere = is_elsewhere || word == "include" || (are.goes_back && word == "for");
  }
}

// A piece of the output: where it is from, and the bytes of that template.
struct TemplatePiece {
  std::string_view source;
  FileId file = FileId::None;
  std::size_t begin = 0, end = 0;  // in `source`
};

// `size`: of the segment, which may have only the first bytes of a literal.
TemplatePiece template_piece(const Segment& segment, std::size_t size, const SourceSet& sources) {
  TemplatePiece piece{sources.text(segment.where.file), segment.where.file, segment.where.begin, segment.where.end};
  if (segment.literal) piece.end = std::min(piece.end, piece.begin + size);
  if (segment.literal) return piece;
  // Blanks that `-}}` removes are part of the expression's place.
  const std::size_t close = piece.source.substr(0, piece.end).rfind("}}");
  if (close != kNone && close >= piece.begin) piece.end = close + 2;
  return piece;
}

Span span_in(const TemplatePiece& piece, std::size_t begin, std::size_t end) {
  return {piece.file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

std::optional<LostBreak> lost_by_sign(const TemplatePiece& piece, std::size_t sign, bool opens) {
  const std::size_t begin = opens ? sign - 2 : sign, end = opens ? sign + 1 : sign + 3;
  const std::string_view tag = piece.source.substr(begin, end - begin);
  const std::string_view plain = opens ? tag.substr(0, 2) : tag.substr(1);
  const std::string_view side = opens ? "before" : "after";
  return LostBreak{0, span_in(piece, begin, end), fmt::format("`{}` removes the line break {} it", tag, side),
                   fmt::format("keep the line break: write `{}` instead of `{}`", plain, tag)};
}

// What removed the line break at `at`: a sign at the tag after it or before it, the end of the template, or an option.
std::optional<LostBreak> cause_of(const TemplatePiece& piece, std::size_t at) {
  const std::string_view text = piece.source;
  const std::size_t after = text.find_first_not_of(kSpace, at);
  const bool has_sign_after = after != kNone && after + 2 < text.size() && text[after] == '{' &&
                              std::string_view("%{#").find(text[after + 1]) != kNone && text[after + 2] == '-';
  if (has_sign_after) {
    auto lost = lost_by_sign(piece, after + 2, true);
    // Without the sign, the blanks before the tag would be printed.
    if (text[after - 1] != '\n' && text[after + 1] != '{') lost->edit += ", in column 1 or with `lstrip_blocks: true`";
    return lost;
  }
  const std::size_t before = text.substr(0, at).find_last_not_of(kSpace) + 1;
  const bool has_tag_before =
      before >= 3 && text[before - 1] == '}' && std::string_view("%}#").find(text[before - 2]) != kNone;
  if (has_tag_before && text[before - 3] == '-') return lost_by_sign(piece, before - 3, false);
  const bool is_trimmed = closes_tag(text, at) && (at < 3 || text[at - 3] != '+');
  const std::size_t tag = is_trimmed ? tag_begin(text, at) : kNone;
  if (tag != kNone) {
    const std::size_t line = text.substr(0, tag).find_last_of('\n') + 1;  // npos + 1 is 0
    const bool has_printed_blanks =
        line < tag && piece.end == tag && text.substr(line, tag - line).find_first_not_of(kBlanks) == kNone;
    if (has_printed_blanks) {
      return LostBreak{0, span_in(piece, line, at), "the spaces before this tag are printed, without a line break",
                       "print no spaces before tags: `jinja: {lstrip_blocks: true}`"};
    }
    return LostBreak{0, span_in(piece, tag, at), "`trim_blocks` removes the line break after this tag",
                     fmt::format("keep the line break: end the tag with `+{}`", text.substr(at - 2, 2))};
  }
  if (at + 1 != text.size()) return std::nullopt;
  const std::size_t line = text.substr(0, at).rfind('\n') + 1;
  return LostBreak{0, span_in(piece, line, at), "the last line break of a template is dropped",
                   "keep the line break: `jinja: {keep_trailing_newline: true}`"};
}

// Whether a body that is printed elsewhere ends with the tag: its text is often meant to be a part of a line.
bool ends_body(const LostBreak& lost, std::string_view source) {
  const std::string_view word = lost.where.end - lost.where.begin == 3 ? keyword(source, lost.where.begin) : "";
  return word == "endmacro" || word == "endcall" || word == "endset" || word == "endfilter" || word == "endblock";
}

std::optional<LostBreak> lost_between(const TemplatePiece& left, const TemplatePiece& right) {
  Neighbours are{left.file == right.file};
  are.goes_back = are.is_one && right.begin < left.end;
  const LineEnd after = end_after(left.source, left.end, are), before = end_before(right.source, right.begin, are);
  if (!after.is_end || !before.is_end) return std::nullopt;
  const bool is_in_order = are.is_one && !are.goes_back;
  std::optional<LostBreak> first, second;
  if (after.line_break != kNone && (!is_in_order || after.line_break < right.begin))
    first = cause_of(left, after.line_break);
  if (before.line_break != kNone && (!is_in_order || before.line_break >= left.end))
    second = cause_of(right, before.line_break);
  return first && (!second || !ends_body(*first, left.source)) ? first : second;
}

}  // namespace

std::optional<LostBreak> find_lost_break(const MappedText& rendered, std::uint32_t begin, std::uint32_t end,
                                         const Stage& stage) {
  const auto segments = rendered.segments();
  const std::string& text = rendered.text();
  const auto is_before = [](const Segment& segment, std::uint32_t offset) { return segment.begin < offset; };
  const auto behind = std::lower_bound(segments.begin(), segments.end(), end, is_before);
  for (auto i = static_cast<std::size_t>(behind - segments.begin()); i-- > 1;) {
    const std::uint32_t at = segments[i].begin;
    if (at <= begin) break;
    if (text[at - 1] == '\n' || text[at] == '\n') continue;
    if (!segments[i - 1].where.known() || !segments[i].where.known()) continue;
    const std::size_t end_of_this = i + 1 < segments.size() ? segments[i + 1].begin : rendered.size();
    auto lost = lost_between(template_piece(segments[i - 1], at - segments[i - 1].begin, stage.sources),
                             template_piece(segments[i], end_of_this - at, stage.sources));
    if (!lost) continue;
    lost->at = at;
    return lost;
  }
  return std::nullopt;
}

}  // namespace capwright
