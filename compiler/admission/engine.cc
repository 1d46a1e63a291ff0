// Runs rules in order; each on every value that it applies to.
#include "admission/engine.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "admission/checks.h"
#include "admission/edit.h"
#include "base/check.h"

namespace capwright::admission {
namespace {

using crd::Place;

// The error of reading the old object on creation.
constexpr cel::Fault kNotThere{0, 0, "there is no old object", {}, false};

// The variables of an expression. Results stay in the arena.
class Scope {
 public:
  Scope(const Place& place, const Place& root, Arena& arena)
      : bindings_{{{"self", place.value}, {"object", root.value}, old("oldSelf", place), old("oldObject", root)}},
        arena_(arena) {}

  // The truth value of an expression; `otherwise` if it can't be evaluated.
  bool holds(const Expression& expression, bool otherwise) const {
    const cel::Result result = expression.evaluate(bindings_, arena_);
    return result.failure || !result.value.is(cel::TypeKind::Bool) ? otherwise : result.value.as_bool();
  }

 private:
  static cel::Binding old(std::string_view name, const Place& place) {
    static const cel::Val kNothing = cel::Val::error(&kNotThere);
    return place.old != nullptr ? cel::Binding{name, *place.old} : cel::Binding{name, {}, &kNothing};
  }

  std::array<cel::Binding, 4> bindings_;
  Arena& arena_;
};

bool is_allowed(const Value& value, std::span<const Value> allowed) {
  return std::any_of(allowed.begin(), allowed.end(), [&](const Value& one) { return json_equal(one, value); });
}

std::string supported(std::span<const Value> allowed) {
  std::string text;
  for (const Value& one : allowed) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", one.text());
  return "supported values: " + text;
}

class RuleRun {
 public:
  RuleRun(const Rule& rule, Subject& subject) : rule_(rule), subject_(subject) {}

  void run() {
    if (rule_.when == Rule::When::Create && subject_.is_update()) return;
    if (rule_.when == Rule::When::Update && !subject_.is_update()) return;
    if (!rule_.gate.empty() && subject_.has_gate(rule_.gate) != rule_.while_on) return;
    if (!rule_.while_on) subject_.blame_gate(rule_.gate);
    check_places();
    subject_.blame_gate({});
  }

 private:
  void check_places() {
    rule_.at.each(subject_.root(), rule_.absent_too, [&](const Place& place) {
      if (group_holds()) look_at(place);
    });
  }

  // A group in a list applies if any item satisfies its condition. Evaluated when the first rule of the group has a
  // value to check.
  bool group_holds() {
    if (!rule_.group_condition.exists()) return true;
    if (group_holds_) return *group_holds_;
    bool holds = false;
    rule_.group.each(subject_.root(), false, [&](const Place& place) {
      holds = holds || Scope(place, subject_.root(), subject_.arena()).holds(rule_.group_condition, false);
    });
    group_holds_ = holds;
    return holds;
  }

  void look_at(const Place& place) {
    const Scope scope(place, subject_.root(), subject_.arena());
    if (rule_.condition.exists() && !scope.holds(rule_.condition, false)) return;
    const Demand& demand = rule_.demand;
    switch (demand.kind) {
      case Demand::Kind::Holds: return refuse_unless(scope.holds(demand.expression, true), place, rule_.message);
      case Demand::Kind::Passes: return run_check(demand.name, place);
      case Demand::Kind::Unchanged: return refuse_unless(is_unchanged(place), place, rule_.message);
      case Demand::Kind::ChangesOnly: return check_changes(place);
      case Demand::Kind::Unique: return check_unique(place);
      case Demand::Kind::Absent: return refuse_unless(is_empty(place.value), place, rule_.message);
      case Demand::Kind::Present: return refuse_unless(!is_empty(place.value), place, rule_.message);
      case Demand::Kind::OneOf:
        return refuse_unless(is_allowed(place.value, demand.allowed), place,
                             rule_.message.empty() ? supported(demand.allowed) : rule_.message);
    }
  }

  void refuse_unless(bool good, const Place& place, std::string_view message) {
    if (!good) subject_.refuse(rule_.reason, place, rule_.report, message);
  }

  void run_check(const std::string& name, const Place& place) {
    for (const Fault& fault : check_value(name, place.value))
      subject_.refuse(rule_.reason, place, rule_.report + fault.path, fault.message);
  }

  void check_unique(const Place& place) {
    if (!place.value.is(Kind::List)) return;
    const std::span<const Value> items = place.value.items();
    const auto key_of = [&](const Value& item) {
      return rule_.demand.name.empty() ? &item : find(item, rule_.demand.name);
    };
    for (std::uint32_t i = 1; i < items.size(); ++i) {
      const Value* key = key_of(items[i]);
      const bool repeated = key != nullptr && std::any_of(items.begin(), items.begin() + i, [&](const Value& before) {
                              const Value* other = key_of(before);
                              return other != nullptr && json_equal(*key, *other);
                            });
      if (repeated) subject_.refuse_item(rule_.reason, Place::item(items[i], i, place), rule_.report, rule_.message);
    }
  }

  // The changed fields, down to the level where one side isn't a map.
  void check_changes(const Place& place) {
    const bool maps = is_map(&place.value) && is_map(place.old);
    const bool one_map = (is_map(&place.value) && is_empty(place.old)) || (is_map(place.old) && is_empty(place.value));
    if (same(&place.value, place.old)) return;
    if (place.parent != nullptr && !maps && (!one_map || is_map(place.old))) {
      if (!may_change(path_of(place))) subject_.refuse(rule_.reason, place, rule_.report, rule_.message);
      return;
    }
    if (place.value.is(Kind::Map)) {
      for (const Entry& entry : place.value.entries()) check_changes(Place::member(entry, place));
    }
    if (!is_map(place.old)) return;
    for (const Entry& entry : place.old->entries()) {
      if (place.value.is(Kind::Map) && place.value.find(entry.key.text()) != nullptr) continue;
      const Entry removed{entry.key, Value()};
      check_changes(Place::member(removed, place));
    }
  }

  static bool is_map(const Value* value) { return value != nullptr && value->is(Kind::Map); }

  bool may_change(std::string_view path) const {
    const auto& allowed = rule_.demand.except;
    return std::any_of(allowed.begin(), allowed.end(), [&](std::string_view one) {
      return one.ends_with('*') ? path.starts_with(one.substr(0, one.size() - 1)) : path == one;
    });
  }

  bool is_unchanged(const Place& place) {
    const bool was_there = place.old != nullptr && !place.old->is(Kind::Null);
    if (rule_.once_set && (!was_there || (!rule_.demand.exact && is_empty(*place.old)))) return true;
    if (rule_.demand.exact) return was_there ? json_equal(place.value, *place.old) : place.value.is(Kind::Null);
    if (rule_.demand.hollow && was_there == place.value.is(Kind::Null)) return false;
    Value now = place.value, before = place.old != nullptr ? *place.old : Value();
    for (const std::string& path : rule_.demand.except) {
      now = without_all(now, path, subject_.arena());
      before = without_all(before, path, subject_.arena());
    }
    return same(&now, &before, {rule_.demand.hollow ? &*rule_.demand.hollow : nullptr, &rule_.demand.pointers});
  }

  const Rule& rule_;
  Subject& subject_;
  std::optional<bool> group_holds_;  // computed at first use
};

// Seconds of a text such as `1h30m`; empty if it is invalid.
std::optional<std::int64_t> seconds_of(const Value& value) {
  if (!value.is(Kind::String)) return std::nullopt;
  const std::optional<std::int64_t> nanos = cel::parse_duration(value.text());
  if (!nanos) return std::nullopt;
  return *nanos / cel::kNanosPerSecond;
}

// kubeadm's tokens: six public characters and sixteen secret ones. The schema checks the type.
bool is_bootstrap_token(const Value& value) {
  constexpr std::size_t kId = 6, kSecret = 16;
  if (!value.is(Kind::String)) return true;
  const std::string_view text = value.text();
  if (text.size() != kId + 1 + kSecret || text[kId] != '.') return false;
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return std::all_of(text.begin(), text.begin() + kId, is_part) &&
         std::all_of(text.begin() + kId + 1, text.end(), is_part);
}

Value converted(const Move& move, const Value& value, Arena& arena) {
  switch (move.kind) {
    case Move::Kind::Plain: return value;
    case Move::Kind::Duration: return Value::integer(seconds_of(value).value_or(0)).with_origin(value.origin());
    case Move::Kind::Reference: {
      if (!value.is(Kind::Map)) return value;
      const Value* api_version = value.find("apiVersion");
      const std::string_view group = group_of(text_at(value, "apiVersion"));
      const Value* kind = value.find("kind");
      const Value* name = value.find("name");
      std::vector<Entry> entries;
      if (api_version != nullptr)
        entries.push_back({make_key(arena, "apiGroup"), make_string(arena, group).with_origin(api_version->origin())});
      if (kind != nullptr) entries.push_back({make_key(arena, "kind"), *kind});
      if (name != nullptr) entries.push_back({make_key(arena, "name"), *name});
      return make_map(arena, entries).with_origin(value.origin());
    }
    case Move::Kind::Arguments: {
      if (!value.is(Kind::Map)) return value;
      std::vector<Value> items;
      for (const Entry& entry : value.entries()) {
        const Entry parts[] = {{make_key(arena, "name"), entry.key}, {make_key(arena, "value"), entry.value}};
        items.push_back(make_map(arena, parts));
      }
      return make_list(arena, items).with_origin(value.origin());
    }
  }
  CW_UNREACHABLE("a Move has no such kind");
}

Value moved_in(const Move& move, const Value& value, Arena& arena) {
  const Value* from = find(value, move.from);
  if (from == nullptr || from->is(Kind::Null)) return value;
  return with(without(value, move.from, arena), move.to, converted(move, *from, arena), arena);
}

bool is_unset(const Value* value) {
  return value == nullptr || value->is(Kind::Null) || (value->is(Kind::String) && value->text().empty());
}

Value with_prefix(const Default& one, const Value& object, Arena& arena) {
  const Value* there = find(object, one.at);
  if (is_unset(there) || !there->is(Kind::String) || there->text().starts_with(one.prefix)) return object;
  const Value prefixed = make_string(arena, one.prefix + std::string(there->text()));
  return with(object, one.at, prefixed.with_origin(there->origin()), arena);
}

Value with_default(const Default& one, const Value& object, Arena& arena) {
  const Place root{object};
  if (one.condition.exists() && !Scope(root, root, arena).holds(one.condition, false)) return object;
  if (!one.prefix.empty()) return with_prefix(one, object, arena);
  const Value* source = one.copied_from.empty() ? &one.value : find(object, one.copied_from);
  if (source == nullptr) return object;
  if (!one.key.empty()) return with_member(object, one.at, one.key, *source, arena);
  return one.always || is_unset(find(object, one.at)) ? with(object, one.at, *source, arena) : object;
}

}  // namespace

void run_rules(std::span<const Rule> rules, Subject& subject) {
  for (const Rule& rule : rules) RuleRun(rule, subject).run();
}

Value filled_in(std::span<const Default> defaults, const Value& object, Arena& arena) {
  Value filled = object;
  for (const Default& one : defaults) filled = with_default(one, filled, arena);
  return filled;
}

Value moved(std::span<const Move> moves, const Value& object, Arena& arena) {
  Value result = object;
  for (const Move& move : moves)
    result = move.within.changed(result, arena, [&](const Value& value) { return moved_in(move, value, arena); });
  return result;
}

bool check_texts(const KindRules* rules, std::span<const Move> moves, Subject& written) {
  bool good = true;
  const auto check = [&](const Pattern& pattern, bool (*is_good)(const Value&), std::string_view message) {
    pattern.each(written.root(), false, [&](const Place& place) {
      // A value that isn't in the source is the zero value of a required field.
      if (is_good(place.value) || place.value.origin() == OriginId::None) return;
      written.refuse_conversion(place, message);
      good = false;
    });
  };
  const auto is_duration = [](const Value& value) { return seconds_of(value).has_value(); };
  constexpr std::string_view kNoDuration = "time: invalid duration";
  if (rules != nullptr) {
    for (const Pattern& duration : rules->durations) check(duration, is_duration, kNoDuration);
    for (const Pattern& token : rules->bootstrap_tokens)
      check(token, is_bootstrap_token, "the bootstrap token was not of the form `abcdef.0123456789abcdef`");
  }
  for (const Move& move : moves) {
    if (move.kind == Move::Kind::Duration) check(Pattern(move.from).behind(move.within), is_duration, kNoDuration);
  }
  return good;
}

void check_references(std::span<const Move> moves, Subject& written) {
  const crd::Registry& registry = written.review().registry;
  for (const Move& move : moves) {
    if (move.kind != Move::Kind::Reference) continue;
    Pattern(move.from).behind(move.within).each(written.root(), false, [&](const Place& place) {
      const std::string_view group = group_of(text_at(place.value, "apiVersion")), kind = text_at(place.value, "kind");
      if (is_empty(place.value) || !registry.versions(group, kind).empty()) return;
      written.refuse_conversion(
          place, fmt::format("CustomResourceDefinition for {}{}{} not found", kind, group.empty() ? "" : ".", group));
    });
  }
}

}  // namespace capwright::admission
