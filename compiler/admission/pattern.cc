// Follows patterns of paths in an object.
#include "admission/pattern.h"

#include <algorithm>

#include "admission/edit.h"

namespace capwright::admission {
namespace {

using crd::Place;

class Walk {
 public:
  Walk(const std::vector<std::string>& steps, bool absent_too, const std::function<void(const Place&)>& visit)
      : steps_(steps), absent_too_(absent_too), visit_(visit) {}

  void from(const Place& place, std::size_t step) {
    const bool last = step == steps_.size();
    if (last && (absent_too_ || !place.value.is(Kind::Null))) visit_(place);
    if (last) return;
    if (steps_[step].starts_with('[')) return items(place, step);
    if (steps_[step] == "{}") return members(place, step);
    key(place, step);
  }

 private:
  void items(const Place& place, std::size_t step) {
    if (!place.value.is(Kind::List)) return;
    const std::span<const Value> items = place.value.items();
    const bool old_list = place.old != nullptr && place.old->is(Kind::List);
    const std::string& wanted = steps_[step];
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      if (wanted != "[]" && wanted != "[" + std::to_string(i) + "]") continue;
      Place item = Place::item(items[i], i, place);
      if (old_list && i < place.old->items().size()) item.old = &place.old->items()[i];
      from(item, step + 1);
    }
  }

  void members(const Place& place, std::size_t step) {
    if (!place.value.is(Kind::Map)) return;
    for (const Entry& entry : place.value.entries()) from(Place::member(entry, place), step + 1);
  }

  void key(const Place& place, std::size_t step) {
    if (place.value.is(Kind::Map)) {
      const auto entries = place.value.entries();
      const auto found =
          std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key.text() == steps_[step]; });
      if (found != entries.end()) return from(Place::member(*found, place), step + 1);
    }
    if (!absent_too_ || step + 1 != steps_.size()) return;
    Arena arena;
    const Entry absent{make_key(arena, steps_[step]), Value()};
    from(Place::member(absent, place), step + 1);
  }

  const std::vector<std::string>& steps_;
  bool absent_too_;
  const std::function<void(const Place&)>& visit_;
};

Value change_from(std::span<const std::string> steps, const Value& value, Arena& arena,
                  const std::function<Value(const Value&)>& change) {
  if (steps.empty()) return change(value);
  const std::span<const std::string> rest = steps.subspan(1);
  if (steps[0] == "[]") {
    if (!value.is(Kind::List)) return value;
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(change_from(rest, item, arena, change));
    return make_list(arena, items).with_origin(value.origin());
  }
  if (!value.is(Kind::Map)) return value;
  std::vector<Entry> entries(value.entries().begin(), value.entries().end());
  for (Entry& entry : entries) {
    if (steps[0] == "{}" || entry.key.text() == steps[0]) entry.value = change_from(rest, entry.value, arena, change);
  }
  return make_map(arena, entries).with_origin(value.origin());
}

struct LastStep {
  Pattern above;
  std::string_view key;
};

LastStep split_last(std::string_view pattern) {
  const std::size_t dot = pattern.rfind('.');
  if (dot == std::string_view::npos) return {Pattern(), pattern};
  return {Pattern(pattern.substr(0, dot)), pattern.substr(dot + 1)};
}

void collect_indexes(const Place& place, std::vector<std::uint32_t>& indexes) {
  if (place.parent == nullptr) return;
  collect_indexes(*place.parent, indexes);
  if (place.key == nullptr) indexes.push_back(place.index);
}

}  // namespace

Pattern::Pattern(std::string_view text) {
  while (!text.empty()) {
    if (text.starts_with('[') || text.starts_with("{}")) {
      const std::size_t size = std::min(text.find_first_of("]}"), text.size() - 1) + 1;
      steps_.emplace_back(text.substr(0, size));
      text.remove_prefix(size);
    } else {
      const std::size_t end = std::min(text.find_first_of(".[{"), text.size());
      steps_.emplace_back(text.substr(0, end));
      text.remove_prefix(end);
    }
    if (text.starts_with('.')) text.remove_prefix(1);
  }
}

void Pattern::each(const Place& root, bool absent_too, const std::function<void(const Place&)>& visit) const {
  Walk(steps_, absent_too, visit).from(root, 0);
}

Value Pattern::changed(const Value& root, Arena& arena, const std::function<Value(const Value&)>& change) const {
  return change_from(steps_, root, arena, change);
}

Value without_all(const Value& root, std::string_view pattern, Arena& arena) {
  const auto [above, key] = split_last(pattern);
  return above.changed(root, arena, [&arena, key = key](const Value& value) { return without(value, key, arena); });
}

Value with_maps(const Value& root, std::string_view pattern, Arena& arena) {
  const auto [above, key] = split_last(pattern);
  return above.changed(root, arena, [&arena, key = key](const Value& value) {
    if (!value.is(Kind::Map)) return value;
    const Value* there = find(value, key);
    return there == nullptr || there->is(Kind::Null) ? with(value, key, make_map(arena, {}), arena) : value;
  });
}

Pattern Pattern::behind(const Pattern& prefix) const {
  Pattern joined = prefix;
  joined.steps_.insert(joined.steps_.end(), steps_.begin(), steps_.end());
  return joined;
}

std::string reported_path(std::string_view report, const Place& place) {
  if (report.empty()) return path_of(place);
  if (report.starts_with('.')) return path_of(place, report.substr(1));
  std::vector<std::uint32_t> indexes;
  collect_indexes(place, indexes);
  std::string path;
  std::size_t next = 0;
  for (std::size_t at = 0; at < report.size(); ++at) {
    if (report.substr(at, 2) == "{}" && place.key != nullptr) {
      path += place.key->text();
      ++at;
      continue;
    }
    path += report[at];
    if (report.substr(at, 2) == "[]" && next < indexes.size()) path += std::to_string(indexes[next++]);
  }
  return path;
}

}  // namespace capwright::admission
