// Items are compared by what identifies them, because a patch may replace a list by one with another order.
#include "patch/field_history.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <string_view>

#include "crd/object_place.h"
#include "diag/catalog/patches.h"
#include "patch/patch_places.h"
#include "yaml/write.h"

namespace capwright::patch {
namespace {

// Both bound the time for hostile texts; findings about more than that keep their usual place.
constexpr std::size_t kLongestList = 200, kMostRemoved = 10'000;

// The name of an item, or its text; a map without a name is identified by all of it.
std::string item_of(const Value& item) {
  const Value* name = item.is(Kind::Map) ? item.find("name") : &item;
  return name != nullptr && name->is(Kind::String) ? std::string(name->text()) : canonical_json(item);
}

std::vector<std::string> items_of(const Value& list) {
  std::vector<std::string> items;
  for (const Value& item : list.items()) items.push_back(item_of(item));
  return items;
}

std::string below(std::string path, std::string_view key) {
  crd::append_key(path, key);
  return path;
}

bool has(const std::vector<std::string>& items, const std::string& item) {
  return std::ranges::find(items, item) != items.end();
}

// Null if there is none.
const Value* value_at(const Value& object, const std::vector<std::string>& steps) {
  const Value* at = &object;
  for (const std::string& step : steps) {
    if (at->is(Kind::List)) {
      std::size_t index = 0;
      std::from_chars(step.data(), step.data() + step.size(), index);
      at = index < at->items().size() ? &at->items()[index] : nullptr;
    } else {
      at = at->is(Kind::Map) ? at->find(step) : nullptr;
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

bool is_of(const RemovedField& field, const ObjectId& object) {
  return field.kind == object.kind && field.name == object.name && field.space == object.space;
}

std::string key_of(const ObjectId& object) { return fmt::format("{}\n{}\n{}", object.kind, object.space, object.name); }

bool has_field(const Value& object, const std::vector<std::string>& steps, const RemovedField& field) {
  const Value* around = value_at(object, steps);
  if (around == nullptr) return false;
  if (field.is_item) return around->is(Kind::List) && has(items_of(*around), field.field);
  const Value* value = around->is(Kind::Map) ? around->find(field.field) : nullptr;
  return value != nullptr && !value->is(Kind::Null);
}

}  // namespace

void FieldHistory::add(const ObjectId& object, const Value& before, const Value& after, const Value& content,
                       Span where) {
  object_ = &object;
  content_ = &content;
  where_ = where;
  steps_.clear();
  path_.clear();
  const auto earlier = added_.find(key_of(object));
  if (earlier != added_.end()) {
    for (const AddedItems& added : earlier->second) report_dropped(added, after);
  }
  compare(before, after);
}

void FieldHistory::compare(const Value& before, const Value& after) {
  if (before.is(Kind::List) && after.is(Kind::List)) return compare_lists(before, after);
  if (!before.is(Kind::Map) || !after.is(Kind::Map)) return;
  for (const Entry& entry : before.entries()) {
    if (entry.value.is(Kind::Null)) continue;
    const Value* now = after.find(entry.key.text());
    const bool is_gone = now == nullptr || now->is(Kind::Null);
    if (is_gone) remove(entry.key.text(), entry.key.text(), false);
    else compare_below(std::string(entry.key.text()), below(path_, entry.key.text()), entry.value, *now);
  }
}

void FieldHistory::remove(std::string_view field, std::string_view step, bool is_item) {
  if (removed_.size() == kMostRemoved) return;
  std::vector<std::string> path = steps_;
  path.emplace_back(step);
  const Span place = place_in_patch(*content_, path, stage_).where;
  removed_.push_back({{std::string(object_->kind), std::string(object_->name), std::string(object_->space), path_,
                       std::string(field), is_item, place.known() ? place : where_},
                      steps_});
}

void FieldHistory::compare_below(std::string step, std::string shown, const Value& before, const Value& after) {
  std::swap(path_, shown);
  steps_.push_back(std::move(step));
  compare(before, after);
  steps_.pop_back();
  std::swap(path_, shown);
}

void FieldHistory::compare_lists(const Value& before, const Value& after) {
  if (std::max(before.items().size(), after.items().size()) > kLongestList || json_equal(before, after)) return;
  const std::vector<std::string> old = items_of(before), now = items_of(after);
  for (std::size_t i = 0; i < old.size(); ++i) {
    const auto number = static_cast<std::size_t>(std::ranges::find(now, old[i]) - now.begin());
    if (number == now.size()) remove(old[i], std::to_string(i), true);
    else
      compare_below(std::to_string(number), fmt::format("{}[{}]", path_, number), before.items()[i],
                    after.items()[number]);
  }
  note_added(old, now);
}

// A list without an item that it had is another one: then the patch doesn't add to it.
void FieldHistory::note_added(const std::vector<std::string>& old, const std::vector<std::string>& now) {
  std::vector<std::string> items;
  std::ranges::copy_if(now, std::back_inserter(items), [&](const std::string& item) { return !has(old, item); });
  const bool keeps_all = std::ranges::all_of(old, [&](const std::string& item) { return has(now, item); });
  if (!keeps_all || items.empty()) return;
  added_[key_of(*object_)].push_back({steps_, path_, std::move(items), where_});
}

void FieldHistory::report_dropped(const AddedItems& added, const Value& after) {
  if (added.where.file == where_.file || !writes_list(*content_, added.steps)) return;
  const Value* list = value_at(after, added.steps);
  if (list == nullptr || !list->is(Kind::List)) return;
  const std::vector<std::string> now = items_of(*list);
  std::vector<std::string> dropped;
  std::ranges::copy_if(added.items, std::back_inserter(dropped), [&](const auto& item) { return !has(now, item); });
  const Span place = place_in_patch(*content_, added.steps, stage_).where;
  if (dropped.empty() || !reported_.emplace(place, added.where).second) return;
  const std::string names = fmt::format("`{}`", fmt::join(dropped, "`, `"));
  const LineCol at = stage_.sources.line_col(added.where);
  const std::string earlier = fmt::format("{}:{}:{}", stage_.sources.path(added.where.file), at.line, at.column);
  stage_.sink.report(diag::dropped_items, place, added.path, names)
      .note(
          fmt::format("the patch at {} adds {} to {}", earlier, dropped.size() == 1 ? "it" : "them", object_->shown()))
      .advise(
          fmt::format("copy {} from there into this list; or add this patch's own items by JSON 6902 operations such "
                      "as `{{op: add, path: {}/-, …}}`",
                      names, json_pointer(added.steps)));
}

std::vector<RemovedField> FieldHistory::removed_from(const std::vector<std::unique_ptr<FileText>>& files) && {
  if (removed_.empty()) return {};
  for (const auto& file : files) {
    if (file == nullptr) continue;
    for (const YamlDocument& document : file->documents()) {
      const std::optional<ObjectId> id = id_of(document.value);
      if (!id) continue;
      std::erase_if(removed_, [&](const Removed& each) {
        return is_of(each.field, *id) && has_field(document.value, each.steps, each.field);
      });
    }
  }
  std::vector<RemovedField> removed;
  for (Removed& each : removed_) removed.push_back(std::move(each.field));
  return removed;
}

}  // namespace capwright::patch
