// A step shows in the object that it is done: its old field is gone, or has another type. So steps need no memory.
#include "migrate/steps.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "base/check.h"

namespace capwright::migrate {
namespace {

using MoveKind = Move::Kind;

bool has_type(const Value& value, std::string_view type) {
  if (type.empty()) return true;
  if (type == "string") return value.is(Kind::String);
  if (type == "map") return value.is(Kind::Map);
  if (type == "list") return value.is(Kind::List);
  if (type == "empty") return value.is(Kind::Null) || (value.is(Kind::Map) && value.entries().empty());
  return value.is(Kind::Bool) && value.as_bool() == (type == "true");
}

// Whether the kind of the move and the value fit; what has the new form already doesn't.
bool is_old_form(const Move& move, const Value& value) {
  const auto is_scalar = [](const Value& item) { return !item.is(Kind::Map) && !item.is(Kind::List); };
  switch (move.kind) {
    case MoveKind::ToList: return value.is(Kind::Map);
    case MoveKind::ToItems:
      return value.is(Kind::List) && std::any_of(value.items().begin(), value.items().end(), is_scalar);
    case MoveKind::Wrap: return value.is(Kind::Map) && !value.entries().empty();
    case MoveKind::Unwrap: return value.is(Kind::Map) && value.find(move.name) != nullptr;
    default: return true;
  }
}

bool has_one_of(const Value& value, const std::vector<std::string_view>& keys) {
  return value.is(Kind::Map) &&
         std::any_of(keys.begin(), keys.end(), [&](std::string_view key) { return value.find(key) != nullptr; });
}

bool meets(const Move& move, const Value& object, const FieldPath& at) {
  if (move.has && value_at(object, filled(*move.has, at)) == nullptr) return false;
  return !move.lacks || value_at(object, filled(*move.lacks, at)) == nullptr;
}

// Whether a map is to be wrapped although it has a key that excludes it.
bool mixes_forms(const Move& move, const Value& value) {
  return move.kind == MoveKind::Wrap && value.find("filter") == nullptr && value.entries().size() > 1 &&
         has_one_of(value, move.unless);
}

std::string unit_words(Move::Unit unit) {
  switch (unit) {
    case Move::Unit::Seconds: return "a duration of whole seconds, such as `5m`";
    case Move::Unit::Group: return "a group and a version, such as `infrastructure.cluster.x-k8s.io/v1beta1`";
    case Move::Unit::Not: return "`true` or `false`";
    case Move::Unit::Flags: return "a map of texts";
    default: return "a text";
  }
}

// Whether a skipped step is about the value at `path`, or inside of it: then the value stays, too.
bool contains_skipped(const FieldPath& path, const Skipped& skipped) {
  const std::string name = shown(path);
  return std::any_of(skipped.begin(), skipped.end(), [&](const std::string& key) {
    return key.starts_with(name) && (key[name.size()] == '.' || key[name.size()] == '[' || key[name.size()] == ' ');
  });
}

// Whether something is in the way of a value at `to`.
bool is_taken(const Value& object, const Step& step) {
  const bool below_itself = step.to.size() > step.from.size() && common_steps(step.from, step.to) == step.from.size();
  if (below_itself || step.from == step.to) return false;
  if (value_at(object, step.to) != nullptr) return true;
  FieldPath above = step.to;
  while (above.size() > 1) {  // what isn't a container can't have a value in it
    above.pop_back();
    const Value* there = value_at(object, above);
    if (there == nullptr) continue;
    const bool is_item_of = is_item(step.to[above.size()]);
    return !there->is(is_item_of ? Kind::List : Kind::Map);
  }
  return false;
}

std::string reason_to_stop(const Move& move, const Value& object, const Step& step, Arena& arena) {
  const Value& value = *value_at(object, step.from);
  if (move.kind == MoveKind::Ask) return std::string(move.because);
  if (mixes_forms(move, value)) return "it has an `id` beside conditions, and only one of both counts";
  const bool goes_on = move.kind == MoveKind::Move || move.kind == MoveKind::Copy;
  if (goes_on && is_taken(object, step)) return fmt::format("`{}` is set, too", shown(step.to));
  if (goes_on && !in_unit(value, move.unit, arena)) return fmt::format("it isn't {}", unit_words(move.unit));
  if (move.kind != MoveKind::Unwrap) return {};
  const Value* inner = value.find(move.name);
  if (inner->is(Kind::Null)) return {};
  if (!inner->is(Kind::Map)) return "it isn't a map";
  for (const Entry& entry : inner->entries()) {
    if (value.find(entry.key.text()) != nullptr) return fmt::format("`{}` is set in both", entry.key.text());
  }
  return {};
}

// Nanoseconds of a duration as Go writes it: `1h5m`, `1.5s`.
std::optional<double> duration(std::string_view text) {
  struct Scale {
    std::string_view name;
    double seconds;
  };
  static constexpr Scale kScales[] = {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"h", 3600}, {"m", 60}, {"s", 1}};
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  double all = 0;
  while (!text.empty()) {
    double number = 0;
    const auto [end, failed] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (failed != std::errc() || number < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const auto scale = std::find_if(std::begin(kScales), std::end(kScales),
                                    [&](const Scale& each) { return text.starts_with(each.name); });
    if (scale == std::end(kScales)) return std::nullopt;
    text.remove_prefix(scale->name.size());
    all += number * scale->seconds;
  }
  return all;
}

Value words_in(std::string_view text, Arena& arena) {
  std::vector<Value> items;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (end != 0) items.push_back(make_string(arena, text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return make_list(arena, items);
}

// {max-pods: "110"} as ["--max-pods=110"].
std::optional<Value> flags_of(const Value& map, Arena& arena) {
  std::vector<Value> flags;
  if (!map.is(Kind::Map)) return std::nullopt;
  for (const Entry& entry : map.entries()) {
    if (!entry.value.is(Kind::String)) return std::nullopt;
    flags.push_back(make_string(arena, fmt::format("--{}={}", entry.key.text(), entry.value.text())));
  }
  return make_list(arena, flags);
}

Value listed(const Value& map, const Move& move, Arena& arena) {
  std::vector<Value> items;
  for (const Entry& entry : map.entries()) {
    const Entry pair[] = {{make_key(arena, move.name), entry.key}, {make_key(arena, move.value), entry.value}};
    items.push_back(make_map(arena, pair));
  }
  return make_list(arena, items);
}

Value with_items(const Value& list, const Move& move, Arena& arena) {
  std::vector<Value> items;
  for (const Value& item : list.items()) {
    const Entry pair[] = {{make_key(arena, move.name), item}};
    items.push_back(item.is(Kind::Map) ? item : make_map(arena, pair));
  }
  return make_list(arena, items);
}

Value unwrapped(const Value& map, const Move& move, Arena& arena) {
  std::vector<Entry> entries;
  for (const Entry& entry : map.entries()) {
    if (entry.key.text() != move.name) entries.push_back(entry);
    else if (entry.value.is(Kind::Map))
      entries.insert(entries.end(), entry.value.entries().begin(), entry.value.entries().end());
  }
  return make_map(arena, entries).with_origin(map.origin());
}

Value moved(const Value& object, const Step& step, Arena& arena) {
  const Value now = *in_unit(*value_at(object, step.from), step.move->unit, arena);
  if (step.move->kind == MoveKind::Copy || step.from == step.to) return with_value(object, step.to, now, arena);
  const std::size_t common = common_steps(step.from, step.to);
  if (common == step.from.size()) {  // below itself
    FieldPath rest(step.to.begin() + static_cast<std::ptrdiff_t>(common), step.to.end());
    return with_value(object, step.from, with_value(make_map(arena, {}), rest, now, arena), arena);
  }
  const bool in_place =
      common + 1 == step.from.size() && !is_item(step.from.back()) &&
      value_at(object, FieldPath(step.to.begin(), step.to.begin() + static_cast<std::ptrdiff_t>(common) + 1)) ==
          nullptr;
  if (in_place) {
    const Value renamed = with_key(object, step.from, step.to[common], arena);
    FieldPath here = step.from;
    here.back() = step.to[common];
    const FieldPath rest(step.to.begin() + static_cast<std::ptrdiff_t>(common) + 1, step.to.end());
    if (rest.empty()) return with_value(renamed, here, now, arena);
    const Value around = is_item(rest[0]) ? make_list(arena, {}) : make_map(arena, {});
    return with_value(renamed, here, with_value(around, rest, now, arena), arena);
  }
  const Value with = with_value(object, step.to, now, arena);
  return without_value(with, emptied(with, step.from, kKeptSteps), arena);
}

}  // namespace

std::string Step::words() const { return fmt::format("`{}` {}", shown(from), effect()); }

std::string Step::effect() const {
  switch (move->kind) {
    case MoveKind::Move: return fmt::format("becomes `{}`", shown(to));
    case MoveKind::Copy: return fmt::format("also sets `{}`", shown(to));
    case MoveKind::Drop: return fmt::format("is dropped: {}", move->because);
    case MoveKind::ToList: return fmt::format("becomes a list of `{}` and `{}`", move->name, move->value);
    case MoveKind::ToItems: return fmt::format("becomes a list of maps with `{}`", move->name);
    case MoveKind::Wrap: return fmt::format("gets its keys in `{}`", move->name);
    case MoveKind::Unwrap: return fmt::format("gets the keys of `{}`", move->name);
    case MoveKind::Set: return "is set, because it is required or has another form";
    case MoveKind::Ask: return fmt::format("needs a decision: {}", move->because);
  }
  CW_CHECK(false, "every kind of move has words");
}

std::optional<Value> in_unit(const Value& value, Move::Unit unit, Arena& arena) {
  const std::string_view text = value.is(Kind::String) ? value.text() : std::string_view();
  switch (unit) {
    case Move::Unit::Same: return value;
    case Move::Unit::Seconds: {
      const std::optional<double> seconds = duration(text);
      if (!seconds || *seconds != std::floor(*seconds) || *seconds > INT32_MAX) return std::nullopt;
      return Value::integer(static_cast<std::int64_t>(*seconds));
    }
    case Move::Unit::Group: {
      const std::size_t slash = text.find('/');
      if (slash == std::string_view::npos) return std::nullopt;
      return make_string(arena, text.substr(0, slash));
    }
    case Move::Unit::Not: return value.is(Kind::Bool) ? std::optional(Value::boolean(!value.as_bool())) : std::nullopt;
    case Move::Unit::Flags: return flags_of(value, arena);
    case Move::Unit::Split: return value.is(Kind::String) ? std::optional(words_in(text, arena)) : std::nullopt;
  }
  CW_CHECK(false, "every unit is known");
}

std::optional<Step> next_step(const Conversion& conversion, const Value& object, const Skipped& skipped) {
  Arena scratch;
  for (const Move& move : conversion.moves) {
    const bool adds = move.kind == MoveKind::Set && move.lacks;
    for (const FieldPath& at : matches(object, adds ? parent(move.from) : move.from)) {
      Step step{&move, adds ? move.from : at, {}, {}};
      step.from = filled(step.from, at);
      if (!move.to.empty()) step.to = filled(move.to, at);
      if (skipped.contains(step.key()) || !meets(move, object, at)) continue;
      if (adds) return step;
      if (move.kind != MoveKind::Ask && contains_skipped(at, skipped)) continue;
      const Value& value = *value_at(object, at);
      if (!has_type(value, move.type) || !is_old_form(move, value)) continue;
      if (has_one_of(value, move.unless) && !mixes_forms(move, value)) continue;
      const bool is_done = move.kind == MoveKind::Copy && value_at(object, step.to) != nullptr;
      if (is_done) continue;
      step.blocked = reason_to_stop(move, object, step, scratch);
      return step;
    }
  }
  return std::nullopt;
}

FieldPath removed_by(const Step& step, const Value& object) {
  return step.move->keeps_empty ? step.from : emptied(object, step.from, kKeptSteps);
}

Value applied(const Value& object, const Step& step, Arena& arena) {
  const Move& move = *step.move;
  const Value* value = value_at(object, step.from);
  switch (move.kind) {
    case MoveKind::Move:
    case MoveKind::Copy: return moved(object, step, arena);
    case MoveKind::Drop: return without_value(object, removed_by(step, object), arena);
    case MoveKind::ToList: return with_value(object, step.from, listed(*value, move, arena), arena);
    case MoveKind::ToItems: return with_value(object, step.from, with_items(*value, move, arena), arena);
    case MoveKind::Unwrap: return with_value(object, step.from, unwrapped(*value, move, arena), arena);
    case MoveKind::Set: return with_value(object, step.from, move.constant, arena);
    case MoveKind::Wrap: {
      const Entry inner[] = {{make_key(arena, move.name), *value}};
      return with_value(object, step.from, make_map(arena, inner), arena);
    }
    case MoveKind::Ask: break;
  }
  CW_CHECK(false, "a question isn't applied");
}

}  // namespace capwright::migrate
