// The global functions: cycler, dict, joiner, lipsum, namespace. `range` is in range.cc.
#include "diag/catalog/template_builtins.h"
#include "template/builtins/methods.h"
#include "template/builtins/operands.h"
#include "template/runtime/objects.h"

namespace capwright::jinja {
namespace {

// A new dict from the arguments of dict() and namespace(); Error if an error is reported.
Value dict_of_arguments(Runtime& runtime, const BoundArguments& arguments) {
  // dict() reads the attribute `keys`, which an undefined value doesn't have.
  if (arguments.given(0) && arguments[0].is(Kind::Undefined)) return runtime.fail_undefined(arguments[0]);
  const Value map = runtime.dict();
  if (arguments.given(0) && !update_dict(runtime, map, arguments[0])) return Value::error();
  return update_dict(runtime, map, arguments.rest_keywords) ? map : Value::error();
}

// A bound method of one of our objects.
template <class Owner>
class ObjectMethod final : public Object {
 public:
  using Function = Value (Owner::*)(Runtime&);
  ObjectMethod(Owner& owner, Function function) : owner_(owner), function_(function) {}
  std::string_view type_name() const override { return "method"; }
  bool callable() const override { return true; }
  Value call(Runtime& runtime, const CallArguments& arguments) override {
    if (!arguments.positional.empty() || !arguments.keywords.empty()) {
      return runtime.fail(diag::too_many_arguments, "method", "no arguments",
                          arguments.positional.size() + arguments.keywords.size());
    }
    return (owner_.*function_)(runtime);
  }

 private:
  Owner& owner_;
  Function function_;
};

class Cycler final : public Object {
 public:
  explicit Cycler(std::span<const Value> items) : items_(items) {}
  std::string_view type_name() const override { return "Cycler"; }
  std::optional<Value> attribute(Runtime& runtime, const Identifier& name) override {
    if (name.text == "current") return items_[at_];
    if (name.text == "pos") return Value::integer(static_cast<std::int64_t>(at_));
    if (name.text == "items") return runtime.tuple(items_);
    if (name.text == "next" || name.text == "__next__") return method(runtime, &Cycler::next);
    if (name.text == "reset") return method(runtime, &Cycler::reset);
    return std::nullopt;
  }

 private:
  Value method(Runtime& runtime, ObjectMethod<Cycler>::Function function) {
    return Value::object(runtime.arena().make<ObjectMethod<Cycler>>(*this, function));
  }
  Value next(Runtime&) {
    const Value item = items_[at_];
    at_ = (at_ + 1) % items_.size();
    return item;
  }
  Value reset(Runtime&) {
    at_ = 0;
    return Value::null();
  }

  std::span<const Value> items_;
  std::size_t at_ = 0;
};

class Joiner final : public Object {
 public:
  explicit Joiner(const Value& separator) : separator_(separator) {}
  std::string_view type_name() const override { return "Joiner"; }
  bool callable() const override { return true; }
  Value call(Runtime& runtime, const CallArguments& arguments) override {
    if (!arguments.positional.empty() || !arguments.keywords.empty()) {
      return runtime.fail(diag::too_many_arguments, "joiner", "no arguments",
                          arguments.positional.size() + arguments.keywords.size());
    }
    if (used_) return separator_;
    used_ = true;
    return runtime.string("");
  }
  std::optional<Value> attribute(Runtime&, const Identifier& name) override {
    if (name.text == "sep") return separator_;
    if (name.text == "used") return Value::boolean(used_);
    return std::nullopt;
  }

 private:
  Value separator_;
  bool used_ = false;
};

// `number` words of filler, always the same ones.
std::string filler(std::int64_t number) {
  static constexpr std::string_view kWords[] = {"lorem", "ipsum", "dolor", "sit", "amet", "elit", "magna", "nisi"};
  std::string text;
  for (std::int64_t i = 0; i < number; ++i) text.append(i == 0 ? "" : " ").append(kWords[i % 8]);
  if (!text.empty()) text[0] = 'L';
  return text + ".";
}

}  // namespace

Value lipsum_function(Runtime& runtime, const BoundArguments& arguments) {
  if (!runtime.allow_random) return runtime.fail(diag::lipsum_refused);
  const auto paragraphs = index_argument(runtime, arguments[0]);
  const auto html = truth_of(runtime, arguments[1]);
  const auto words = index_argument(runtime, arguments[2]);
  if (!paragraphs || !html || !words) return Value::error();
  if (!runtime.room_for_text(static_cast<std::uint64_t>(std::max<std::int64_t>(*words, 0)) * 8)) return Value::error();
  std::string out;
  for (std::int64_t i = 0; i < *paragraphs; ++i) {
    if (i > 0) out += *html ? "\n" : "\n\n";
    out.append(*html ? "<p>" : "").append(filler(*words)).append(*html ? "</p>" : "");
    if (!runtime.step(static_cast<std::uint64_t>(std::max<std::int64_t>(*words, 1))) ||
        !runtime.room_for_text(out.size())) {
      return Value::error();
    }
  }
  return text_result(runtime, out, *html);
}

Value cycler_function(Runtime& runtime, const BoundArguments& arguments) {
  if (arguments.rest.empty()) return runtime.fail(diag::bad_argument, "cycler", "at least one item has to be provided");
  return Value::object(runtime.arena().make<Cycler>(runtime.arena().copy(arguments.rest)));
}

Value joiner_function(Runtime& runtime, const BoundArguments& arguments) {
  return Value::object(runtime.arena().make<Joiner>(arguments[0]));
}

Value dict_function(Runtime& runtime, const BoundArguments& arguments) { return dict_of_arguments(runtime, arguments); }

Value namespace_function(Runtime& runtime, const BoundArguments& arguments) {
  const Value attributes = dict_of_arguments(runtime, arguments);
  if (attributes.is_error()) return attributes;
  return Value::object(runtime.arena().make<Namespace>(attributes));
}

}  // namespace capwright::jinja
