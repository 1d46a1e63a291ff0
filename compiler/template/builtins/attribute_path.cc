// Follows an attribute path by the rules of Jinja2's `[]`.
#include "template/builtins/attribute_path.h"

#include <vector>

#include "text/python_text.h"
#include "text/unicode.h"

namespace capwright::jinja {
namespace {

bool is_all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Value key_of(Runtime& runtime, std::string_view part) {
  if (is_all_digits(part)) {
    const auto number = python::parse_int(part);
    if (const auto index = number ? number->value() : std::nullopt) return Value::integer(*index);
  }
  return make_key(runtime.arena(), part);
}

}  // namespace

AttributePath::AttributePath(Runtime& runtime, const Value& attribute) : runtime_(runtime) {
  runtime.look_at(attribute);
  std::vector<Value> keys;
  if (attribute.is(Kind::String)) {
    std::string_view rest = attribute.text();
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      keys.push_back(key_of(runtime, rest.substr(0, dot)));
      rest.remove_prefix(dot + 1);
    }
    keys.push_back(key_of(runtime, rest));
  } else if (!attribute.is(Kind::Null)) {
    keys.push_back(attribute);
  }
  keys_ = runtime.arena().copy(keys);
}

Value AttributePath::of(const Value& item, const Value& fallback) const {
  Value at = item;
  for (const Value& key : keys_) {
    at = runtime_.item(at, key);
    if (at.is(Kind::Undefined) && !fallback.is(Kind::Null)) at = fallback;
  }
  return at;
}

Value without_case(Runtime& runtime, const Value& value) {
  if (!value.is(Kind::String)) return value;
  if (!runtime.step(value.text().size() / 16)) return Value::error();
  return runtime.derived(runtime.string(unicode::lower(value.text())), value);
}

}  // namespace capwright::jinja
