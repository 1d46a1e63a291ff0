// A field that goes into a new map at its place is wrapped there; one that goes elsewhere is cut and pasted as lines.
#include "migrate/rewrite_step.h"

#include <algorithm>
#include <fmt/format.h>

#include "migrate/entry_places.h"
#include "value/limits.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright::migrate {
namespace {

using MoveKind = Move::Kind;

std::string spaces(std::uint32_t count) { return std::string(count, ' '); }

// A value on one line, as YAML.
std::string on_one_line(const Value& value) {
  MappedText out;
  JsonStyle style;
  style.as_yaml = true;
  write_json(value, style, {}, Limits(), out);
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./-";
  const bool is_plain = value.is(Kind::String) && value.text().find_first_not_of(kPlain) == std::string_view::npos &&
                        resolve_plain(value.text(), ScalarRules::Kubernetes).is(Kind::String) &&
                        !value.text().starts_with('-') && !value.text().starts_with('.');
  return is_plain ? std::string(value.text()) : out.text();
}

class StepWriter : EntryPlaces {
 public:
  StepWriter(const Step& step, const patch::FileText& file, const YamlDocument& document)
      : EntryPlaces(file, document.value), step_(step), move_(*step.move), file_(file), object_(document.value) {}

  std::optional<Rewrite> write() {
    if (move_.kind == MoveKind::Set && move_.lacks) return add_constant() ? take() : std::nullopt;
    if (!locate()) return std::nullopt;
    const bool done = write_kind();
    return done ? take() : std::nullopt;
  }

 private:
  std::optional<Rewrite> take() { return std::move(out_); }
  void replace(std::uint32_t begin, std::uint32_t end, std::string text) {
    out_.replaces.push_back({begin, end, std::move(text), {}});
  }
  void insert(std::uint32_t at, std::string text) { replace(at, at, std::move(text)); }
  bool locate() {
    if (is_item(step_.from.back())) return true;  // an item, which only Wrap changes
    const auto found = place_of(step_.from);
    if (!found) return false;
    at_ = *found;
    return true;
  }

  bool write_kind() {
    switch (move_.kind) {
      case MoveKind::Move: return write_move();
      case MoveKind::Copy: return write_copy();
      case MoveKind::Drop: return remove();
      case MoveKind::ToList: return write_list();
      case MoveKind::ToItems: return write_items();
      case MoveKind::Wrap: return write_wrap();
      case MoveKind::Unwrap: return write_unwrap();
      case MoveKind::Set: replace(at_.value.begin, at_.value.end, on_one_line(move_.constant)); return true;
      case MoveKind::Ask: return false;
    }
    return false;
  }

  // ---- values ----
  bool change_unit() {
    if (move_.unit == Move::Unit::Same) return true;
    const Value& old = *value_at(object_, step_.from);
    if (move_.unit == Move::Unit::Group) {  // only the version goes
      const std::size_t slash = text().find('/', at_.value.begin);
      if (slash >= at_.value.end) return false;
      std::uint32_t end = at_.value.end;
      if (is_at(at_.value.begin, '"') || is_at(at_.value.begin, '\'')) --end;
      replace(static_cast<std::uint32_t>(slash), end, {});
      return true;
    }
    if (move_.unit == Move::Unit::Flags && at_.is_block) return write_flags(old);
    const auto now = in_unit(old, move_.unit, scratch_);
    if (!now) return false;
    replace(at_.value.begin, at_.value.end, on_one_line(*now));
    return true;
  }

  // Each entry becomes an item on its line.
  bool write_flags(const Value& map) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,-_/=%{}";
    for (const Entry& entry : map.entries()) {
      const Span key = file_.place(entry.key), value = file_.place(entry.value);
      const bool is_plain = entry.value.text().find_first_not_of(kPlain) == std::string_view::npos;
      if (!key.known() || !value.known() || value.size() < entry.value.text().size() || !is_plain) return false;
      const bool has_quotes = value.size() > entry.value.text().size();
      insert(key.begin, "- --");
      replace(key.end, value.begin + (has_quotes ? 1 : 0), "=");
      if (has_quotes) replace(value.end - 1, value.end, {});
    }
    return true;
  }

  // ---- removal ----
  bool remove() {
    const FieldPath whole = removed_by(step_, object_);
    const auto place = place_of(whole);
    if (!place) return false;
    if (const auto lines = lines_of(*place)) {
      if (value_at(object_, parent(whole))->entries().size() == 1) return false;  // nothing would be left of the map
      out_.gone = *lines;
      return true;
    }
    return remove_beside(whole, *place);
  }

  // An entry in braces, or the first one of an item.
  bool remove_beside(const FieldPath& path, const EntryPlace& place) {
    const auto entries = value_at(object_, parent(path))->entries();
    if (entries.size() == 1) return false;
    const auto here =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& each) { return each.key.text() == path.back(); });
    if (here + 1 != entries.end()) {
      replace(place.key.begin, file_.place((here + 1)->key).begin, {});
      return true;
    }
    if (!place.in_flow) return false;
    const Span before = file_.place((here - 1)->value);
    if (!before.known() || before.size() == 0) return false;
    replace(before.end, place.value.end, {});
    return true;
  }

  // ---- moves ----
  bool write_move() {
    if (step_.from == step_.to) return change_unit();
    const std::size_t common = common_steps(step_.from, step_.to);
    if (common == step_.from.size()) return write_below_itself(common);
    const FieldPath first(step_.to.begin(), step_.to.begin() + static_cast<std::ptrdiff_t>(common) + 1);
    const bool is_beside = common + 1 == step_.from.size() && value_at(object_, first) == nullptr;
    if (!change_unit()) return false;
    return is_beside ? wrap_in_place(common) : cut_and_paste();
  }

  // `flavor: m1` to `flavor: {filter: {name: m1}}`, by lines.
  bool write_below_itself(std::size_t common) {
    if (at_.is_block || !at_.value_on_line || at_.value.size() == 0) return false;
    if (text().substr(at_.value.begin, at_.value.size()).find('\n') != std::string_view::npos) return false;
    std::string opened, closed;
    std::uint32_t column = at_.column;
    for (std::size_t i = common; i < step_.to.size(); ++i) {
      column += 2;
      if (at_.in_flow) opened += fmt::format("{{{}: ", step_.to[i]);
      else opened += fmt::format("\n{}{}:", spaces(column), step_.to[i]);
      closed += '}';
    }
    if (at_.in_flow) {
      insert(at_.value.begin, opened);
      insert(at_.value.end, closed);
    } else {
      insert(at_.colon, opened);
    }
    return true;
  }

  // Gives the entry another key, and maps around it.
  bool wrap_in_place(std::size_t common) {
    const std::vector<std::string> steps(step_.to.begin() + static_cast<std::ptrdiff_t>(common), step_.to.end());
    if (steps.size() == 1) {
      replace(at_.key.begin, at_.key.end, steps[0]);
      return true;
    }
    if (at_.in_flow) return wrap_in_braces(steps);
    if (is_item(steps.back())) return make_item(steps);
    std::string opened = steps[0] + ":";
    std::uint32_t column = at_.column;
    bool after_dash = false;
    for (std::size_t i = 1; i < steps.size(); ++i) {
      if (!after_dash) opened += "\n" + spaces(column += 2);
      after_dash = is_item(steps[i]);
      if (after_dash) {
        opened += "- ";
        column += 2;
        continue;
      }
      opened += steps[i] + (i + 1 < steps.size() ? ":" : "");
    }
    replace(at_.key.begin, at_.key.end, opened);
    shift_rest(static_cast<std::int32_t>(column - at_.column));
    return true;
  }

  // Moves the lines of the value that come after the line of its key.
  void shift_rest(std::int32_t columns) {
    const std::uint32_t begin = file_.line_end(at_.key.begin), end = line_after(std::max(at_.value.end, at_.colon));
    if (begin < end) out_.shifts.push_back({begin, end, columns});
  }

  bool wrap_in_braces(const std::vector<std::string>& steps) {
    if (std::any_of(steps.begin(), steps.end(), is_item)) return false;
    std::string opened = steps[0] + ": {", closed = "}";
    for (std::size_t i = 1; i + 1 < steps.size(); ++i) {
      opened += steps[i] + ": {";
      closed += '}';
    }
    replace(at_.key.begin, at_.key.end, opened + steps.back());
    insert(at_.value.end, closed);
    return true;
  }

  // `subnet: …` to `subnets: [ … ]`, by lines.
  bool make_item(const std::vector<std::string>& steps) {
    if (steps.size() != 2 || at_.value.size() == 0) return false;
    replace(at_.key.begin, at_.key.end, steps[0]);
    if (!at_.is_block) {
      if (!at_.value_on_line) return false;
      insert(at_.value.begin, "[");
      insert(at_.value.end, "]");
      return true;
    }
    if (!file_.is_blank(file_.line_begin(at_.value.begin), at_.value.begin)) return false;
    insert(at_.value.begin, "- ");
    const std::uint32_t begin = file_.line_end(at_.value.begin), end = line_after(at_.value.end);
    if (begin < end) out_.shifts.push_back({begin, end, 2});
    return true;
  }

  // Where lines for a new entry of an existing map go, and their column.
  struct Gap {
    std::uint32_t at = 0, column = 0;
    std::size_t depth = 0;     // of the map: steps of the path that exist
    std::uint32_t anchor = 0;  // the key of the map
  };

  std::optional<Gap> gap_for(const FieldPath& path) const {
    FieldPath around = parent(path);
    while (!around.empty() && value_at(object_, around) == nullptr) around.pop_back();
    const Value* map = value_at(object_, around);
    if (map == nullptr || !map->is(Kind::Map) || map->entries().empty() || in_flow(around)) return std::nullopt;
    const Entry& last = map->entries().back();
    const Span key = file_.place(last.key), value = file_.place(last.value);
    if (!key.known() || !value.known()) return std::nullopt;
    const std::uint32_t first = file_.place(map->entries().front().key).begin;
    const Entry* own = around.empty() || is_item(around.back()) ? nullptr : entry_at(around);
    const std::uint32_t anchor = own == nullptr ? first : file_.place(own->key).begin;
    return Gap{line_after(value.size() == 0 ? key.end + 1 : value.end), column_of(first), around.size(), anchor};
  }

  // `checks:` and so on: the lines for the maps that are missing, and the column of what goes into them.
  static std::string lines_before(const FieldPath& path, const Gap& gap, std::uint32_t& column) {
    std::string lines;
    column = gap.column;
    for (std::size_t i = gap.depth; i + 1 < path.size(); ++i) {
      lines += spaces(column) + path[i] + ":\n";
      column += 2;
    }
    return lines;
  }

  static bool has_items_after(const FieldPath& path, std::size_t depth) {
    return std::any_of(path.begin() + static_cast<std::ptrdiff_t>(depth), path.end(), is_item);
  }

  bool cut_and_paste() {
    const auto gap = gap_for(step_.to);
    const auto lines = lines_of(at_);
    if (!gap || !lines || has_items_after(step_.to, gap->depth)) return false;
    std::uint32_t column = 0;
    Rewrite::Paste paste{lines->begin, lines->end, gap->at, 0, {}, {gap->anchor, gap->column}};
    paste.before = lines_before(step_.to, *gap, column);
    paste.columns = static_cast<std::int32_t>(column) - static_cast<std::int32_t>(at_.column);
    const FieldPath whole = emptied(object_, step_.from, kKeptSteps);
    Rewrite::Lines gone = *lines;
    if (whole != step_.from) {
      const auto outer = place_of(whole);
      const auto outer_lines = outer ? lines_of(*outer) : std::nullopt;
      if (!outer_lines) return false;
      gone = *outer_lines;
    } else if (value_at(object_, parent(step_.from))->entries().size() == 1) {
      return false;
    }
    if (paste.at > gone.begin && paste.at < gone.end) return false;
    if (step_.from.back() != step_.to.back()) replace(at_.key.begin, at_.key.end, step_.to.back());
    out_.paste = std::move(paste);
    out_.gone = gone;
    return true;
  }

  bool write_copy() {
    const auto gap = gap_for(step_.to);
    const auto now = in_unit(*value_at(object_, step_.from), move_.unit, scratch_);
    if (!gap || !now || has_items_after(step_.to, gap->depth)) return false;
    return add_line(step_.to, *gap, on_one_line(*now));
  }

  bool add_line(const FieldPath& path, const Gap& gap, const std::string& value) {
    std::uint32_t column = 0;
    std::string lines = lines_before(path, gap, column);
    lines += fmt::format("{}{}: {}\n", spaces(column), path.back(), value);
    insert(gap.at, gap.at == text().size() && !text().ends_with('\n') ? "\n" + lines : lines);
    out_.replaces.back().gap = {gap.anchor, gap.column};
    return true;
  }

  bool add_constant() {
    const Value* map = value_at(object_, parent(step_.from));
    if (map == nullptr || !map->is(Kind::Map)) return false;
    const Span place = file_.place(*map);
    const std::string added = fmt::format("{}: {}", step_.from.back(), on_one_line(move_.constant));
    if (place.known() && is_at(place.begin, '{')) {
      insert(place.begin + 1, map->entries().empty() ? added : added + ", ");
      return true;
    }
    const auto gap = gap_for(step_.from);
    return gap && add_line(step_.from, *gap, on_one_line(move_.constant));
  }

  // ---- lists ----
  bool write_list() {
    const Value& map = *value_at(object_, step_.from);
    if (!at_.is_block) return write_flow_list(map);
    for (const Entry& entry : map.entries()) {
      FieldPath path = step_.from;
      path.emplace_back(entry.key.text());
      const auto place = place_of(path);
      if (!place || !place->starts_line) return false;
      insert(place->key.begin, fmt::format("- {}: ", move_.name));
      replace(place->key.end, place->colon, fmt::format("\n{}{}:", spaces(place->column + 2), move_.value));
      const std::uint32_t begin = file_.line_end(place->key.begin), end = line_after(place->value.end);
      if (begin < end) out_.shifts.push_back({begin, end, 2});
    }
    return true;
  }

  bool write_flow_list(const Value& map) {
    replace(at_.value.begin, at_.value.begin + 1, "[");
    replace(at_.value.end - 1, at_.value.end, "]");
    for (const Entry& entry : map.entries()) {
      const Span key = file_.place(entry.key), value = file_.place(entry.value);
      if (!key.known() || !value.known() || value.size() == 0) return false;
      insert(key.begin, fmt::format("{{{}: ", move_.name));
      insert(key.end, fmt::format(", {}", move_.value));
      insert(value.end, "}");
    }
    return true;
  }

  bool write_items() {
    const bool in_braces = !at_.is_block;
    for (const Value& item : value_at(object_, step_.from)->items()) {
      const Span place = file_.place(item);
      if (item.is(Kind::Map)) continue;
      if (!place.known() || place.size() == 0) return false;
      insert(place.begin, fmt::format("{}{}: ", in_braces ? "{" : "", move_.name));
      if (in_braces) insert(place.end, "}");
    }
    return true;
  }

  // ---- maps in maps ----
  bool write_wrap() {
    const Value& map = *value_at(object_, step_.from);
    const Span place = file_.place(map);
    if (!place.known() || place.size() == 0) return false;
    if (is_at(place.begin, '{')) {
      insert(place.begin, fmt::format("{{{}: ", move_.name));
      insert(place.end, "}");
      return true;
    }
    const std::uint32_t column = column_of(place.begin);
    insert(place.begin, fmt::format("{}:\n{}", move_.name, spaces(column + 2)));
    const std::uint32_t begin = file_.line_end(place.begin), end = line_after(place.end);
    if (begin < end) out_.shifts.push_back({begin, end, 2});
    return true;
  }

  bool write_unwrap() {
    FieldPath path = step_.from;
    path.emplace_back(move_.name);
    const auto inner = place_of(path);
    const Value* map = value_at(object_, path);
    if (!inner || inner->in_flow || !inner->is_block || !map->is(Kind::Map)) return false;
    const std::uint32_t first = file_.place(map->entries().front().key).begin;
    const auto back = static_cast<std::int32_t>(inner->column) - static_cast<std::int32_t>(column_of(first));
    replace(inner->key.begin, first, {});
    const std::uint32_t begin = file_.line_end(first), end = line_after(inner->value.end);
    if (begin < end) out_.shifts.push_back({begin, end, back});
    return true;
  }

  const Step& step_;
  const Move& move_;
  const patch::FileText& file_;
  const Value object_;
  Arena scratch_;
  EntryPlace at_;
  Rewrite out_;
};

}  // namespace

std::optional<Rewrite> rewrite_of(const Step& step, const patch::FileText& file, const YamlDocument& document) {
  return StepWriter(step, file, document).write();
}

Rewrite rewrite_of_type(const Value& object, const std::string& version, const std::string& kind,
                        const patch::FileText& file) {
  Rewrite out;
  const auto add = [&](const Value* value, std::string_view now, bool after_slash) {
    if (value == nullptr || !value->is(Kind::String) || value->text() == now) return;
    const std::size_t kept = after_slash ? value->text().find('/') + 1 : 0;
    if (value->text().substr(kept) == now) return;
    Span place = file.place(*value);
    const char first = file.text()[place.begin];
    const std::uint32_t quote = first == '"' || first == '\'' ? 1 : 0;
    place.begin += quote + static_cast<std::uint32_t>(kept);
    place.end -= quote;
    out.replaces.push_back({place.begin, place.end, std::string(now), {}});
  };
  add(object.find("apiVersion"), version, true);
  if (!kind.empty()) add(object.find("kind"), kind, false);
  return out;
}

}  // namespace capwright::migrate
