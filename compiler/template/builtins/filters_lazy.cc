// Filters that are generators in Jinja2: they compute items on demand, and a second pass is empty.
#include <array>

#include "diag/catalog/template_builtins.h"
#include "diag/catalog/template_operations.h"
#include "template/builtins/attribute_path.h"
#include "template/builtins/methods.h"
#include "template/builtins/operands.h"
#include "template/runtime/objects.h"

namespace capwright::jinja {
namespace {

Value generator(Runtime& runtime, Iterator* items) {
  return Value::object(runtime.arena().make<LazySequence>(items, "generator"));
}

// Arguments that live as long as the generator.
struct KeptArguments {
  std::span<const Value> positional;
  std::span<const KeywordArgument> keywords;

  KeptArguments(Runtime& runtime, const BoundArguments& arguments)
      : positional(runtime.arena().copy(arguments.rest)), keywords(runtime.arena().copy(arguments.rest_keywords)) {}

  // A call of the filter or test `name` on `item`; `skip` is the number of leading arguments that select it.
  CallArguments call(Runtime& runtime, const Value& item, std::size_t skip) const {
    std::vector<Value> all{item};
    if (skip < positional.size())
      all.insert(all.end(), positional.begin() + static_cast<std::ptrdiff_t>(skip), positional.end());
    return {runtime.arena().copy(all), keywords};
  }
  const Value* keyword(std::string_view name) const {
    for (const KeywordArgument& argument : keywords) {
      if (argument.name.text == name) return &argument.value;
    }
    return nullptr;
  }
};

// A generator that reads its operand when the first item is requested.
class OperandIterator : public Iterator {
 public:
  explicit OperandIterator(const Value& operand) : operand_(operand) {}

 protected:
  ~OperandIterator() = default;

  // The next item of the operand. False at its end, after an error, and (with `if_true`) if the operand is false.
  bool next_item(Runtime& runtime, Value& item, bool if_true = false) {
    if (finished_) return false;
    if (items_ == nullptr) {
      const auto truth = if_true ? truth_of(runtime, operand_) : std::optional(true);
      items_ = truth.value_or(false) ? runtime.iterate(operand_) : nullptr;
      if (items_ == nullptr) return finish();
    }
    if (!runtime.step() || !items_->next(runtime, item)) return finish();
    return true;
  }
  bool finish() {
    finished_ = true;
    return false;
  }

 private:
  Value operand_;
  Iterator* items_ = nullptr;
  bool finished_ = false;
};

bool is_name(Runtime& runtime, const Value& value, std::string_view filter) {
  runtime.look_at(value);
  if (value.is(Kind::String)) return true;
  if (runtime.usable(value)) runtime.fail(diag::bad_argument, filter, "the first argument is a name in quotes");
  return false;
}

class MapIterator final : public OperandIterator {
 public:
  MapIterator(Runtime& runtime, const BoundArguments& arguments)
      : OperandIterator(arguments[0]),
        arguments_(runtime, arguments),
        path_(runtime, arguments_.keyword("attribute") == nullptr ? Value::null() : *arguments_.keyword("attribute")) {}

  bool next(Runtime& runtime, Value& item) override {
    Value operand;
    if (!next_item(runtime, operand, true)) return false;
    if (!arguments_.positional.empty()) {
      const Value& name = arguments_.positional[0];
      if (!is_name(runtime, name, "map")) return finish();
      item = runtime.call_filter(name.text(), arguments_.call(runtime, operand, 1));
    } else {
      if (arguments_.keyword("attribute") == nullptr) {
        runtime.fail(diag::bad_argument, "map", "needs a filter's name or `attribute`");
        return finish();
      }
      if (!only_known_keywords(runtime)) return finish();
      const Value* fallback = arguments_.keyword("default");
      item = path_.of(operand, fallback == nullptr ? Value::null() : *fallback);
    }
    return item.is_error() ? finish() : true;
  }

 private:
  bool only_known_keywords(Runtime& runtime) const {
    for (const KeywordArgument& argument : arguments_.keywords) {
      if (argument.name.text == "attribute" || argument.name.text == "default") continue;
      runtime.fail(diag::unknown_argument, "map", argument.name.text);
      return false;
    }
    return true;
  }

  KeptArguments arguments_;
  AttributePath path_;
};

// select, reject, selectattr and rejectattr.
class SelectIterator final : public OperandIterator {
 public:
  struct How {
    std::string_view filter;
    bool by_attribute;
    bool wanted;  // the test result of items to keep
  };
  SelectIterator(Runtime& runtime, const BoundArguments& arguments, How how)
      : OperandIterator(arguments[0]),
        arguments_(runtime, arguments),
        how_(how),
        path_(runtime, how.by_attribute && !arguments.rest.empty() ? arguments.rest[0] : Value::null()) {}

  bool next(Runtime& runtime, Value& item) override {
    while (next_item(runtime, item, true)) {
      const auto failures = runtime.failures();
      const auto outcome = test(runtime, item);
      if (!outcome || runtime.failures() != failures) return finish();
      if (*outcome == how_.wanted) return true;
    }
    return false;
  }

 private:
  std::optional<bool> test(Runtime& runtime, const Value& item) const {
    const std::size_t first = how_.by_attribute ? 1 : 0;
    if (arguments_.positional.size() < first) {
      runtime.fail(diag::missing_argument, how_.filter, "attribute");
      return std::nullopt;
    }
    const Value tested = path_.of(item);
    if (tested.is_error()) return std::nullopt;
    if (arguments_.positional.size() == first) return truth_of(runtime, tested);
    const Value& name = arguments_.positional[first];
    if (!is_name(runtime, name, how_.filter)) return std::nullopt;
    return runtime.call_test(name.text(), arguments_.call(runtime, tested, first + 1));
  }

  KeptArguments arguments_;
  How how_;
  AttributePath path_;
};

Value selecting(Runtime& runtime, const BoundArguments& arguments, SelectIterator::How how) {
  return generator(runtime, runtime.arena().make<SelectIterator>(runtime, arguments, how));
}

class UniqueIterator final : public OperandIterator {
 public:
  UniqueIterator(Runtime& runtime, const BoundArguments& arguments, bool case_sensitive)
      : OperandIterator(arguments[0]), key_(runtime, arguments[2], case_sensitive), seen_(runtime.dict()) {}

  bool next(Runtime& runtime, Value& item) override {
    while (next_item(runtime, item)) {
      const Value key = key_.of(item);
      if (key.is_error() || !runtime.hashable(key)) return finish();
      if (runtime.find(seen_, key) != nullptr) continue;
      return runtime.set_item(seen_, key, Value::null()) ? true : finish();
    }
    return false;
  }

 private:
  SortKey key_;
  Value seen_;
};

class BatchIterator final : public OperandIterator {
 public:
  explicit BatchIterator(const BoundArguments& arguments)
      : OperandIterator(arguments[0]), size_(arguments[1]), fill_(arguments[2]) {}

  bool next(Runtime& runtime, Value& batch) override {
    ListBuilder items(runtime);
    if (has_next_ && !items.add(next_)) return finish();
    has_next_ = false;
    const auto failures = runtime.failures();
    for (Value item; next_item(runtime, item);) {
      if (runtime.equals(Value::integer(static_cast<std::int64_t>(items.size())), size_)) {
        next_ = item;
        has_next_ = true;
        batch = items.list();
        return true;
      }
      if (!items.add(item)) return finish();
    }
    if (runtime.failures() != failures || items.size() == 0) return finish();
    return fill_up(runtime, items, batch);
  }

 private:
  bool fill_up(Runtime& runtime, ListBuilder& items, Value& batch) {
    if (!fill_.is(Kind::Null)) {
      const auto size = index_argument(runtime, size_);
      if (!size) return finish();
      while (static_cast<std::int64_t>(items.size()) < *size) {
        if (!items.add(fill_)) return finish();
      }
    }
    batch = items.list();
    return true;
  }

  Value size_, fill_;
  Value next_;
  bool has_next_ = false;
};

class SliceIterator final : public OperandIterator {
 public:
  explicit SliceIterator(const BoundArguments& arguments)
      : OperandIterator(arguments[0]), operand_(arguments[0]), slices_(arguments[1]), fill_(arguments[2]) {}

  bool next(Runtime& runtime, Value& slice) override {
    if (number_ == 0 && !prepare(runtime)) return false;
    if (number_ >= count_) return false;
    const auto size = static_cast<std::int64_t>(items_.size());
    const std::int64_t each = size / count_, with_extra = size % count_;
    const std::int64_t begin = number_ * each + std::min(number_, with_extra);
    const std::int64_t end = begin + each + (number_ < with_extra ? 1 : 0);
    ListBuilder items(runtime);
    for (std::int64_t i = begin; i < end; ++i) {
      if (!items.add(items_[static_cast<std::size_t>(i)])) return false;
    }
    if (!fill_.is(Kind::Null) && number_ >= with_extra && !items.add(fill_)) return false;
    ++number_;
    slice = items.list();
    return runtime.step();
  }

 private:
  bool prepare(Runtime& runtime) {
    const auto items = items_of(runtime, operand_);
    const auto count = items ? index_argument(runtime, slices_) : std::nullopt;
    if (!count) return false;
    if (*count == 0) {
      runtime.fail(diag::division_by_zero, "integer division or modulo by zero");
      return false;
    }
    items_ = runtime.arena().copy(*items);
    count_ = *count;
    return true;
  }

  Value operand_, slices_, fill_;
  std::span<const Value> items_;
  std::int64_t count_ = 0;
  std::int64_t number_ = 0;
};

class ItemsIterator final : public Iterator {
 public:
  explicit ItemsIterator(const Value& map) : map_(map) {}
  bool next(Runtime& runtime, Value& item) override {
    if (map_.is(Kind::Undefined)) return false;
    if (!map_.is(Kind::Map)) {
      if (!map_.is_error()) wrong_type(runtime, "Can only get item pairs from a mapping.");
      return false;
    }
    if (items_ == nullptr) items_ = iterate_dict(runtime, map_, DictPart::Items);
    return items_->next(runtime, item);
  }

 private:
  Value map_;
  Iterator* items_ = nullptr;
};

}  // namespace

Value map_filter(Runtime& runtime, const BoundArguments& arguments) {
  return generator(runtime, runtime.arena().make<MapIterator>(runtime, arguments));
}
Value select_filter(Runtime& runtime, const BoundArguments& arguments) {
  return selecting(runtime, arguments, {"select", false, true});
}
Value reject_filter(Runtime& runtime, const BoundArguments& arguments) {
  return selecting(runtime, arguments, {"reject", false, false});
}
Value selectattr_filter(Runtime& runtime, const BoundArguments& arguments) {
  return selecting(runtime, arguments, {"selectattr", true, true});
}
Value rejectattr_filter(Runtime& runtime, const BoundArguments& arguments) {
  return selecting(runtime, arguments, {"rejectattr", true, false});
}
Value unique_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto case_sensitive = truth_of(runtime, arguments[1]);
  if (!case_sensitive) return Value::error();
  return generator(runtime, runtime.arena().make<UniqueIterator>(runtime, arguments, *case_sensitive));
}
Value batch_filter(Runtime& runtime, const BoundArguments& arguments) {
  return generator(runtime, runtime.arena().make<BatchIterator>(arguments));
}
Value slice_filter(Runtime& runtime, const BoundArguments& arguments) {
  return generator(runtime, runtime.arena().make<SliceIterator>(arguments));
}
Value items_filter(Runtime& runtime, const BoundArguments& arguments) {
  return generator(runtime, runtime.arena().make<ItemsIterator>(arguments[0]));
}

}  // namespace capwright::jinja
