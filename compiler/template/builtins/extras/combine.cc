// `combine`: merges dicts into one, later ones win, as in Ansible's merge_hash.
#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "diag/catalog/limits.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"
#include "template/builtins/extras/value_set.h"

namespace capwright::jinja {
namespace {

using extras::ValueSet;

enum class ListMerge { Replace, Keep, Append, Prepend, AppendPresent, PrependPresent };
constexpr std::array<std::string_view, 6> kListMerges{"replace", "keep",      "append",
                                                      "prepend", "append_rp", "prepend_rp"};

struct CombineOptions {
  bool recursive = false;
  ListMerge list_merge = ListMerge::Replace;
};

class Combiner {
 public:
  Combiner(Runtime& runtime, CombineOptions options) : runtime_(runtime), options_(options) {}

  // A dict with the entries of `low`, then those of `high`, which win. Neither is changed; either may be the result.
  Value merge(const Value& low, const Value& high, std::uint32_t depth) {
    if (!low.is(Kind::Map)) return extras::needs(runtime_, "combine", "dicts", low);
    if (!high.is(Kind::Map)) return extras::needs(runtime_, "combine", "dicts", high);
    if (depth > runtime_.stage.limits.depth)
      return runtime_.fail(diag::nested_too_deep, "dicts", runtime_.stage.limits.depth);
    // Python's short cuts, kept because they determine the order of keys.
    if (low.entries().empty() || runtime_.equals(low, high)) return copy(high);
    if (high.entries().empty()) return low;
    const Value result = copy(low);
    if (result.is_error()) return result;
    for (const Entry& entry : high.entries()) {
      const Value* before = runtime_.step() ? runtime_.find(result, entry.key) : nullptr;
      const Value merged = before == nullptr ? entry.value : merge_values(*before, entry.value, depth);
      if (merged.is_error() || !runtime_.set_item(result, entry.key, merged)) return Value::error();
    }
    return result;
  }

 private:
  Value merge_values(const Value& low, const Value& high, std::uint32_t depth) {
    if (low.is(Kind::Map) && high.is(Kind::Map)) return options_.recursive ? merge(low, high, depth + 1) : high;
    if (!extras::is_list(low) || !extras::is_list(high)) return high;
    switch (options_.list_merge) {
      case ListMerge::Replace: return high;
      case ListMerge::Keep: return low;
      case ListMerge::Append: return join(low, high);
      case ListMerge::Prepend: return join(high, low);
      case ListMerge::AppendPresent: return join(without(low, high), high);
      case ListMerge::PrependPresent: return join(high, without(low, high));
    }
    return Value::error();
  }

  Value copy(const Value& dict) {
    const Value result = runtime_.dict();
    for (const Entry& entry : dict.entries()) {
      if (!runtime_.step() || !runtime_.set_item(result, entry.key, entry.value)) return Value::error();
    }
    return result.with_origin(dict.origin());
  }

  Value join(const Value& first, const Value& second) {
    if (first.is_error() || second.is_error()) return Value::error();
    if (!runtime_.room_for_items(first.items().size() + second.items().size())) return Value::error();
    const Value result = runtime_.list(first.items());
    for (const Value& item : second.items()) {
      if (!runtime_.append(result, item)) return Value::error();
    }
    return result;
  }

  Value without(const Value& items, const Value& unwanted) {
    ValueSet present(runtime_);
    for (const Value& item : unwanted.items()) present.add(item);
    const Value result = runtime_.list({});
    for (const Value& item : items.items()) {
      if (runtime_.stopped() || (!present.contains(item) && !runtime_.append(result, item))) return Value::error();
    }
    return result;
  }

  Runtime& runtime_;
  CombineOptions options_;
};

// Adds a list's items, or the value itself; skips values that mean nothing.
bool add_terms(Runtime& runtime, const Value& value, std::vector<Value>& terms) {
  if (!extras::is_sequence(runtime, value)) {
    if (!extras::is_null_word(value)) terms.push_back(value);
    return true;
  }
  const auto items = items_of(runtime, value);
  if (!items) return false;
  std::copy_if(items->begin(), items->end(), std::back_inserter(terms),
               [](const Value& v) { return !extras::is_null_word(v); });
  return true;
}

}  // namespace

Value combine_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto recursive = truth_of(runtime, arguments[1]);
  const auto list_merge =
      recursive ? extras::choice(runtime, "combine", "list_merge", arguments[2], kListMerges) : std::nullopt;
  if (!list_merge) return Value::error();
  std::vector<Value> terms;
  if (!add_terms(runtime, arguments[0], terms)) return Value::error();
  for (const Value& argument : arguments.rest) {
    if (!add_terms(runtime, argument, terms)) return Value::error();
  }
  if (terms.empty()) return runtime.dict();
  Combiner combiner(runtime, {*recursive, static_cast<ListMerge>(*list_merge)});
  Value result = terms.back();
  for (auto term = terms.rbegin() + 1; term != terms.rend() && !result.is_error(); ++term) {
    result = combiner.merge(*term, result, 0);
  }
  return result;
}

}  // namespace capwright::jinja
