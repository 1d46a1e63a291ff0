// One conversion after the other, each step by step.
#include "migrate/convert.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace capwright::migrate {
namespace {

// Whether the tables lead from a version of a kind to another.
bool leads_to(ApiType type, std::string_view version) {
  while (type.version != version) {
    const Conversion* next = conversion_from(type.group, type.version, type.kind);
    if (next == nullptr) return false;
    type.version = next->to;
  }
  return true;
}

std::string_view last_version(ApiType type) {
  while (const Conversion* next = conversion_from(type.group, type.version, type.kind)) type.version = next->to;
  return type.version;
}

using Selected = std::set<std::pair<std::string_view, std::string_view>>;  // apiVersion and kind

// What the patches of a ClusterClass select.
Selected selected_by_patches(const Value& object) {
  Selected selected;
  for (const FieldPath& path : matches(object, read_path("spec.patches[].definitions[].selector"))) {
    const Value& selector = *value_at(object, path);
    selected.emplace(selector.text_at("apiVersion"), selector.text_at("kind"));
  }
  return selected;
}

class References {
 public:
  References(const Goal& goal, Selected selected) : goal_(goal), selected_(std::move(selected)) {}

  void find_in(const Value& value) {
    if (value.is(Kind::Map)) {
      if (!way_.empty() && is_old(value)) found_.push_back(way_);
      for (const Entry& entry : value.entries()) find_below(entry.value, std::string(entry.key.text()));
    } else if (value.is(Kind::List)) {
      for (std::size_t i = 0; i < value.items().size(); ++i)
        find_below(value.items()[i], "[" + std::to_string(i) + "]");
    }
  }

  std::vector<FieldPath> take() { return std::move(found_); }

 private:
  void find_below(const Value& value, std::string step) {
    way_.push_back(std::move(step));
    find_in(value);
    way_.pop_back();
  }

  bool is_old(const Value& map) const {
    const std::optional<ApiType> type = type_of(map);
    if (map.text_at("name").empty()) return false;
    if (!type) return conversion_of_kind(map.text_at("apiGroup"), map.text_at("kind"), goal_.kind) != nullptr;
    if (selected_.contains({map.text_at("apiVersion"), type->kind})) return false;
    const ApiType end = end_of_way(*type, goal_);
    return end.version != type->version || end.kind != type->kind;
  }

  const Goal& goal_;
  const Selected selected_;
  FieldPath way_;
  std::vector<FieldPath> found_;
};

bool is_empty(const Value& value) {
  return (value.is(Kind::Map) && value.entries().empty()) || (value.is(Kind::List) && value.items().empty()) ||
         (value.is(Kind::String) && value.text().empty());
}

// Finds the first empty value below a map that `refuses` tells to remove.
class EmptyValue {
 public:
  explicit EmptyValue(const std::function<bool(const FieldPath&)>& refuses) : refuses_(refuses) {}

  bool find_in(const Value& value) {
    if (is_empty(value)) return !way.empty() && !is_item(way.back()) && refuses_(way);
    if (value.is(Kind::Map)) {
      return std::any_of(value.entries().begin(), value.entries().end(),
                         [&](const Entry& entry) { return find_below(entry.value, std::string(entry.key.text())); });
    }
    for (std::size_t i = 0; value.is(Kind::List) && i < value.items().size(); ++i) {
      if (find_below(value.items()[i], "[" + std::to_string(i) + "]")) return true;
    }
    return false;
  }

  FieldPath way;  // to the value that was found

 private:
  bool find_below(const Value& value, std::string step) {
    way.push_back(std::move(step));
    if (find_in(value)) return true;
    way.pop_back();
    return false;
  }

  const std::function<bool(const FieldPath&)>& refuses_;
};

Value without_new_empty(const Value& object, const Value& other, Arena& arena) {
  const std::function<bool(const FieldPath&)> is_missing = [&](const FieldPath& path) {
    return value_at(other, path) == nullptr;
  };
  Value now = object;
  for (EmptyValue empty(is_missing); empty.find_in(now); empty.way.clear())
    now = without_value(now, emptied(now, empty.way, kKeptSteps), arena);
  return now;
}

}  // namespace

std::optional<Step> next_step(const Conversion& conversion, const Value& object, const Goal& goal,
                              const Skipped& skipped) {
  if (auto step = next_step(conversion, object, skipped)) return step;
  if (!goal.refuses_empty) return std::nullopt;
  static const Move drop = [] {
    Move move;
    move.kind = Move::Kind::Drop;
    move.keeps_empty = true;
    move.because = "it is empty, which is no longer allowed";
    return move;
  }();
  const ApiType type{conversion.group, conversion.to, conversion.to_kind};
  const std::function<bool(const FieldPath&)> refuses = [&](const FieldPath& path) {
    return !skipped.contains(Step{&drop, path, {}, {}}.key()) && goal.refuses_empty(type, path);
  };
  EmptyValue empty(refuses);
  if (!empty.find_in(object)) return std::nullopt;
  return Step{&drop, empty.way, {}, {}};
}

std::optional<ApiType> type_of(const Value& object) {
  const std::string_view api_version = object.text_at("apiVersion");
  const std::string_view kind = object.text_at("kind");
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos || kind.empty()) return std::nullopt;
  return ApiType{api_version.substr(0, slash), api_version.substr(slash + 1), kind};
}

const Conversion* next_conversion(const ApiType& type, const Goal& goal) {
  const std::string_view stored = goal.stored ? goal.stored(type.group, type.kind) : std::string_view();
  std::string_view version = stored.empty() ? last_version(type) : stored;
  if (!goal.version.empty() && leads_to(type, goal.version)) version = goal.version;
  const Conversion* next = conversion_from(type.group, type.version, type.kind, goal.kind);
  if (next == nullptr || next->changes_kind()) return next;
  return type.version != version && leads_to(type, version) ? next : nullptr;
}

ApiType end_of_way(ApiType type, const Goal& goal) {
  while (const Conversion* next = next_conversion(type, goal)) {
    type.version = next->to;
    type.kind = next->to_kind;
  }
  return type;
}

std::vector<FieldPath> old_references(const Value& object, const Goal& goal) {
  References references(goal, selected_by_patches(object));
  references.find_in(object);
  return references.take();
}

ApiType type_of_reference(const Value& reference, const Goal& goal) {
  if (const std::optional<ApiType> type = type_of(reference)) return end_of_way(*type, goal);
  const std::string_view group = reference.text_at("apiGroup"), kind = reference.text_at("kind");
  const Conversion* conversion = conversion_of_kind(group, kind, goal.kind);
  return {group, {}, conversion == nullptr ? kind : conversion->to_kind};
}

Value with_type(const Value& object, const FieldPath& path, const ApiType& type, Arena& arena) {
  FieldPath version = path, kind = path;
  version.emplace_back("apiVersion");
  kind.emplace_back("kind");
  const Value with = with_value(object, kind, make_string(arena, type.kind), arena);
  if (type.version.empty()) return with;
  const std::string api_version = std::string(type.group) + "/" + std::string(type.version);
  return with_value(with, version, make_string(arena, api_version), arena);
}

Converted convert(const Value& object, const Goal& goal, Arena& arena, const Skipped& left_out) {
  Converted result{object, {}, {}, false};
  std::optional<ApiType> type = type_of(object);
  while (type) {
    const Conversion* conversion = next_conversion(*type, goal);
    if (conversion == nullptr) break;
    Skipped skipped = left_out;
    while (const auto step = next_step(*conversion, result.object, goal, skipped)) {
      if (step->blocked.empty()) {
        result.object = applied(result.object, *step, arena);
        result.steps.push_back(*step);
        continue;
      }
      skipped.insert(step->key());
      result.blocked.push_back(*step);
    }
    result.object = with_type(result.object, {}, {type->group, conversion->to, conversion->to_kind}, arena);
    result.changed = true;
    type = type_of(result.object);
  }
  for (const FieldPath& path : old_references(result.object, goal)) {
    const ApiType end = type_of_reference(*value_at(result.object, path), goal);
    result.object = with_type(result.object, path, end, arena);
    result.changed = true;
  }
  return result;
}

Value in_version_of(const Value& before, const Value& after, Arena& arena) {
  const std::optional<ApiType> old = type_of(before), now = type_of(after);
  if (!old || !now || old->group != now->group || old->kind != now->kind || old->version == now->version) return before;
  if (!leads_to(*old, now->version)) return before;
  Goal goal;
  goal.version = now->version;
  const Converted converted = convert(before, goal, arena);
  return converted.blocked.empty() ? without_new_empty(converted.object, after, arena) : before;
}

}  // namespace capwright::migrate
