// range(): a sequence of numbers that is never stored as a list.
#include "diag/catalog/template_operations.h"
#include "template/builtins/operands.h"
#include "template/runtime/objects.h"
#include "template/runtime/watch.h"

namespace capwright::jinja {
namespace {

class RangeIterator final : public Iterator {
 public:
  RangeIterator(std::int64_t start, std::int64_t step, std::int64_t count) : at_(start), step_(step), left_(count) {}
  bool next(Runtime&, Value& item) override {
    if (left_ == 0) return false;
    item = Value::integer(at_);
    if (--left_ > 0) at_ += step_;
    return true;
  }

 private:
  std::int64_t at_, step_, left_;
};

// The `count` numbers first, first + step …: few enough for each one to fit into 64 bits.
class RangeObject final : public Object {
 public:
  struct Bounds {
    std::int64_t start, stop, step;
  };
  RangeObject(Bounds bounds, std::int64_t count) : bounds_(bounds), count_(count) {}

  std::string_view type_name() const override { return "range"; }
  std::optional<std::size_t> length(Runtime&) override { return static_cast<std::size_t>(count_); }
  bool truth(Runtime&) override { return count_ != 0; }
  Iterator* iterate(Runtime& runtime) override {
    return runtime.arena().make<RangeIterator>(bounds_.start, bounds_.step, count_);
  }
  std::optional<Value> item(Runtime&, const Value& key) override {
    if (!key.is(Kind::Int) && !key.is(Kind::Bool)) return std::nullopt;
    const std::int64_t index = key.as_int() < 0 ? key.as_int() + count_ : key.as_int();
    if (index < 0 || index >= count_) return std::nullopt;
    return Value::integer(at(index));
  }
  std::optional<Value> slice(Runtime& runtime, std::span<const Value, 3> bounds) override;
  std::optional<Value> attribute(Runtime& runtime, const Identifier& name) override;
  void repr(Runtime&, std::string& out) override {
    out += "range(" + std::to_string(bounds_.start) + ", " + std::to_string(bounds_.stop);
    if (bounds_.step != 1) out += ", " + std::to_string(bounds_.step);
    out += ")";
  }
  bool equals(Runtime&, const Value& other) override {
    const auto* range = as<RangeObject>(other);
    if (range == nullptr || range->count_ != count_) return false;
    return count_ == 0 ||
           (range->bounds_.start == bounds_.start && (count_ == 1 || range->bounds_.step == bounds_.step));
  }

  // The index of a number; empty if the range doesn't contain it.
  std::optional<std::int64_t> index_of(Runtime& runtime, const Value& value) const {
    for (std::int64_t i = 0; i < count_; ++i) {
      if (!runtime.step()) return std::nullopt;
      if (runtime.equals(Value::integer(at(i)), value)) return i;
    }
    return std::nullopt;
  }

 private:
  std::int64_t at(std::int64_t index) const { return bounds_.start + index * bounds_.step; }

  Bounds bounds_;
  std::int64_t count_;
};

// r.index(x) and r.count(x).
class RangeMethod final : public Object {
 public:
  RangeMethod(const RangeObject& range, bool counts) : range_(range), counts_(counts) {}
  std::string_view type_name() const override { return "builtin_function_or_method"; }
  bool callable() const override { return true; }
  Value call(Runtime& runtime, const CallArguments& arguments) override {
    if (arguments.positional.size() != 1 || !arguments.keywords.empty()) {
      return wrong_type(runtime, "range." + std::string(counts_ ? "count" : "index") + "() takes exactly one argument");
    }
    const Watch watch(runtime);
    const auto index = range_.index_of(runtime, arguments.positional[0]);
    if (counts_) return watch.result(Value::integer(index ? 1 : 0));
    if (index) return watch.result(Value::integer(*index));
    return wrong_value(runtime, runtime.repr(arguments.positional[0]) + " is not in range");
  }

 private:
  const RangeObject& range_;
  bool counts_;
};

// The number of values from start to before stop.
std::uint64_t count_of(const RangeObject::Bounds& bounds) {
  const bool up = bounds.step > 0;
  if (up ? bounds.start >= bounds.stop : bounds.start <= bounds.stop) return 0;
  const auto low = static_cast<std::uint64_t>(up ? bounds.start : bounds.stop);
  const auto high = static_cast<std::uint64_t>(up ? bounds.stop : bounds.start);
  const auto step = up ? static_cast<std::uint64_t>(bounds.step) : 0 - static_cast<std::uint64_t>(bounds.step);
  return (high - low - 1) / step + 1;
}

Value make_range(Runtime& runtime, const RangeObject::Bounds& bounds) {
  if (bounds.step == 0) return wrong_value(runtime, "range() arg 3 must not be zero");
  const std::uint64_t count = count_of(bounds);
  if (!runtime.room_for_items(count)) return Value::error();
  return Value::object(runtime.arena().make<RangeObject>(bounds, static_cast<std::int64_t>(count)));
}

// A part of a slice; values other than whole numbers are rejected with Python's message for all sequences.
std::optional<std::int64_t> slice_index(Runtime& runtime, const Value& given) {
  if (given.is_error() || runtime.whole(given)) return index_argument(runtime, given);
  runtime.fail_as(diag::wrong_type.info, "slice indices must be integers or None or have an __index__ method");
  return std::nullopt;
}

// One bound of a slice after PySlice_AdjustIndices: counted from the front, and within [lowest, highest].
std::optional<std::int64_t> slice_bound(Runtime& runtime, const Value& given, std::int64_t missing, std::int64_t count,
                                        std::pair<std::int64_t, std::int64_t> allowed) {
  if (given.is(Kind::Null)) return missing;
  const auto index = slice_index(runtime, given);
  if (!index) return std::nullopt;
  return std::clamp(*index < 0 ? *index + count : *index, allowed.first, allowed.second);
}

// A slice of a range is a range, with the bounds of CPython's compute_slice.
std::optional<Value> RangeObject::slice(Runtime& runtime, std::span<const Value, 3> given) {
  const auto step = given[2].is(Kind::Null) ? std::optional<std::int64_t>(1) : slice_index(runtime, given[2]);
  if (!step) return Value::error();
  if (*step == 0) return wrong_value(runtime, "slice step cannot be zero");
  const bool up = *step > 0;
  const std::pair<std::int64_t, std::int64_t> allowed =
      up ? std::pair(std::int64_t{0}, count_) : std::pair(std::int64_t{-1}, count_ - 1);
  const auto start = slice_bound(runtime, given[0], up ? allowed.first : allowed.second, count_, allowed);
  if (!start) return Value::error();
  const auto stop = slice_bound(runtime, given[1], up ? allowed.second : allowed.first, count_, allowed);
  if (!stop) return Value::error();
  std::int64_t new_step;
  if (__builtin_mul_overflow(*step, bounds_.step, &new_step)) {
    return wrong_value(runtime, "the step of this slice is beyond 64 bits");
  }
  return make_range(runtime, {at(*start), at(*stop), new_step});
}

std::optional<Value> RangeObject::attribute(Runtime& runtime, const Identifier& name) {
  if (name.text == "start") return Value::integer(bounds_.start);
  if (name.text == "stop") return Value::integer(bounds_.stop);
  if (name.text == "step") return Value::integer(bounds_.step);
  if (name.text == "index" || name.text == "count") {
    return Value::object(runtime.arena().make<RangeMethod>(*this, name.text == "count"));
  }
  return std::nullopt;
}

}  // namespace

Value range_function(Runtime& runtime, const BoundArguments& arguments) {
  const bool only_stop = !arguments.given(1);
  const auto first = index_argument(runtime, arguments[0]);
  const auto second = only_stop ? std::optional<std::int64_t>(0) : index_argument(runtime, arguments[1]);
  const auto step = index_argument(runtime, arguments[2]);
  if (!first || !second || !step) return Value::error();
  return make_range(runtime,
                    only_stop ? RangeObject::Bounds{0, *first, 1} : RangeObject::Bounds{*first, *second, *step});
}

}  // namespace capwright::jinja
