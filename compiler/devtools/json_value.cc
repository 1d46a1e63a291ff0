// nlohmann's event parser, building Values bottom up.
#include "devtools/json_value.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "template/runtime/objects.h"

namespace capwright::devtools {
namespace {

class ValueBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit ValueBuilder(Arena& arena) : arena_(arena) {}
  const Value& root() const { return root_; }

  bool null() override { return add(Value::null()); }
  bool boolean(bool value) override { return add(Value::boolean(value)); }
  bool number_integer(number_integer_t value) override { return add(Value::integer(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value <= INT64_MAX) return add(Value::integer(static_cast<std::int64_t>(value)));
    return add(large(std::to_string(value)));
  }
  bool number_float(number_float_t value, const string_t& written) override {
    const bool whole = written.find_first_of(".eE") == std::string::npos;
    return add(whole ? large(written) : Value::floating(value));
  }
  bool string(string_t& value) override { return add(make_string(arena_, value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    open_.emplace_back();
    return true;
  }
  bool start_array(std::size_t) override {
    open_.emplace_back();
    return true;
  }
  bool key(string_t& name) override {
    open_.back().key = make_key(arena_, name);
    return true;
  }
  bool end_object() override {
    const Value map = make_map(arena_, open_.back().entries);
    open_.pop_back();
    return add(map);
  }
  bool end_array() override {
    const Value list = make_list(arena_, open_.back().items);
    open_.pop_back();
    return add(list);
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  struct Container {
    Value key;
    std::vector<Entry> entries;
    std::vector<Value> items;
  };

  Value large(std::string_view written) {
    const bool negative = written.starts_with('-');
    const auto number = jinja::BigInteger::from_digits(written.substr(negative ? 1 : 0), 10, negative);
    return Value::object(arena_.make<jinja::BigIntegerObject>(arena_.copy(number.limbs()), negative));
  }

  bool add(const Value& value) {
    if (open_.empty()) {
      root_ = value;
      return true;
    }
    Container& container = open_.back();
    if (!container.key.is(Kind::String)) {
      container.items.push_back(value);
      return true;
    }
    for (Entry& entry : container.entries) {
      if (entry.key.text() != container.key.text()) continue;
      entry.value = value;
      return true;
    }
    container.entries.push_back({container.key, value});
    return true;
  }

  Arena& arena_;
  std::vector<Container> open_;
  Value root_ = Value::error();
};

}  // namespace

Value json_value(std::string_view text, Arena& arena) {
  ValueBuilder builder(arena);
  return nlohmann::json::sax_parse(text, &builder) ? builder.root() : Value::error();
}

}  // namespace capwright::devtools
