// Myers' greedy algorithm ("An O(ND) difference algorithm and its variations", 1986) over line numbers, and hunks
// grouped as in `diff -u`.
#include "files/text_diff.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <unordered_map>

namespace capwright {
namespace {

using LineNumber = std::uint32_t;

// Lines with their line break; the last one may have none.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

// A last line without a line break differs from one with it.
struct Sequences {
  std::vector<std::uint32_t> before, after;  // equal lines have equal numbers
};

Sequences number_lines(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after) {
  std::unordered_map<std::string_view, std::uint32_t> known;
  const auto number = [&](std::string_view line) {
    return known.try_emplace(line, static_cast<std::uint32_t>(known.size())).first->second;
  };
  Sequences numbers;
  for (const std::string_view line : before) numbers.before.push_back(number(line));
  for (const std::string_view line : after) numbers.after.push_back(number(line));
  return numbers;
}

// The part of two sequences between their common prefix and suffix.
struct Middle {
  LineNumber old_begin, old_end, new_begin, new_end;
};

Middle trim(const Sequences& lines) {
  Middle m{0, static_cast<LineNumber>(lines.before.size()), 0, static_cast<LineNumber>(lines.after.size())};
  while (m.old_begin < m.old_end && m.new_begin < m.new_end && lines.before[m.old_begin] == lines.after[m.new_begin]) {
    ++m.old_begin, ++m.new_begin;
  }
  while (m.old_begin < m.old_end && m.new_begin < m.new_end &&
         lines.before[m.old_end - 1] == lines.after[m.new_end - 1]) {
    --m.old_end, --m.new_end;
  }
  return m;
}

// Furthest-reaching paths by number of edits. reach[d][k + d] is how far into the old text a path with d edits gets on
// diagonal k (old minus new position).
class EditPaths {
 public:
  EditPaths(const Sequences& lines, Middle middle) : lines_(lines), m_(middle) {}

  // False when more than `most` edits are needed.
  bool search(std::int64_t most) {
    const std::int64_t old_size = m_.old_end - m_.old_begin, new_size = m_.new_end - m_.new_begin;
    for (std::int64_t edits = 0; edits <= most; ++edits) {
      reach_.emplace_back(static_cast<std::size_t>(2 * edits + 1), 0);
      for (std::int64_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
        const std::int64_t x = slide(start(edits, diagonal), diagonal);
        at(edits, diagonal) = x;
        if (x >= old_size && x - diagonal >= new_size) return true;
      }
    }
    return false;
  }

  // The edits of the path, last first, one line each.
  std::vector<LineChange> walk_back() {
    std::vector<LineChange> changes;
    std::int64_t x = m_.old_end - m_.old_begin;
    std::int64_t diagonal = x - (m_.new_end - m_.new_begin);
    for (auto edits = static_cast<std::int64_t>(reach_.size()) - 1; edits > 0; --edits) {
      const bool inserted = comes_from_above(edits, diagonal);
      diagonal += inserted ? 1 : -1;
      x = at(edits - 1, diagonal);
      const auto old_line = static_cast<LineNumber>(m_.old_begin + x);
      const auto new_line = static_cast<LineNumber>(m_.new_begin + x - diagonal);
      changes.push_back({old_line, old_line + (inserted ? 0 : 1), new_line, new_line + (inserted ? 1 : 0)});
    }
    return changes;
  }

 private:
  std::int64_t& at(std::int64_t edits, std::int64_t diagonal) {
    return reach_[static_cast<std::size_t>(edits)][static_cast<std::size_t>(diagonal + edits)];
  }

  // Whether the best path to a diagonal ends with an inserted line (else with a deleted one).
  bool comes_from_above(std::int64_t edits, std::int64_t diagonal) {
    if (diagonal == -edits) return true;
    if (diagonal == edits) return false;
    return at(edits - 1, diagonal - 1) < at(edits - 1, diagonal + 1);
  }

  std::int64_t start(std::int64_t edits, std::int64_t diagonal) {
    if (edits == 0) return 0;
    return comes_from_above(edits, diagonal) ? at(edits - 1, diagonal + 1) : at(edits - 1, diagonal - 1) + 1;
  }

  std::int64_t slide(std::int64_t x, std::int64_t diagonal) const {
    while (m_.old_begin + x < m_.old_end && m_.new_begin + x - diagonal < m_.new_end &&
           lines_.before[static_cast<std::size_t>(m_.old_begin + x)] ==
               lines_.after[static_cast<std::size_t>(m_.new_begin + x - diagonal)]) {
      ++x;
    }
    return x;
  }

  const Sequences& lines_;
  Middle m_;
  std::vector<std::vector<std::int64_t>> reach_;
};

// Joins ordered edits of one line each into changes.
std::vector<LineChange> join(std::vector<LineChange> edits) {
  std::reverse(edits.begin(), edits.end());
  std::vector<LineChange> changes;
  for (const LineChange& edit : edits) {
    const bool touches =
        !changes.empty() && changes.back().old_end == edit.old_begin && changes.back().new_end == edit.new_begin;
    if (!touches) {
      changes.push_back(edit);
    } else {
      changes.back().old_end = edit.old_end;
      changes.back().new_end = edit.new_end;
    }
  }
  return changes;
}

std::vector<LineChange> changes_between(const std::vector<std::string_view>& before,
                                        const std::vector<std::string_view>& after, std::uint32_t most_edits) {
  const Sequences lines = number_lines(before, after);
  const Middle m = trim(lines);
  if (m.old_begin == m.old_end && m.new_begin == m.new_end) return {};
  const LineChange whole{m.old_begin, m.old_end, m.new_begin, m.new_end};
  if (m.old_begin == m.old_end || m.new_begin == m.new_end) return {whole};
  EditPaths paths(lines, m);
  if (!paths.search(most_edits)) return {whole};
  return join(paths.walk_back());
}

// `-4,3`, `+4`, `-3,0`: the format of `diff -u`, where an empty range names the line before it.
std::string range(LineNumber begin, LineNumber end) {
  const LineNumber size = end - begin;
  if (size == 1) return std::to_string(begin + 1);
  return fmt::format("{},{}", size == 0 ? begin : begin + 1, size);
}

class DiffWriter {
 public:
  DiffWriter(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after,
             DiffOptions options)
      : before_(before), after_(after), options_(options) {}

  void write_hunk(std::span<const LineChange> changes) {
    const LineChange& first = changes.front();
    const LineChange& last = changes.back();
    const LineNumber lead = std::min(options_.context, first.old_begin);
    const LineNumber tail = std::min(options_.context, static_cast<LineNumber>(before_.size()) - last.old_end);
    add(fmt::format("@@ -{} +{} @@\n", range(first.old_begin - lead, last.old_end + tail),
                    range(first.new_begin - lead, last.new_end + tail)));
    LineNumber line = first.old_begin - lead;
    for (const LineChange& change : changes) {
      while (line < change.old_begin) add_line(' ', before_[line++]);
      while (line < change.old_end) add_line('-', before_[line++]);
      for (LineNumber i = change.new_begin; i < change.new_end; ++i) add_line('+', after_[i]);
    }
    while (line < last.old_end + tail) add_line(' ', before_[line++]);
  }

  std::string finish() {
    if (left_out_ != 0) out_ += fmt::format("… and {} more lines\n", left_out_);
    return std::move(out_);
  }

 private:
  void add_line(char mark, std::string_view line) {
    std::string text(1, mark);
    text += line;
    if (!line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
    add(text);
  }
  void add(std::string_view text) {
    const bool full = options_.most_lines != 0 && written_ >= options_.most_lines;
    ++(full ? left_out_ : written_);
    if (!full) out_ += text;
  }

  const std::vector<std::string_view>& before_;
  const std::vector<std::string_view>& after_;
  DiffOptions options_;
  std::string out_;
  std::uint32_t written_ = 0, left_out_ = 0;
};

}  // namespace

std::vector<LineChange> line_changes(std::string_view old_text, std::string_view new_text, std::uint32_t most_edits) {
  return changes_between(lines_of(old_text), lines_of(new_text), most_edits);
}

std::string unified_diff(const NamedText& old_side, const NamedText& new_side, DiffOptions options) {
  if (old_side.text == new_side.text) return {};
  const std::vector<std::string_view> before = lines_of(old_side.text), after = lines_of(new_side.text);
  const std::vector<LineChange> changes = changes_between(before, after, options.most_edits);
  DiffWriter writer(before, after, options);
  for (std::size_t begin = 0; begin < changes.size();) {
    std::size_t end = begin + 1;  // changes with overlapping contexts form one hunk
    while (end < changes.size() && changes[end].old_begin - changes[end - 1].old_end <= 2 * options.context) ++end;
    writer.write_hunk(std::span(changes).subspan(begin, end - begin));
    begin = end;
  }
  return fmt::format("--- {}\n+++ {}\n", old_side.name, new_side.name) + writer.finish();
}

}  // namespace capwright
