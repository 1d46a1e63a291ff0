// Views of bytes: as numbers, as hexadecimal digits, as the text they encode.
#include "template/builtins/bytes.h"

#include "template/runtime/objects.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

Value number_at(std::string_view bytes, std::size_t index) {
  return Value::integer(static_cast<unsigned char>(bytes[index]));
}

class ByteIterator final : public Iterator {
 public:
  explicit ByteIterator(std::string_view bytes) : bytes_(bytes) {}
  bool next(Runtime&, Value& item) override {
    if (at_ == bytes_.size()) return false;
    item = number_at(bytes_, at_++);
    return true;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

std::string hex_digits(std::string_view bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kHex[byte >> 4];
    out += kHex[byte & 0xF];
  }
  return out;
}

// `b.decode()` and `b.hex()`.
class BytesMethod final : public Object {
 public:
  BytesMethod(std::string_view bytes, bool decodes) : bytes_(bytes), decodes_(decodes) {}
  std::string_view type_name() const override { return "builtin_function_or_method"; }
  bool callable() const override { return true; }
  Value call(Runtime& runtime, const CallArguments&) override {
    return runtime.string(decodes_ ? std::string(bytes_) : hex_digits(bytes_));
  }

 private:
  std::string_view bytes_;
  bool decodes_;
};

}  // namespace

std::optional<Value> Bytes::attribute(Runtime& runtime, const Identifier& name) {
  if (name.text != "decode" && name.text != "hex") return std::nullopt;
  return Value::object(runtime.arena().make<BytesMethod>(bytes_, name.text == "decode"));
}

std::optional<Value> Bytes::item(Runtime&, const Value& key) {
  if (!key.is(Kind::Int)) return std::nullopt;
  const auto size = static_cast<std::int64_t>(bytes_.size());
  const std::int64_t index = key.as_int() < 0 ? key.as_int() + size : key.as_int();
  if (index < 0 || index >= size) return std::nullopt;
  return number_at(bytes_, static_cast<std::size_t>(index));
}

Iterator* Bytes::iterate(Runtime& runtime) { return runtime.arena().make<ByteIterator>(bytes_); }
void Bytes::repr(Runtime&, std::string& out) { out += python::bytes_repr(bytes_); }

bool Bytes::equals(Runtime&, const Value& other) {
  const auto* bytes = as<Bytes>(other);
  return bytes != nullptr && bytes->bytes_ == bytes_;
}

Value make_bytes(Runtime& runtime, std::string_view bytes) {
  return Value::object(runtime.arena().make<Bytes>(runtime.arena().text(bytes)));
}

}  // namespace capwright::jinja
