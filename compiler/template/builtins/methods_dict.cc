// Methods of dict, and the views of keys(), values() and items(): they show later changes of the dict.
#include <array>

#include "diag/catalog/template_operations.h"
#include "template/builtins/methods.h"
#include "template/builtins/operands.h"
#include "template/runtime/objects.h"

namespace capwright::jinja {
namespace {

class DictView final : public Object {
 public:
  DictView(const Value& map, DictPart part) : map_(map), part_(part) {}

  std::string_view type_name() const override {
    if (part_ == DictPart::Keys) return "dict_keys";
    if (part_ == DictPart::Values) return "dict_values";
    return "dict_items";
  }
  std::optional<std::size_t> length(Runtime&) override { return map_.map_rep()->size; }
  Value contents() const override { return map_; }
  bool truth(Runtime&) override { return map_.map_rep()->size != 0; }
  Iterator* iterate(Runtime& runtime) override { return iterate_dict(runtime, map_, part_); }
  void repr(Runtime& runtime, std::string& out) override {
    out.append(type_name()).append("(");
    runtime.append_repr(out, runtime.to_list(Value::object(this)));
    out.append(")");
  }
  bool equals(Runtime& runtime, const Value& other) override {
    const auto* view = other.is(Kind::Object) ? dynamic_cast<const DictView*>(other.object_rep()) : nullptr;
    if (view == nullptr || view->part_ != part_ || part_ == DictPart::Values) return view == this;
    if (part_ == DictPart::Items) return runtime.equals(map_, view->map_);
    if (map_.entries().size() != view->map_.entries().size()) return false;
    for (const Entry& entry : map_.entries()) {
      if (!runtime.step() || runtime.find(view->map_, entry.key) == nullptr) return false;
    }
    return true;
  }
  std::optional<Value> attribute(Runtime&, const Identifier& name) override {
    if (name.text == "mapping") return map_;
    return std::nullopt;
  }

 private:
  Value map_;
  DictPart part_;
};

class EntryIterator final : public Iterator {
 public:
  EntryIterator(const Value& map, DictPart part) : map_(map), part_(part), size_(map.map_rep()->size) {}

  bool next(Runtime& runtime, Value& item) override {
    const Map& map = *map_.map_rep();
    if (map.size != size_) {
      runtime.fail_as(diag::wrong_value.info, "dictionary changed size during iteration");
      return false;
    }
    if (index_ >= size_) return false;
    const Entry& entry = map.entries[index_++];
    const Value key = inherit(entry.key), value = inherit(entry.value);
    if (part_ == DictPart::Items) {
      item = runtime.tuple(std::array{key, value});
    } else {
      item = part_ == DictPart::Keys ? key : value;
    }
    return true;
  }

 private:
  Value inherit(const Value& value) const { return map_.tainted() ? value.with_taint() : value; }

  Value map_;
  DictPart part_;
  std::uint32_t size_;
  std::uint32_t index_ = 0;
};

Value view(Runtime& runtime, const Value& map, DictPart part) {
  return runtime.derived(Value::object(runtime.arena().make<DictView>(map, part)), map.origin(), map.tainted());
}

// The value at a key, with the taint of its dict; empty if there is none.
std::optional<Value> value_at(Runtime& runtime, const Value& map, const Value& key) {
  const Value* found = runtime.find(map, key);
  if (found == nullptr) return std::nullopt;
  if (key.tainted()) return runtime.decided(*found, key.origin());
  return picked(runtime, map, runtime.part_of(map, *found), key);
}

bool update_from_map(Runtime& runtime, const Value& map, const Value& other) {
  for (std::size_t i = 0; i < other.entries().size(); ++i) {
    const Entry entry = other.entries()[i];
    if (!runtime.step() || !runtime.set_item(map, entry.key, entry.value)) return false;
  }
  return true;
}

bool update_from_pairs(Runtime& runtime, const Value& map, const Value& pairs) {
  const auto items = items_of(runtime, pairs);
  if (!items) return false;
  for (std::size_t i = 0; i < items->size(); ++i) {
    const Value& pair = (*items)[i];
    if (!runtime.usable(pair)) return false;
    if (!runtime.iterable(pair)) {
      const std::string place = "#" + std::to_string(i);
      wrong_type(runtime, "cannot convert dictionary update sequence element " + place + " to a sequence");
      return false;
    }
    const auto parts = items_of(runtime, pair);
    if (!parts) return false;
    if (parts->size() != 2) {
      wrong_value(runtime, "dictionary update sequence element #" + std::to_string(i) + " has length " +
                               std::to_string(parts->size()) + "; 2 is required");
      return false;
    }
    if (!runtime.set_item(map, (*parts)[0], (*parts)[1])) return false;
  }
  return true;
}

}  // namespace

Iterator* iterate_dict(Runtime& runtime, const Value& map, DictPart part) {
  return runtime.arena().make<EntryIterator>(map, part);
}

bool update_dict(Runtime& runtime, const Value& map, const Value& other) {
  return other.is(Kind::Map) ? update_from_map(runtime, map, other) : update_from_pairs(runtime, map, other);
}

bool update_dict(Runtime& runtime, const Value& map, std::span<const KeywordArgument> others) {
  for (const KeywordArgument& other : others) {
    if (!runtime.set_item(map, runtime.name_of(other), other.value)) return false;
  }
  return true;
}

Value dict_clear(Runtime& runtime, const BoundArguments& arguments) {
  runtime.clear(arguments[0]);
  return Value::null();
}

Value dict_copy(Runtime& runtime, const BoundArguments& arguments) {
  const Value copy = runtime.dict();
  if (!update_from_map(runtime, copy, arguments[0])) return Value::error();
  return runtime.derived(copy, arguments[0]);
}

Value dict_fromkeys(Runtime& runtime, const BoundArguments& arguments) {
  const auto keys = items_of(runtime, arguments[1]);
  if (!keys) return Value::error();
  const Value map = runtime.dict();
  for (const Value& key : *keys) {
    if (!runtime.set_item(map, key, arguments[2])) return Value::error();
  }
  return map;
}

Value dict_get(Runtime& runtime, const BoundArguments& arguments) {
  if (!runtime.hashable(arguments[1])) return Value::error();
  return value_at(runtime, arguments[0], arguments[1]).value_or(arguments[2]);
}

Value dict_items(Runtime& runtime, const BoundArguments& arguments) {
  return view(runtime, arguments[0], DictPart::Items);
}
Value dict_keys(Runtime& runtime, const BoundArguments& arguments) {
  return view(runtime, arguments[0], DictPart::Keys);
}
Value dict_values(Runtime& runtime, const BoundArguments& arguments) {
  return view(runtime, arguments[0], DictPart::Values);
}

Value dict_pop(Runtime& runtime, const BoundArguments& arguments) {
  if (!runtime.hashable(arguments[1])) return Value::error();
  const auto found = value_at(runtime, arguments[0], arguments[1]);
  if (!found) {
    if (arguments.given(2)) return arguments[2];
    return runtime.fail_as(diag::missing_item.info, runtime.repr(arguments[1]));
  }
  runtime.remove_item(arguments[0], arguments[1]);
  return *found;
}

Value dict_popitem(Runtime& runtime, const BoundArguments& arguments) {
  if (arguments[0].entries().empty()) return runtime.fail_as(diag::missing_item.info, "popitem(): dictionary is empty");
  const Entry last = arguments[0].entries().back();
  runtime.remove_item(arguments[0], last.key);
  return runtime.tuple(std::array{last.key, last.value});
}

Value dict_setdefault(Runtime& runtime, const BoundArguments& arguments) {
  if (!runtime.hashable(arguments[1])) return Value::error();
  if (const auto found = value_at(runtime, arguments[0], arguments[1])) return *found;
  return runtime.set_item(arguments[0], arguments[1], arguments[2]) ? arguments[2] : Value::error();
}

Value dict_update(Runtime& runtime, const BoundArguments& arguments) {
  if (arguments.given(1) && !update_dict(runtime, arguments[0], arguments[1])) return Value::error();
  return update_dict(runtime, arguments[0], arguments.rest_keywords) ? Value::null() : Value::error();
}

}  // namespace capwright::jinja
