// Works line by line. The events of the parser say which lines belong to a construct of several lines, and where keys
// and values end; everything else follows from columns.
#include "yaml/tidy.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "yaml/byte_checks.h"
#include "yaml/events.h"
#include "yaml/read.h"

namespace capwright {
namespace {

struct TextRange {
  std::uint32_t begin = 0, end = 0;
};

// What a line can't show by itself. All lists are in the order of the text.
struct Layout {
  struct Construct : TextRange {
    bool is_block = false;  // after `|` or `>`
  };
  std::vector<Construct> constructs;  // over several lines, outermost only
  std::vector<TextRange> keys;        // outside of brackets
  std::vector<std::uint32_t> ends;    // of scalars and brackets
  bool is_supported = true;           // each key is a scalar
};

class LayoutReader {
 public:
  explicit LayoutReader(yaml::Reading& reading) : text_(reading.text), events_(yaml::yaml_events(reading)) {}

  Layout read() {
    for (yaml::Event event = events_->next(); !is_last(event); event = events_->next()) {
      if (event.kind != yaml::Event::Kind::DocumentStart && event.kind != yaml::Event::Kind::DocumentEnd) node(event);
    }
    return std::move(layout_);
  }

 private:
  static bool is_last(const yaml::Event& event) {
    return event.kind == yaml::Event::Kind::StreamEnd || event.kind == yaml::Event::Kind::Fault;
  }

  void node(const yaml::Event& event) {
    switch (event.kind) {
      case yaml::Event::Kind::ListStart:
      case yaml::Event::Kind::MapStart: collection(event); break;
      case yaml::Event::Kind::Scalar:
      case yaml::Event::Kind::Alias: {
        const bool is_block = event.style == ScalarStyle::Literal || event.style == ScalarStyle::Folded;
        finish(event.begin, event.end, is_block);
        break;
      }
      default: break;
    }
  }

  void collection(const yaml::Event start) {
    const bool is_map = start.kind == yaml::Event::Kind::MapStart;
    flows_ += start.flow ? 1 : 0;
    bool is_key = is_map;
    yaml::Event event = events_->next();
    for (; event.kind != yaml::Event::Kind::ListEnd && event.kind != yaml::Event::Kind::MapEnd;
         event = events_->next()) {
      if (is_last(event)) return;
      if (is_key && flows_ == 0) {
        layout_.is_supported = layout_.is_supported && event.kind == yaml::Event::Kind::Scalar;
        layout_.keys.push_back({event.begin, event.end});
      }
      node(event);
      is_key = is_map && !is_key;
    }
    flows_ -= start.flow ? 1 : 0;
    if (start.flow) finish(start.begin, event.end, false);
  }

  void finish(std::uint32_t begin, std::uint32_t end, bool is_block) {
    if (begin >= end || flows_ != 0) return;
    const std::string_view text = text_.substr(begin, end - begin);
    if (is_block || text.find('\n') != std::string_view::npos) layout_.constructs.push_back({{begin, end}, is_block});
    if (!is_block) layout_.ends.push_back(end);
  }

  std::string_view text_;
  std::unique_ptr<yaml::EventSource> events_;
  Layout layout_;
  int flows_ = 0;  // open brackets
};

class Tidier {
 public:
  Tidier(std::string_view text, Layout layout) : text_(text), layout_(std::move(layout)) {}

  std::string run(std::uint32_t start) {
    for (std::size_t begin = start; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      line(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
      begin = end + 1;
    }
    put_comments(nullptr);
    while (result_.ends_with("\n\n") && !ends_in_block_) result_.pop_back();
    return std::move(result_);
  }

 private:
  // A column of the old text where a collection or a value starts, and its new column.
  struct Level {
    std::size_t old_column = 0, new_column = 0;
    bool is_list = false;
  };
  struct Comment {
    std::size_t column = 0;
    std::string_view text;
    bool after_blank = false;
  };

  static std::string_view without_end(std::string_view line) {
    const std::size_t last = line.find_last_not_of(" \t\r");
    return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
  }
  static bool starts_item(std::string_view text) {
    return text == "-" || text.starts_with("- ") || text.starts_with("-\t");
  }
  static std::size_t skip_space(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of(" \t", at), text.size());
  }

  void line(std::uint32_t begin, std::uint32_t end) {
    std::string_view text = text_.substr(begin, end - begin);
    while (next_ < layout_.constructs.size() && layout_.constructs[next_].end <= begin) ++next_;
    const bool is_inside = next_ < layout_.constructs.size() && layout_.constructs[next_].begin < begin;
    ends_in_block_ = is_inside && layout_.constructs[next_].is_block;
    if (is_inside) {
      inner_line(ends_in_block_ && text.ends_with('\r') ? text.substr(0, text.size() - 1) : text);
      return;
    }
    text = without_end(text);
    const std::size_t column = skip_space(text, 0);
    if (column == text.size()) {
      has_blank_ = true;
    } else if (text[column] == '#') {
      comments_.push_back({column, text.substr(column), std::exchange(has_blank_, false)});
    } else if (text.starts_with("---") || text.starts_with("...") || text[0] == '%') {
      put_comments(nullptr);
      levels_.clear();
      put_line(text);
    } else {
      content_line(text, column, begin);
    }
  }

  // Moves a line together with the line where its construct starts.
  void inner_line(std::string_view text) {
    if (!ends_in_block_) text = without_end(text);
    const std::ptrdiff_t shift = ends_in_block_ ? block_shift_ : shift_;
    const std::size_t spaces = std::min(text.find_first_not_of(' '), text.size());
    if (!text.empty() && shift > 0) result_ += std::string(static_cast<std::size_t>(shift), ' ');
    result_ += shift < 0 ? text.substr(std::min(spaces, static_cast<std::size_t>(-shift))) : text;
    result_ += '\n';
    has_blank_ = false;
  }

  void content_line(std::string_view text, std::size_t column, std::uint32_t begin) {
    const std::vector<Level> before = levels_;
    enter(column, starts_item(text.substr(column)));
    put_comments(&before);
    std::string line(levels_.back().new_column, ' ');
    block_shift_ = shift_of(levels_.back());
    while (starts_item(text.substr(column))) {
      const Level list = levels_.back();
      block_shift_ = shift_of(list);
      line += '-';
      const std::size_t next = skip_space(text, column + 1);
      if (next == text.size() || text[next] == '#') {
        line += next == text.size() ? "" : "  ";
        put_line(line.append(text.substr(next)));
        return;
      }
      line += ' ';
      levels_.push_back({next, list.new_column + 2, starts_item(text.substr(next))});
      column = next;
    }
    shift_ = shift_of(levels_.back());
    put_line(line + value_text(text, column, begin));
  }

  static std::ptrdiff_t shift_of(const Level& level) {
    return static_cast<std::ptrdiff_t>(level.new_column) - static_cast<std::ptrdiff_t>(level.old_column);
  }

  // Leaves the levels that end before a line, and adds one if it is deeper.
  void enter(std::size_t column, bool is_item) {
    const auto has_ended = [&](const Level& level) {
      return level.old_column > column || (level.old_column == column && level.is_list && !is_item);
    };
    while (!levels_.empty() && has_ended(levels_.back())) levels_.pop_back();
    if (levels_.empty()) {
      levels_.push_back({column, 0, is_item});
      return;
    }
    const Level& top = levels_.back();
    if (top.old_column < column || (is_item && !top.is_list)) levels_.push_back({column, top.new_column + 2, is_item});
  }

  // The rest of a line from `column`: `key: value  # comment`.
  std::string value_text(std::string_view text, std::size_t column, std::uint32_t begin) {
    const auto line_end = static_cast<std::uint32_t>(begin + text.size());
    const auto key = std::find_if(layout_.keys.begin() + static_cast<std::ptrdiff_t>(key_), layout_.keys.end(),
                                  [&](const TextRange& known) { return known.begin >= begin + column; });
    key_ = static_cast<std::size_t>(key - layout_.keys.begin());
    std::string result;
    if (key != layout_.keys.end() && key->end < line_end) {
      const std::size_t key_end = key->end - begin;
      const std::size_t colon = skip_space(text, key_end);
      if (colon < text.size() && text[colon] == ':') {
        block_shift_ = shift_of(levels_.back());
        const std::size_t value = skip_space(text, colon + 1);
        result.append(text.substr(column, key_end - column)).append(":");
        if (value == text.size()) return result;
        if (text[value] == '#') result += "  ";
        else if (value != colon + 1) result += " ";
        column = value;
      }
    }
    return result.append(with_comment_space(text, column, begin));
  }

  // Two spaces at least before a comment after the last value of the line.
  std::string with_comment_space(std::string_view text, std::size_t column, std::uint32_t begin) const {
    const auto line_end = static_cast<std::uint32_t>(begin + text.size());
    const auto after = std::upper_bound(layout_.ends.begin(), layout_.ends.end(), line_end);
    const std::string_view all = text.substr(column);
    if (after == layout_.ends.begin() || *std::prev(after) <= begin + column) return std::string(all);
    const std::size_t end = *std::prev(after) - begin - column;
    const bool has_one_space = end + 1 < all.size() && all[end] == ' ' && all[end + 1] == '#';
    return has_one_space ? std::string(all.substr(0, end)) + " " + std::string(all.substr(end)) : std::string(all);
  }

  // A comment goes with the next line if it has its column; otherwise with the level that it had.
  void put_comments(const std::vector<Level>* before) {
    const bool blank_after = std::exchange(has_blank_, false);
    const std::vector<Level>& levels = before == nullptr ? levels_ : *before;
    for (const Comment& comment : comments_) {
      const bool is_of_next = before != nullptr && levels_.back().old_column == comment.column;
      std::size_t column = before != nullptr ? levels_.back().new_column : 0;
      const auto level = std::find_if(levels.rbegin(), levels.rend(), [&](const Level& known) {
        return before != nullptr ? known.old_column == comment.column : known.old_column <= comment.column;
      });
      if (!is_of_next && level != levels.rend()) column = level->new_column;
      has_blank_ = comment.after_blank;
      put_line(std::string(column, ' ').append(comment.text));
    }
    comments_.clear();
    has_blank_ = blank_after;
  }

  void put_line(std::string_view text) {
    if (std::exchange(has_blank_, false) && !result_.empty()) result_ += '\n';
    result_.append(text).append("\n");
  }

  std::string_view text_;
  Layout layout_;
  std::string result_;
  std::vector<Level> levels_;
  std::vector<Comment> comments_;
  std::size_t next_ = 0, key_ = 0;  // in the lists of the layout
  bool has_blank_ = false, ends_in_block_ = false;
  // How far the lines of a construct that starts on this line move: of a block, with the key or list that contains it.
  std::ptrdiff_t shift_ = 0, block_shift_ = 0;
};

std::string without_space(std::string_view text) {
  std::string bytes;
  std::copy_if(text.begin(), text.end(), std::back_inserter(bytes),
               [](char c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n'; });
  return bytes;
}

bool reads_as(const Value& value, const std::string& text, const Limits& limits) {
  OwnStage own(limits);
  const Value other = read_yaml(own.sources.add("tidy.yaml", text), own.stage);
  return !own.sink.failed() && json_equal(value, other);
}

}  // namespace

std::optional<std::string> tidied(FileId file, Stage& stage, std::string& reason) {
  const std::string_view text = stage.sources.text(file);
  const Value value = read_yaml(file, stage);
  if (value.is_error()) return std::nullopt;
  Sink ignored;
  Stage aside{stage.sources, ignored, stage.arena, stage.origins, stage.limits};
  yaml::Reading reading{text, yaml::Places::of_file(file), aside, {ScalarRules::Core, TextSyntax::Yaml}};
  const std::uint32_t start = yaml::check_bytes(reading);
  Layout layout = LayoutReader(reading).read();
  if (!layout.is_supported) {
    reason = "a key is an alias, a list or a map";
    return std::nullopt;
  }
  std::string result = Tidier(text, std::move(layout)).run(start);
  if (without_space(result) != without_space(text.substr(start)) || !reads_as(value, result, stage.limits)) {
    reason = "its layout isn't supported";
    return std::nullopt;
  }
  return result;
}

}  // namespace capwright
