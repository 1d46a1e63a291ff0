// Python's bytes, as far as templates use them: only `encode` and `to_bytes` produce them, for reading or decoding.
#pragma once
#include <string_view>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

class Bytes final : public Object {
 public:
  // The view lives as long as the render's Arena.
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  std::string_view bytes() const { return bytes_; }

  std::string_view type_name() const override { return "bytes"; }
  std::optional<std::size_t> length(Runtime&) override { return bytes_.size(); }
  bool truth(Runtime&) override { return !bytes_.empty(); }
  std::optional<Value> attribute(Runtime&, const Identifier&) override;
  std::optional<Value> item(Runtime&, const Value& key) override;
  Iterator* iterate(Runtime&) override;
  void repr(Runtime&, std::string& out) override;
  bool equals(Runtime&, const Value& other) override;

 private:
  std::string_view bytes_;
};

Value make_bytes(Runtime&, std::string_view bytes);  // copies

}  // namespace capwright::jinja
