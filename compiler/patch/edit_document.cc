// A walk over the old and the new value. Where both have a container, only its changed parts are edited.
#include "patch/edit_document.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "patch/inserted_text.h"

namespace capwright::patch {
namespace {

// Where a value is written: after the `:` of a key or the `-` of an item, whose column is `column`.
struct Slot {
  std::uint32_t begin = 0;
  std::uint32_t column = 0;
  bool in_flow = false;
  bool after_dash = false;
};

// A run [first, last) of entries or items that are removed.
struct Run {
  std::size_t first = 0, last = 0;

  bool empty() const { return first == last; }
};

void append_to(MappedText& out, const MappedText& added) { out.append(added.text(), added.segments()); }

class Editor {
 public:
  Editor(const FileText& file, const Segment& maker, Stage& cluster)
      : file_(file), maker_(maker), inserted_(file, maker, cluster) {}

  bool change(const Value& from, const Value& to, const Slot& slot) {
    if (json_equal(from, to)) return true;
    if (from.is(Kind::Map) && to.is(Kind::Map) && share_a_key(from, to)) return change_map(from, to, slot);
    const bool lists = from.is(Kind::List) && to.is(Kind::List) && !from.items().empty() && !to.items().empty();
    return lists ? change_list(from, to, slot) : replace(from, to, slot);
  }

  std::vector<TextEdit> take() { return std::move(edits_); }

 private:
  std::string_view text() const { return file_.text(); }
  bool is_at(std::uint32_t offset, char c) const { return offset < text().size() && text()[offset] == c; }

  static bool share_a_key(const Value& a, const Value& b) {
    return std::any_of(a.entries().begin(), a.entries().end(),
                       [&](const Entry& entry) { return b.find(entry.key.text()) != nullptr; });
  }

  void add(std::uint32_t begin, std::uint32_t end, MappedText text) { edits_.push_back({begin, end, std::move(text)}); }

  std::uint32_t end_of_line(std::uint32_t offset) const {
    return static_cast<std::uint32_t>(std::min(text().find('\n', offset), text().size()));
  }

  // ---- a value as a whole ----
  bool replace(const Value& from, const Value& to, const Slot& slot) {
    Span old = file_.place(from);
    if (!old.known()) return false;
    if (old.size() == 0) old.begin = old.end = slot.begin;
    if (old.begin < slot.begin) return false;  // it is written at an anchor
    const bool starts_on_line = text().substr(slot.begin, old.begin - slot.begin).find('\n') == std::string_view::npos;
    const bool is_block =
        !slot.in_flow && ((to.is(Kind::Map) && !to.entries().empty()) || (to.is(Kind::List) && !to.items().empty()));
    MappedText written;
    std::uint32_t begin = slot.begin;
    if (const auto quoted = inserted_.in_quotes(to, from.style()); quoted && starts_on_line) {
      begin = old.begin;
      written = *quoted;
    } else if (slot.in_flow) {
      begin = old.size() == 0 ? slot.begin : old.begin;
      if (old.size() == 0) written.append(" ", maker_);
      append_to(written, inserted_.in_brackets(to));
    } else {
      written = slot.after_dash ? inserted_.after_dash(to, slot.column) : inserted_.after_key(to, slot.column);
      const bool in_place = !is_block && starts_on_line && old.size() != 0;
      if (in_place) begin = old.begin;
      if (in_place) written = written.slice(1, written.size());
    }
    // A comment after the old value would become a part of a block of text.
    if (written.text().find('\n') != std::string::npos && !is_at(old.end - 1, '\n'))
      old.end = std::max(old.end, end_of_line(old.end));
    // A block of text needs its line break at the end of the file.
    const bool ends_line = old.end > begin && (is_at(old.end - 1, '\n') || old.end == text().size());
    if (ends_line) written.append("\n", maker_);
    add(begin, std::max(begin, old.end), std::move(written));
    return true;
  }

  // ---- maps ----
  // The offset after the `:` of a key; 0 if it isn't found.
  std::uint32_t after_colon(const Entry& entry) const {
    std::uint32_t at = file_.place(entry.key).end;
    while (is_at(at, ' ')) ++at;
    return is_at(at, ':') ? at + 1 : 0;
  }

  std::uint32_t end_of(const Entry& entry) const {
    const Span value = file_.place(entry.value);
    return value.size() == 0 ? std::max(after_colon(entry), file_.place(entry.key).end) : value.end;
  }

  std::uint32_t column_of(std::uint32_t offset) const { return offset - file_.line_begin(offset); }

  bool change_map(const Value& from, const Value& to, const Slot& slot) {
    const Span place = file_.place(from);
    if (!place.known() || place.begin < slot.begin) return false;
    const bool in_flow = slot.in_flow || is_at(place.begin, '{');
    const auto entries = from.entries();
    const std::uint32_t column = in_flow ? 0 : column_of(file_.place(entries[0].key).begin);
    std::size_t last_kept = 0;
    std::vector<Run> gone;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Value* now = to.find(entries[i].key.text());
      if (now == nullptr) {
        if (gone.empty() || gone.back().last != i) gone.push_back({i, i});
        gone.back().last = i + 1;
        continue;
      }
      last_kept = i;
      if (json_equal(entries[i].value, *now)) continue;
      const std::uint32_t begin = after_colon(entries[i]);
      if (begin == 0 || !change(entries[i].value, *now, {begin, column, in_flow, false})) return false;
    }
    for (const Run& run : gone) {
      if (!(in_flow ? remove_in_braces(entries, run) : remove_lines(entries, run, column, slot))) return false;
    }
    return add_entries(from, to, end_of(entries[last_kept]), column, in_flow);
  }

  bool add_entries(const Value& from, const Value& to, std::uint32_t end, std::uint32_t column, bool in_flow) {
    MappedText added;
    for (const Entry& entry : to.entries()) {
      if (from.find(entry.key.text()) != nullptr) continue;
      if (in_flow) {
        added.append(", ", maker_);
        append_to(added, inserted_.entry_in_brackets(entry.key, entry.value));
      } else {
        append_to(added, inserted_.entry(entry.key, entry.value, column));
      }
    }
    if (added.size() == 0) return true;
    if (in_flow) add(end, end, std::move(added));
    else add_lines(end, std::move(added));
    return true;
  }

  // The offset after the line break that ends a value.
  std::uint32_t line_after(std::uint32_t end) const {
    return end > 0 && is_at(end - 1, '\n') ? end : file_.line_end(end);
  }

  // Adds whole lines after the value that ends at `end`.
  void add_lines(std::uint32_t end, MappedText lines) {
    const std::uint32_t at = line_after(end);
    if (at < text().size() || text().ends_with('\n')) return add(at, at, std::move(lines));
    MappedText last;  // the file doesn't end with a line break
    last.append("\n", maker_);
    append_to(last, lines);
    add(at, at, std::move(last));
  }

  bool remove_in_braces(std::span<const Entry> entries, const Run& run) {
    if (run.first > 0) {
      add(end_of(entries[run.first - 1]), end_of(entries[run.last - 1]), {});
      return true;
    }
    if (run.last == entries.size()) return false;
    add(file_.place(entries[run.first].key).begin, file_.place(entries[run.last].key).begin, {});
    return true;
  }

  // The start of the comment lines above `line` that have the same indentation.
  std::uint32_t with_comments(std::uint32_t line, std::uint32_t column) const {
    while (line > 0) {
      const std::uint32_t above = file_.line_begin(line - 1);
      if (!is_at(above + column, '#') || !file_.is_blank(above, above + column)) break;
      line = above;
    }
    return line;
  }

  bool remove_lines(std::span<const Entry> entries, const Run& run, std::uint32_t column, const Slot& slot) {
    const std::uint32_t first = file_.place(entries[run.first].key).begin;
    const std::uint32_t line = file_.line_begin(first);
    if (file_.is_blank(line, first)) {
      // The comments at the top of a document aren't about its first key.
      const bool is_top = run.first == 0 && slot.begin == 0 && column == 0;
      add(is_top ? line : with_comments(line, column), line_after(end_of(entries[run.last - 1])), {});
      return true;
    }
    if (run.last == entries.size()) return false;
    add(first, file_.place(entries[run.last].key).begin, {});  // the first key of an item, after its `-`
    return true;
  }

  // ---- lists ----
  bool change_list(const Value& from, const Value& to, const Slot& slot) {
    const Span place = file_.place(from);
    if (!place.known() || place.begin < slot.begin) return false;
    const auto old = from.items(), now = to.items();
    std::size_t same = 0, same_at_end = 0;
    const std::size_t fewest = std::min(old.size(), now.size());
    while (same < fewest && json_equal(old[same], now[same])) ++same;
    while (same_at_end < fewest - same &&
           json_equal(old[old.size() - 1 - same_at_end], now[now.size() - 1 - same_at_end]))
      ++same_at_end;
    const std::size_t paired = fewest - same - same_at_end;
    const bool in_flow = slot.in_flow || is_at(place.begin, '[');
    if (!in_flow && !is_at(place.begin, '-')) return false;
    const std::uint32_t column = in_flow ? 0 : column_of(place.begin);
    for (std::size_t i = same; i < same + paired; ++i) {
      const std::uint32_t begin = in_flow ? file_.place(old[i]).begin : after_dash(old[i]);
      if (begin == 0 || !change(old[i], now[i], {begin, column, in_flow, true})) return false;
    }
    const Run gone{same + paired, old.size() - same_at_end};
    const auto added = now.subspan(same + paired, now.size() - same_at_end - same - paired);
    if (!gone.empty() && !(in_flow ? remove_in_list(old, gone) : remove_items(old, gone, column))) return false;
    if (added.empty()) return true;
    return in_flow ? add_in_list(old, added, gone.first) : add_items(old, added, gone.first, column);
  }

  // The offset after the `-` of an item; 0 if it isn't found.
  std::uint32_t after_dash(const Value& item) const {
    const Span place = file_.place(item);
    if (place.size() == 0) return 0;
    std::string_view before = text().substr(0, place.begin);
    while (true) {  // at most comments are between them
      before = before.substr(0, before.find_last_not_of(" \n") + 1);
      if (before.ends_with('-')) return static_cast<std::uint32_t>(before.size());
      const std::size_t line = before.rfind('\n') + 1;
      const std::size_t comment = before.find('#', line);
      if (comment == std::string_view::npos) return 0;
      before = before.substr(0, comment);
    }
  }

  bool remove_in_list(std::span<const Value> items, const Run& run) {
    if (run.first > 0) {
      add(file_.place(items[run.first - 1]).end, file_.place(items[run.last - 1]).end, {});
      return true;
    }
    if (run.last == items.size()) return false;
    add(file_.place(items[0]).begin, file_.place(items[run.last]).begin, {});
    return true;
  }

  bool remove_items(std::span<const Value> items, const Run& run, std::uint32_t column) {
    const std::uint32_t dash = after_dash(items[run.first]);
    if (dash == 0 || file_.place(items[run.last - 1]).size() == 0) return false;
    const std::uint32_t line = file_.line_begin(dash - 1);
    if (!file_.is_blank(line, dash - 1)) return false;
    add(with_comments(line, column), line_after(file_.place(items[run.last - 1]).end), {});
    return true;
  }

  // Before item `at`, or at the end.
  bool add_in_list(std::span<const Value> items, std::span<const Value> added, std::size_t at) {
    MappedText written;
    for (const Value& item : added) {
      if (at > 0) written.append(", ", maker_);
      append_to(written, inserted_.in_brackets(item));
      if (at == 0) written.append(", ", maker_);
    }
    const std::uint32_t where = at > 0 ? file_.place(items[at - 1]).end : file_.place(items[0]).begin;
    add(where, where, std::move(written));
    return true;
  }

  bool add_items(std::span<const Value> items, std::span<const Value> added, std::size_t at, std::uint32_t column) {
    MappedText written;
    for (const Value& item : added) append_to(written, inserted_.item(item, column));
    if (at > 0) {
      const Span before = file_.place(items[at - 1]);
      if (before.size() == 0) return false;
      add_lines(before.end, std::move(written));
      return true;
    }
    const std::uint32_t dash = after_dash(items[0]);
    const std::uint32_t line = dash == 0 ? 0 : file_.line_begin(dash - 1);
    if (dash == 0 || !file_.is_blank(line, dash - 1)) return false;
    add(line, line, std::move(written));
    return true;
  }

  const FileText& file_;
  const Segment maker_;
  InsertedText inserted_;
  std::vector<TextEdit> edits_;
};

// The start of the line `---` before a document; npos if it has none.
std::size_t separator_before(const FileText& file, std::uint32_t begin) {
  const std::string_view before = file.text().substr(0, begin);
  if (const std::size_t found = before.rfind("\n---"); found != std::string_view::npos) return found + 1;
  return before.starts_with("---") ? 0 : std::string_view::npos;
}

}  // namespace

std::optional<std::vector<TextEdit>> edits_in_place(const FileText& file, const YamlDocument& document,
                                                    const Value& wanted, const Segment& maker, Stage& cluster) {
  Editor editor(file, maker, cluster);
  if (!editor.change(document.value, wanted, {})) return std::nullopt;
  return editor.take();
}

TextEdit edit_of_whole(const FileText& file, const YamlDocument& document, const Value& wanted, const Segment& maker,
                       Stage& cluster) {
  TextEdit edit{document.span.begin, document.span.end, InsertedText(file, maker, cluster).document(wanted)};
  const bool ends_line = edit.end > 0 && file.text()[edit.end - 1] == '\n';
  if (!ends_line) edit.end = file.line_end(edit.end);  // with a comment after its last value
  edit.text.append("\n", maker);
  return edit;
}

TextEdit removal(const FileText& file, std::size_t document) {
  const auto documents = file.documents();
  TextEdit edit{0, file.body().size(), {}};
  if (document > 0) edit.begin = static_cast<std::uint32_t>(separator_before(file, documents[document].span.begin));
  if (document + 1 < documents.size())
    edit.end = static_cast<std::uint32_t>(separator_before(file, documents[document + 1].span.begin));
  return edit;
}

MappedText edited(const MappedText& text, std::vector<TextEdit> edits) {
  // Insertions at one place keep their order, and come before what is replaced there.
  std::stable_sort(edits.begin(), edits.end(), [](const TextEdit& a, const TextEdit& b) {
    const bool a_replaces = a.end != a.begin, b_replaces = b.end != b.begin;
    return std::tie(a.begin, a_replaces) < std::tie(b.begin, b_replaces);
  });
  MappedText result;
  result.reserve(text.size());
  std::uint32_t done = 0;
  for (const TextEdit& edit : edits) {
    CW_CHECK(edit.begin >= done && edit.end >= edit.begin, "edits of a document don't overlap");
    append_to(result, text.slice(done, edit.begin));
    append_to(result, edit.text);
    done = edit.end;
  }
  append_to(result, text.slice(done, text.size()));
  return result;
}

}  // namespace capwright::patch
