// Filters that read a whole sequence or mapping: sort, groupby, sum, first, length …
#include <algorithm>
#include <array>
#include <vector>

#include "diag/catalog/template_builtins.h"
#include "diag/catalog/template_eval.h"
#include "diag/catalog/template_operations.h"
#include "template/builtins/attribute_path.h"
#include "template/builtins/methods.h"
#include "template/builtins/operands.h"
#include "template/builtins/sorting.h"
#include "template/runtime/objects.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

std::string quoted_type(Runtime& runtime, const Value& value) {
  return "'" + std::string(runtime.type_name(value)) + "'";
}

// The items and their keys; empty if an error is reported.
std::optional<std::vector<Keyed>> keyed_items(Runtime& runtime, const Value& iterable, const SortKey& key,
                                              const Value& fallback = Value::null()) {
  const auto items = items_of(runtime, iterable);
  if (!items) return std::nullopt;
  std::vector<Keyed> keyed;
  keyed.reserve(items->size());
  for (const Value& item : *items) {
    const Value of_item = key.of(item, fallback);
    if (of_item.is_error()) return std::nullopt;
    keyed.push_back({of_item, item});
  }
  return keyed;
}

Value list_of_items(Runtime& runtime, const std::vector<Keyed>& keyed) {
  std::vector<Value> items(keyed.size());
  std::transform(keyed.begin(), keyed.end(), items.begin(), [](const Keyed& k) { return k.item; });
  return runtime.list(items);
}

Value extreme(Runtime& runtime, const BoundArguments& arguments, int wanted) {
  const auto case_sensitive = truth_of(runtime, arguments[1]);
  if (!case_sensitive) return Value::error();
  const SortKey key(runtime, arguments[2], *case_sensitive);
  const auto keyed = keyed_items(runtime, arguments[0], key);
  if (!keyed) return Value::error();
  if (keyed->empty()) return runtime.undefined_because("No aggregated item, sequence was empty.");
  const Keyed* best = &keyed->front();
  for (const Keyed& candidate : std::span(*keyed).subspan(1)) {
    const auto order =
        wanted < 0 ? runtime.compare(candidate.key, best->key) : runtime.compare(best->key, candidate.key);
    if (!order) return Value::error();
    if (*order < 0) best = &candidate;
  }
  return best->item;
}

// The several attributes of `sort(attribute="a,b")`.
std::vector<AttributePath> sort_paths(Runtime& runtime, const Value& attribute) {
  std::vector<AttributePath> paths;
  if (!attribute.is(Kind::String)) {
    paths.emplace_back(runtime, attribute);
    return paths;
  }
  std::string_view rest = attribute.text();
  for (std::size_t comma = rest.find(','); comma != std::string_view::npos; comma = rest.find(',')) {
    paths.emplace_back(runtime, runtime.string(rest.substr(0, comma)));
    rest.remove_prefix(comma + 1);
  }
  paths.emplace_back(runtime, runtime.string(rest));
  return paths;
}

// The sort key, with one entry per attribute, so that equal entries need no order (none, dicts).
Value sort_key(Runtime& runtime, const std::vector<AttributePath>& paths, const Value& item, bool case_sensitive) {
  std::vector<Value> keys;
  for (const AttributePath& path : paths) {
    const Value key = path.of(item);
    if (key.is_error()) return key;
    keys.push_back(case_sensitive ? key : without_case(runtime, key));
  }
  return runtime.tuple(keys);
}

// The items that Python's reversed() would return; empty, without a report, for unsupported values.
std::optional<std::vector<Value>> reversed_items(Runtime& runtime, const Value& value) {
  static constexpr std::array<std::string_view, 4> kReversible{"range", "dict_keys", "dict_values", "dict_items"};
  const bool reversible =
      value.is(Kind::String) || value.is(Kind::List) || value.is(Kind::Map) || value.is(Kind::Undefined) ||
      (value.is(Kind::Object) &&
       std::find(kReversible.begin(), kReversible.end(), value.object_rep()->type_name()) != kReversible.end());
  if (!reversible) return std::nullopt;
  auto items = items_of(runtime, value);
  if (items) std::reverse(items->begin(), items->end());
  return items;
}

class VectorIterator final : public Iterator {
 public:
  explicit VectorIterator(std::span<const Value> items) : items_(items) {}
  bool next(Runtime&, Value& item) override {
    if (at_ == items_.size()) return false;
    item = items_[at_++];
    return true;
  }

 private:
  std::span<const Value> items_;
  std::size_t at_ = 0;
};

// Python's name for the iterator that reversed() returns.
std::string_view reversed_name(const Value& value) {
  if (value.is(Kind::List)) return value.is_tuple() ? "reversed" : "list_reverseiterator";
  if (value.is(Kind::Map)) return "dict_reversekeyiterator";
  return "range_iterator";
}

Value reversed_text(Runtime& runtime, const Value& value) {
  const std::string_view text = value.text();
  std::string out;
  out.reserve(text.size());
  for (std::size_t end = text.size(); end > 0;) {
    const std::size_t begin = utf8::previous(text, end);
    out += text.substr(begin, end - begin);
    end = begin;
  }
  return text_result(runtime, out, value.is_markup());
}

}  // namespace

Value default_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& value = arguments[0];
  if (value.is(Kind::Undefined)) {
    runtime.look_at(value);
    return arguments[1];
  }
  const auto by_truth = truth_of(runtime, arguments[2]);
  if (!by_truth) return Value::error();
  const auto failures = runtime.failures();
  const bool keeps = !*by_truth || runtime.truth(value);
  if (value.is_error() || runtime.failures() != failures) return Value::error();
  if (!keeps) runtime.look_at_truth(value);
  return keeps ? value : arguments[1];
}

Value attr_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& object = arguments[0];
  const Value& name = arguments[1];
  runtime.look_at(name);
  if (object.is(Kind::Undefined)) return runtime.item(object, name);
  if (!name.is(Kind::String)) {
    if (!runtime.usable(name)) return Value::error();
    return wrong_type(runtime, "attribute name must be string, not " + quoted_type(runtime, name));
  }
  const Identifier id{name.text(), hash_text(name.text()), runtime.here};
  const auto found =
      object.is(Kind::Object) ? object.object_rep()->attribute(runtime, id) : builtin_attribute(runtime, object, id);
  return found ? *found : runtime.undefined(name.text(), object);
}

Value length_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto length = runtime.length(arguments[0]);
  return length ? Value::integer(static_cast<std::int64_t>(*length)) : Value::error();
}

Value list_filter(Runtime& runtime, const BoundArguments& arguments) { return runtime.to_list(arguments[0]); }

Value first_filter(Runtime& runtime, const BoundArguments& arguments) {
  Iterator* items = runtime.iterate(arguments[0]);
  if (items == nullptr) return Value::error();
  const auto failures = runtime.failures();
  Value first;
  if (items->next(runtime, first)) return first;
  if (runtime.failures() != failures) return Value::error();
  return runtime.undefined_because("No first item, sequence was empty.");
}

Value last_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto failures = runtime.failures();
  const auto items = reversed_items(runtime, arguments[0]);
  if (runtime.failures() != failures) return Value::error();
  if (!items) return wrong_type(runtime, quoted_type(runtime, arguments[0]) + " object is not reversible");
  if (items->empty()) return runtime.undefined_because("No last item, sequence was empty.");
  return items->front();
}

Value random_filter(Runtime& runtime, const BoundArguments& arguments) {
  if (!runtime.allow_random) return runtime.fail(diag::random_refused);
  const auto length = runtime.length(arguments[0]);
  if (!length) return Value::error();
  if (*length == 0) return runtime.undefined_because("No random item, sequence was empty.");
  return runtime.item(arguments[0], Value::integer(0));
}

Value reverse_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& value = arguments[0];
  if (value.is(Kind::String)) return reversed_text(runtime, value);
  const auto failures = runtime.failures();
  if (const auto items = reversed_items(runtime, value)) {
    auto* iterator = runtime.arena().make<VectorIterator>(runtime.arena().copy(*items));
    return Value::object(runtime.arena().make<LazySequence>(iterator, reversed_name(value)));
  }
  if (runtime.failures() != failures) return Value::error();
  if (!runtime.iterable(value)) return runtime.fail(diag::bad_argument, "reverse", "the operand isn't iterable");
  auto items = items_of(runtime, value);
  if (!items) return Value::error();
  std::reverse(items->begin(), items->end());
  return runtime.list(*items);
}

Value min_filter(Runtime& runtime, const BoundArguments& arguments) { return extreme(runtime, arguments, -1); }
Value max_filter(Runtime& runtime, const BoundArguments& arguments) { return extreme(runtime, arguments, 1); }

Value sum_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto items = items_of(runtime, arguments[0]);
  if (!items) return Value::error();
  Value sum = arguments[2];
  if (sum.is(Kind::String)) return wrong_type(runtime, "sum() can't sum strings [use ''.join(seq) instead]");
  const AttributePath path(runtime, arguments[1]);
  for (const Value& item : *items) {
    sum = runtime.binary(BinaryOp::Add, sum, path.of(item));
    if (sum.is_error() || !runtime.step()) return Value::error();
  }
  return sum;
}

Value sort_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto reverse = flag_argument(runtime, arguments[1]);
  const auto case_sensitive = truth_of(runtime, arguments[2]);
  if (!reverse || !case_sensitive) return Value::error();
  const auto items = items_of(runtime, arguments[0]);
  if (!items) return Value::error();
  const auto paths = sort_paths(runtime, arguments[3]);
  std::vector<Keyed> keyed;
  keyed.reserve(items->size());
  for (const Value& item : *items) {
    const Value key = sort_key(runtime, paths, item, *case_sensitive);
    if (key.is_error()) return key;
    keyed.push_back({key, item});
  }
  return sort_by_key(runtime, keyed, *reverse) ? list_of_items(runtime, keyed) : Value::error();
}

Value dictsort_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& map = arguments[0];
  const auto case_sensitive = truth_of(runtime, arguments[1]);
  const auto reverse = flag_argument(runtime, arguments[3]);
  if (!case_sensitive || !reverse) return Value::error();
  runtime.look_at(arguments[2]);
  const std::string_view by = arguments[2].is(Kind::String) ? arguments[2].text() : std::string_view();
  if (by != "key" && by != "value") return runtime.fail(diag::bad_argument, "dictsort", "`by` is \"key\" or \"value\"");
  if (map.is(Kind::Undefined)) return runtime.fail_undefined(map);
  if (!map.is(Kind::Map)) {
    return runtime.fail_as(diag::missing_attribute.info,
                           quoted_type(runtime, map) + " object has no attribute 'items'");
  }
  std::vector<Keyed> keyed;
  for (const Entry& entry : map.entries()) {
    const Value& key = by == "key" ? entry.key : entry.value;
    const Value pair = runtime.tuple(std::array{entry.key, entry.value});
    keyed.push_back({*case_sensitive ? key : without_case(runtime, key), map.tainted() ? pair.with_taint() : pair});
  }
  if (!runtime.step(keyed.size()) || !sort_by_key(runtime, keyed, *reverse)) return Value::error();
  return list_of_items(runtime, keyed);
}

Value groupby_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto case_sensitive = truth_of(runtime, arguments[3]);
  if (!case_sensitive) return Value::error();
  const Value& fallback = arguments[2];
  const SortKey key(runtime, arguments[1], *case_sensitive);
  auto keyed = keyed_items(runtime, arguments[0], key, fallback);
  if (!keyed || !sort_by_key(runtime, *keyed, false)) return Value::error();
  const AttributePath path(runtime, arguments[1]);
  ListBuilder groups(runtime);
  for (std::size_t begin = 0; begin < keyed->size();) {
    std::vector<Value> members;
    std::size_t end = begin;
    while (end < keyed->size() && (end == begin || runtime.equals((*keyed)[begin].key, (*keyed)[end].key))) {
      members.push_back((*keyed)[end++].item);
    }
    const Value grouper = *case_sensitive ? (*keyed)[begin].key : path.of(members[0], fallback);
    if (!groups.add(make_group(runtime, grouper, runtime.list(members)))) return Value::error();
    begin = end;
  }
  return groups.list();
}

}  // namespace capwright::jinja
