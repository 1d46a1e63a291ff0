// The cases follow kyaml's merge2: a value that the object lacks is added without its nulls and directives.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <string_view>
#include <vector>

#include "diag/catalog/patches.h"
#include "patch/patch_forms.h"

namespace capwright::patch {
namespace {

constexpr std::string_view kDirective = "$patch";
constexpr std::string_view kOtherDirectives[] = {"$retainKeys", "$setElementOrder/", "$deleteFromPrimitiveList/"};

enum class Directive : std::uint8_t { Merge, Replace, Delete };

// Kinds whose lists kustomize may merge by a key, from Kubernetes' OpenAPI.
bool is_built_in(const ObjectId& id) {
  const std::string_view group = id.group();
  return group.find('.') == std::string_view::npos || group.ends_with(".k8s.io");
}

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

  std::string path() const { return fmt::format("{}", fmt::join(path_, ".")); }

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

  Result merged_lists(const Value& below, const Value& above, Span key) {
    if (!is_built_in(id_)) {
      check_items(above, key);
      return above;
    }
    if (below.items().empty() || json_equal(below, above)) return above;
    fail(diag::list_of_built_in_kind, key, path(), id_.shown())
        .note("Kubernetes' schema decides whether the items of this list are merged, and by which key")
        .advise("change the list by a JSON 6902 patch");
    return below;
  }

  // kustomize would write a directive into the object.
  void check_items(const Value& list, Span key) {
    for (const Value& item : list.items()) {
      const bool has_directive = item.is(Kind::Map) && item.find(kDirective) != nullptr;
      if (!has_directive) continue;
      fail(diag::malformed_patch, key, fmt::format("`{}` has an item with `{}`", path(), kDirective))
          .note("the list of a custom resource is replaced as a whole")
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
