// Bytes of template text map one by one, those of an expression only as a whole. Lines may have statements between them
// in the template, which move with them.
#include "migrate/source_rewrite.h"

#include <algorithm>
#include <array>

namespace capwright::migrate {
namespace {

struct Range {
  std::uint32_t begin = 0, end = 0;
};

// How a statement changes the number of open blocks.
int depth_change(std::string_view tag) {
  constexpr std::array kOpen = {"if ", "for ", "macro ", "call ", "filter ", "block ", "with "};
  tag.remove_prefix(std::min(tag.find_first_not_of("{%-+ "), tag.size()));
  if (tag.starts_with("end")) return -1;
  return std::any_of(kOpen.begin(), kOpen.end(), [&](const char* word) { return tag.starts_with(word); }) ? 1 : 0;
}

std::string_view line_at(std::string_view text, std::size_t begin) {
  std::string_view line = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line.substr(0, line.find_last_not_of(" \r") + 1);
}

std::size_t indentation_at(std::string_view text, std::uint32_t at) {
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return std::min(text.find_first_not_of(' ', line), text.size()) - line;
}

// The blocks that open, less those that close, in a part of a template.
int open_blocks(std::string_view text) {
  int depth = 0;
  for (std::size_t tag = text.find("{%"); tag != std::string_view::npos; tag = text.find("{%", tag + 2))
    depth += depth_change(text.substr(tag));
  return depth;
}

// The begin of the line in [first, last] of a template that ends a map: in the block of `anchor`, after what is
// indented to `column`, which may belong to conditions that weren't met. `first` if there is none.
std::uint32_t end_of_map(std::string_view text, std::uint32_t anchor, std::size_t column, std::uint32_t first,
                         std::uint32_t last) {
  if (anchor > first) return first;
  int depth = open_blocks(text.substr(anchor, first - anchor));
  std::uint32_t best = first;
  bool has_best = depth == 0;
  for (std::uint32_t line = first; line < last && depth >= 0;) {
    const auto end = static_cast<std::uint32_t>(std::min(text.find('\n', line), text.size()));
    const std::string_view whole = text.substr(line, end - line);
    const std::string_view content = line_at(text, line);
    const bool is_inside = content.starts_with("{%") || content.starts_with("{#") || content.empty() ||
                           indentation_at(text, line + 1) >= column;
    if (!is_inside || end >= last) break;
    depth += open_blocks(whole);
    line = end + 1;
    if (depth != 0 || content.empty()) continue;
    best = line;
    has_best = true;
  }
  return has_best ? best : first;
}

bool is_only(std::string_view line, std::string_view word) {
  if (!line.starts_with("{%") || !line.ends_with("%}") || line.find("{%", 2) != std::string_view::npos) return false;
  line.remove_prefix(std::min(line.find_first_not_of("{%-+ "), line.size()));
  return line.starts_with(word);
}

// Lines with the `{% if %}` and `{% endif %}` around them, as far as nothing else is between these.
Range with_condition(std::string_view text, Range lines) {
  while (lines.begin > 0 && lines.end < text.size()) {
    const std::size_t before = lines.begin < 2 ? 0 : text.rfind('\n', lines.begin - 2) + 1;
    if (!is_only(line_at(text, before), "if ") || !is_only(line_at(text, lines.end), "endif")) break;
    lines.begin = static_cast<std::uint32_t>(before);
    lines.end = static_cast<std::uint32_t>(std::min(text.find('\n', lines.end), text.size() - 1) + 1);
  }
  return lines;
}

class Mapper {
 public:
  Mapper(const MappedText& text, const SourceSet& sources) : text_(text), sources_(sources) {}

  std::optional<SourceRewrite> map(const Rewrite& rendered) {
    SourceRewrite out;
    for (const Rewrite::Replace& each : rendered.replaces) {
      const auto range = each.begin == each.end ? point(each.begin, each.gap) : bytes(each.begin, each.end);
      if (!range || (prints_value(each) && !each.text.empty())) return std::nullopt;
      add(out.rewrite.replaces, {range->begin, range->end, outdented(each, *range), {}});
    }
    for (const Rewrite::Shift& each : rendered.shifts) {
      const auto range = lines(each.begin, each.end);
      if (!range) return std::nullopt;
      const bool is_known = std::any_of(out.rewrite.shifts.begin(), out.rewrite.shifts.end(),
                                        [&](const auto& known) { return known.begin == range->begin; });
      if (!is_known) out.rewrite.shifts.push_back({range->begin, range->end, each.columns});
    }
    if (rendered.gone) {
      const auto range = lines(rendered.gone->begin, rendered.gone->end);
      if (!range) return std::nullopt;
      const Range whole = with_condition(sources_.text(file_), *range);
      out.rewrite.gone = Rewrite::Lines{whole.begin, whole.end};
    }
    if (rendered.paste && !map_paste(*rendered.paste, out.rewrite)) return std::nullopt;
    if (file_ == FileId::None) return std::nullopt;
    out.file = file_;
    return out;
  }

 private:
  bool map_paste(const Rewrite::Paste& paste, Rewrite& out) {
    const auto range = lines(paste.begin, paste.end), at = point(paste.at, paste.gap);
    if (!range || !at) return false;
    const Range whole = with_condition(sources_.text(file_), *range);
    if (at->begin > whole.begin && at->begin < whole.end) return false;
    out.paste = Rewrite::Paste{whole.begin, whole.end, at->begin, paste.columns, paste.before, {}};
    if (whole.begin == range->begin) return true;
    // The maps around the field are there only if the field is.
    add(out.replaces, {range->begin, range->begin, paste.before, {}});
    out.paste->before.clear();
    return true;
  }

  // The passes of a loop print the same text of the template several times.
  static void add(std::vector<Rewrite::Replace>& all, Rewrite::Replace added) {
    const bool is_known = std::any_of(all.begin(), all.end(), [&](const Rewrite::Replace& each) {
      return each.begin == added.begin && each.end == added.end && each.text == added.text;
    });
    if (!is_known) all.push_back(std::move(added));
  }

  // Whether an expression printed bytes that an edit replaces: it prints other ones in other clusters.
  bool prints_value(const Rewrite::Replace& edit) const {
    for (std::uint32_t at = edit.begin; at < edit.end; at = end_of(*text_.segment_at(at))) {
      if (!text_.segment_at(at)->literal) return true;
    }
    return false;
  }

  // One file for all.
  bool is_here(const Span& where) {
    if (!where.known()) return false;
    if (file_ == FileId::None) file_ = where.file;
    return file_ == where.file;
  }

  std::uint32_t end_of(const Segment& segment) const {
    const auto next = static_cast<std::size_t>(&segment - text_.segments().data()) + 1;
    return next == text_.segments().size() ? text_.size() : text_.segments()[next].begin;
  }

  // The place of one byte: itself, or the expression that printed it.
  std::optional<Range> byte(std::uint32_t at) {
    const Segment* segment = text_.segment_at(at);
    if (segment == nullptr || !is_here(segment->where)) return std::nullopt;
    if (!segment->literal) return Range{segment->where.begin, segment->where.end};
    const std::uint32_t begin = segment->where.begin + (at - segment->begin);
    if (begin >= segment->where.end) return std::nullopt;
    return Range{begin, begin + 1};
  }

  // Bytes that are next to each other in the template, too.
  std::optional<Range> bytes(std::uint32_t begin, std::uint32_t end) {
    std::optional<Range> all;
    for (std::uint32_t at = begin; at < end;) {
      const Segment* segment = text_.segment_at(at);
      const auto here = byte(at);
      if (!here) return std::nullopt;
      const std::uint32_t stop = std::min(end, end_of(*segment));
      if (!segment->literal && (at != segment->begin || stop != end_of(*segment))) return std::nullopt;
      const Range piece{here->begin, segment->literal ? here->begin + (stop - at) : here->end};
      if (all && all->end != piece.begin) return std::nullopt;
      all = Range{all ? all->begin : piece.begin, piece.end};
      at = stop;
    }
    return all;
  }

  // The text of an edit. New lines in it have columns of the output, which a filter may have indented.
  std::string outdented(const Rewrite::Replace& edit, const Range& place) const {
    const std::size_t line_break = edit.text.find('\n');
    const std::string_view source = sources_.text(file_), rendered = text_.text();
    if (line_break == std::string::npos) return edit.text;
    const std::size_t there = indentation_at(rendered, edit.begin), here = indentation_at(source, place.begin);
    if (there <= here) return edit.text;
    std::string out;
    std::size_t begin = 0;
    for (std::size_t at = line_break; at != std::string::npos; at = edit.text.find('\n', begin)) {
      out.append(edit.text, begin, at + 1 - begin);
      begin = at + 1;
      const std::size_t blank = std::min(edit.text.find_first_not_of(' ', begin), edit.text.size()) - begin;
      begin += std::min(blank, there - here);
    }
    return out.append(edit.text, begin);
  }

  std::uint32_t column_of(std::uint32_t at) const {
    return static_cast<std::uint32_t>(at - (at == 0 ? 0 : text_.text().rfind('\n', at - 1) + 1));
  }

  // Between two bytes. Between two lines: in the block of the template that has the anchor.
  std::optional<Range> point(std::uint32_t at, const Rewrite::Gap& gap) {
    const auto before = at > 0 ? byte(at - 1) : std::nullopt;
    if (before && at < text_.size() && text_.text()[at - 1] == '\n') {
      const Segment* next = text_.segment_at(at);
      const bool is_same = next->where.file == file_ && next->literal;
      const std::uint32_t after = is_same ? next->where.begin + (at - next->begin) : before->end;
      const auto anchor = byte(gap.anchor);
      const std::string_view source = sources_.text(file_);
      if (!anchor) return std::nullopt;
      const std::size_t column =
          indentation_at(source, anchor->begin) + gap.column - std::min(gap.column, column_of(gap.anchor));
      const std::uint32_t place = end_of_map(source, anchor->begin, column, before->end, std::max(before->end, after));
      return Range{place, place};
    }
    if (before) {
      const Segment* segment = text_.segment_at(at - 1);
      if (segment->literal || end_of(*segment) == at) return Range{before->end, before->end};
      return std::nullopt;
    }
    const auto after = at < text_.size() ? byte(at) : std::nullopt;
    if (!after) return std::nullopt;
    return Range{after->begin, after->begin};
  }

  // Whole lines: each begins with text of the template, in this file.
  std::optional<Range> lines(std::uint32_t begin, std::uint32_t end) {
    std::optional<Range> all;
    const std::string_view rendered = text_.text();
    for (std::uint32_t line = begin; line < end;) {
      const Segment* segment = text_.segment_at(line);
      const auto first = byte(line);
      if (!first || !segment->literal) return std::nullopt;
      const auto line_end = static_cast<std::uint32_t>(std::min(rendered.find('\n', line), rendered.size() - 1));
      const auto last = byte(line_end);
      if (!last) return std::nullopt;
      if (all && first->begin < all->begin) return std::nullopt;
      all = Range{all ? all->begin : first->begin, std::max(all ? all->end : 0, last->end)};
      line = line_end + 1;
    }
    if (!all) return std::nullopt;
    const std::string_view source = sources_.text(file_);
    const std::size_t line = all->begin == 0 ? 0 : source.rfind('\n', all->begin - 1) + 1;
    if (source.substr(line, all->begin - line).find_first_not_of(' ') != std::string_view::npos) return std::nullopt;
    const std::size_t stop = source.find('\n', all->end - 1);
    return Range{static_cast<std::uint32_t>(line),
                 static_cast<std::uint32_t>(stop == std::string_view::npos ? source.size() : stop + 1)};
  }

  const MappedText& text_;
  const SourceSet& sources_;
  FileId file_ = FileId::None;
};

}  // namespace

std::optional<SourceRewrite> source_rewrite(const Rewrite& rendered, const MappedText& text, const SourceSet& sources) {
  return Mapper(text, sources).map(rendered);
}

}  // namespace capwright::migrate
