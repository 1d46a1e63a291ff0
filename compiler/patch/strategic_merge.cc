// The cases follow kyaml's merge2: a value that the object lacks is added without its nulls and directives.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diag/catalog/patches.h"
#include "patch/merge_keys.h"
#include "patch/patch_forms.h"

namespace capwright::patch {
namespace {

constexpr std::string_view kDirective = "$patch";
constexpr std::string_view kOtherDirectives[] = {"$retainKeys", "$setElementOrder/", "$deleteFromPrimitiveList/"};

enum class Directive : std::uint8_t { Merge, Replace, Delete };

// "map", "list", "scalar".
std::string_view shape_name(const Value& value) {
  if (value.is(Kind::Map)) return "map";
  return value.is(Kind::List) ? "list" : "scalar";
}

class Merger {
 public:
  Merger(const ObjectId& id, Stage& stage) : id_(id), stage_(stage) {}

  MergeResult run(const Value& object, const Value& patch) {
    MergeResult result;
    check_top(patch);
    result.object = merged_maps(object, without_identity(patch), Span());
    result.failed = failed_;
    if (result.object) result.object = with_identity_of(object, *result.object, stage_.arena);
    return result;
  }

 private:
  using Result = std::optional<Value>;  // empty: nothing is left

  template <class... Args>
  Diagnostic& fail(const DiagSpec<Args...>& spec, Span where, const std::type_identity_t<Args>&... args) {
    failed_ = true;
    return stage_.sink.report(spec, where, args...);
  }

  // kustomize drops the result of such a patch.
  void check_top(const Value& patch) {
    const Value* directive = patch.find(kDirective);
    if (directive == nullptr || !directive->is(Kind::String) || directive->text() != "replace") return;
    fail(diag::malformed_patch, place_of(*directive, stage_), "`$patch: replace` is at the top of a patch")
        .note("kustomize ignores such a patch")
        .advise("delete the object by `$patch: delete`, and add another one by `resources`");
  }

  // "spec.containers[].env": the steps to items are in brackets.
  std::string path() const {
    std::string path;
    for (const std::string_view step : path_) {
      if (!path.empty() && !step.starts_with('[')) path += '.';
      path += step;
    }
    return path;
  }

  // The patch's own identity only selects the object.
  Value without_identity(const Value& patch) const {
    std::vector<Entry> entries;
    for (const Entry& entry : patch.entries()) {
      const std::string_view key = entry.key.text();
      if (key == "apiVersion" || key == "kind") continue;
      const bool is_metadata = key == "metadata" && entry.value.is(Kind::Map);
      entries.push_back({entry.key, is_metadata ? without_name(entry.value) : entry.value});
    }
    return make_map(stage_.arena, entries).with_origin(patch.origin());
  }
  Value without_name(const Value& metadata) const {
    std::vector<Entry> entries;
    for (const Entry& entry : metadata.entries()) {
      if (entry.key.text() != "name" && entry.key.text() != "namespace") entries.push_back(entry);
    }
    return make_map(stage_.arena, entries).with_origin(metadata.origin());
  }

  Result merged(const Value& below, const Value& above, Span key) {
    if (above.is(Kind::Null)) return std::nullopt;
    if (below.is(Kind::Null)) return added(above, key);
    if (shape_name(below) != shape_name(above)) {
      fail(diag::patch_of_another_type, key, shape_name(above), shape_name(below), path(), id_.shown())
          .note("kustomize rejects this, too")
          .advise("delete the field with a JSON 6902 patch first, or write a value of the same type");
      return below;
    }
    if (above.is(Kind::Map)) return merged_maps(below, above, key);
    return above.is(Kind::List) ? merged_lists(below, above, key) : above;
  }

  Result merged_maps(const Value& below, const Value& above, Span key) {
    switch (directive_of(above, key)) {
      case Directive::Delete: return std::nullopt;
      case Directive::Replace: return cleaned(above);
      case Directive::Merge: break;
    }
    std::vector<Entry> entries;
    for (const Entry& entry : below.entries()) {
      const Value* patch = above.find(entry.key.text());
      const Result value = patch == nullptr ? entry.value : at(above, entry.key.text(), entry.value);
      if (value) entries.push_back({entry.key, *value});
    }
    for (const Entry& entry : above.entries()) {
      if (is_directive(entry.key.text()) || below.find(entry.key.text()) != nullptr) continue;
      const Result value = at(above, entry.key.text(), Value());
      if (value) entries.push_back({entry.key, *value});
    }
    return make_map(stage_.arena, entries).with_origin(below.origin()).with_taint(below.tainted());
  }

  // The result for one key of a patch.
  Result at(const Value& above, std::string_view key, const Value& below) {
    const auto entry = std::find_if(above.entries().begin(), above.entries().end(),
                                    [&](const Entry& each) { return each.key.text() == key; });
    path_.push_back(key);
    const Result result = merged(below, entry->value, place_of(entry->key, stage_));
    path_.pop_back();
    return result;
  }

  // What the object doesn't have yet.
  Result added(const Value& value, Span key) {
    if (value.is(Kind::List)) {
      if (list_merge_of(id_, path()).merges) return cleaned_list(value, key);
      check_items(value, key);
      return value;
    }
    if (!value.is(Kind::Map)) return value;
    return directive_of(value, key) == Directive::Delete ? Result() : cleaned(value);
  }

  // A map of the patch that is added as a whole: without nulls and directives.
  Value cleaned(const Value& map) {
    std::vector<Entry> entries;
    for (const Entry& entry : map.entries()) {
      if (is_directive(entry.key.text())) continue;
      const Result value = at(map, entry.key.text(), Value());
      if (value) entries.push_back({entry.key, *value});
    }
    return make_map(stage_.arena, entries).with_origin(map.origin()).with_taint(map.tainted());
  }

  static bool is_directive_item(const Value& item) {
    return item.is(Kind::Map) && item.entries().size() == 1 && item.find(kDirective) != nullptr;
  }

  // A list that isn't merged with another one: without directives, and without the items that they delete.
  Value cleaned_list(const Value& list, Span key) {
    std::vector<Value> items;
    path_.emplace_back("[]");
    for (const Value& item : list.items()) {
      const Result result = is_directive_item(item) ? Result() : added(item, key);
      if (result) items.push_back(*result);
    }
    path_.pop_back();
    return make_list(stage_.arena, items).with_origin(list.origin());
  }

  Result merged_lists(const Value& below, const Value& above, Span key) {
    const ListMerge merge = list_merge_of(id_, path());
    if (!merge.merges) {
      check_items(above, key);
      return above;
    }
    std::vector<Value> items(above.items().begin(), above.items().end());
    const auto directive = std::ranges::find_if(items, is_directive_item);
    const std::string_view what = directive == items.end() ? "merge" : directive->text_at(kDirective);
    if (directive != items.end()) items.erase(directive);
    if (what == "delete") return std::nullopt;
    if (what == "replace") return cleaned_list(above, key);
    if (what != "merge")
      fail(diag::malformed_patch, key, fmt::format("unknown `{}: {}`", kDirective, what))
          .advise("write `delete`, `replace` or `merge`");
    const Value list = make_list(stage_.arena, items).with_origin(above.origin());
    return merge.keys.empty() ? joined(below, list) : merged_items(below, list, merge.keys, key);
  }

  // Scalars: first those of the patch, then the others, each once.
  Value joined(const Value& below, const Value& above) const {
    std::vector<Value> items;
    for (const Value* list : {&above, &below}) {
      for (const Value& item : list->items()) {
        const auto is_same = [&](const Value& other) { return json_equal(item, other); };
        if (std::ranges::none_of(items, is_same)) items.push_back(item);
      }
    }
    return make_list(stage_.arena, items).with_origin(below.origin());
  }

  // First the items of the patch, merged with those they match, then the others. With two keys, items that are merged
  // stay at their place. kustomize orders them so.
  Value merged_items(const Value& below, const Value& above, std::span<const std::string> keys, Span key) {
    std::vector<Value> items;
    std::map<std::size_t, Result> merged;  // by their number in `below`
    path_.emplace_back("[]");
    for (const Value& item : above.items()) {
      const std::optional<std::size_t> found = match_of(item, below, keys, key);
      if (!found) break;  // reported
      const bool is_known = *found < below.items().size();
      if (is_known && merged.contains(*found)) cannot_merge(key, "two items of the patch are about one item");
      const Result result = is_known ? merged_maps(below.items()[*found], item, key) : added(item, key);
      if (is_known) merged.emplace(*found, result);
      if (result && (!is_known || keys.size() == 1)) items.push_back(*result);
    }
    path_.pop_back();
    for (std::size_t i = 0; i < below.items().size(); ++i) {
      const auto known = merged.find(i);
      if (known == merged.end()) items.push_back(below.items()[i]);
      else if (known->second && keys.size() != 1) items.push_back(*known->second);
    }
    return make_list(stage_.arena, items).with_origin(below.origin());
  }

  // The number of the item with the same keys; their number if there is none, and empty if that is unclear.
  std::optional<std::size_t> match_of(const Value& item, const Value& list, std::span<const std::string> keys,
                                      Span key) {
    if (!item.is(Kind::Map) || item.find(keys[0]) == nullptr)
      return cannot_merge(key,
                          fmt::format("an item of the patch has no `{}`, by which Kubernetes merges them", keys[0]));
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < list.items().size(); ++i) {
      const Value& other = list.items()[i];
      // A second key, such as `protocol`, may be left out on one side.
      const bool is_same = other.is(Kind::Map) && std::ranges::all_of(keys, [&](const std::string& each) {
                             const Value *a = item.find(each), *b = other.find(each);
                             return a == nullptr || b == nullptr ? &each != &keys[0] : json_equal(*a, *b);
                           });
      if (is_same && found) return cannot_merge(key, fmt::format("several items have the same `{}`", keys[0]));
      if (is_same) found = i;
    }
    return found.value_or(list.items().size());
  }

  std::nullopt_t cannot_merge(Span key, std::string why) {
    path_.pop_back();  // that of the items
    fail(diag::list_of_built_in_kind, key, path(), id_.shown())
        .note(std::move(why))
        .advise("change the list by a JSON 6902 patch");
    path_.emplace_back("[]");
    return std::nullopt;
  }

  // kustomize would write a directive into the object.
  void check_items(const Value& list, Span key) {
    for (const Value& item : list.items()) {
      const bool has_directive = item.is(Kind::Map) && item.find(kDirective) != nullptr;
      if (!has_directive) continue;
      fail(diag::malformed_patch, key, fmt::format("`{}` has an item with `{}`", path(), kDirective))
          .note("a patch replaces this list as a whole")
          .advise("write the whole list without `$patch`, or change it by a JSON 6902 patch");
    }
  }

  static bool is_directive(std::string_view key) { return key == kDirective; }

  Directive directive_of(const Value& map, Span key) {
    for (const Entry& entry : map.entries()) {
      for (const std::string_view other : kOtherDirectives) {
        if (entry.key.text().starts_with(other))
          fail(diag::malformed_patch, place_of(entry.key, stage_),
               fmt::format("`{}` isn't supported, as in kustomize", entry.key.text()));
      }
    }
    const Value* directive = map.find(kDirective);
    if (directive == nullptr) return Directive::Merge;
    const std::string_view text = directive->is(Kind::String) ? directive->text() : std::string_view();
    if (text == "delete") return Directive::Delete;
    if (text == "replace") return Directive::Replace;
    if (text != "merge") {
      const Span where = place_of(*directive, stage_);
      fail(diag::malformed_patch, where.known() ? where : key, fmt::format("unknown `{}: {}`", kDirective, text))
          .advise("write `delete`, `replace` or `merge`");
    }
    return Directive::Merge;
  }

  const ObjectId& id_;
  Stage& stage_;
  std::vector<std::string_view> path_;
  bool failed_ = false;
};

}  // namespace

MergeResult strategic_merge(const ObjectId& id, const Value& object, const Value& patch, Stage& stage) {
  return Merger(id, stage).run(object, patch);
}

}  // namespace capwright::patch
