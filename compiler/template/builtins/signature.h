// The parameters of a builtin, in the syntax of Python's `def`, and the binding of a call's arguments. Signatures are
// parsed when capwright is compiled.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "template/builtins/builtin.h"
#include "template/runtime/runtime.h"

namespace capwright::jinja {

inline constexpr std::size_t kMostParameters = 8;

struct BuiltinParameter {
  std::string_view name;
  bool required = true;
  bool by_position = true;
  bool by_keyword = true;
  bool is_text = false;  // the default is `text`, otherwise `fallback`
  Text text{"", 0, 0, nullptr};
  Value fallback;

  Value default_value() const { return is_text ? Value::string(&text) : fallback; }
};

struct Signature {
  std::array<BuiltinParameter, kMostParameters> parameters;
  std::uint8_t count = 0;
  bool takes_rest = false;           // *args
  bool takes_rest_keywords = false;  // **kwargs
};

namespace signature_text {

// Reads one signature; an invalid one is a compile error.
class Reader {
 public:
  consteval explicit Reader(std::string_view text) : text_(text) {}

  consteval Signature read() {
    Signature result;
    bool by_position = true;
    while (skip_spaces(), at_ < text_.size()) {
      if (take("**")) {
        word();
        result.takes_rest_keywords = true;
      } else if (take("*")) {
        result.takes_rest = !word().empty();
        by_position = false;
      } else if (take("/")) {
        for (std::size_t i = 0; i < result.count; ++i) result.parameters[i].by_keyword = false;
      } else {
        result.parameters.at(result.count++) = parameter(by_position);
      }
      skip_spaces();
      if (!take(",") && at_ != text_.size()) throw "expected a comma";
    }
    return result;
  }

 private:
  consteval void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  consteval bool take(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  static consteval bool is_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }
  consteval std::string_view word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  consteval BuiltinParameter parameter(bool by_position) {
    BuiltinParameter result;
    result.name = word();
    result.by_position = by_position;
    if (result.name.empty()) throw "expected a name";
    if (take("=")) {
      result.required = false;
      fallback(result);
    }
    return result;
  }
  consteval void fallback(BuiltinParameter& out) {
    if (take("'")) {
      const std::size_t end = text_.find('\'', at_);
      out.is_text = true;
      out.text = Text{text_.data() + at_, static_cast<std::uint32_t>(end - at_), 0, nullptr};
      at_ = end + 1;
    } else if (take("none")) {
      out.fallback = Value::null();
    } else if (take("true")) {
      out.fallback = Value::boolean(true);
    } else if (take("false")) {
      out.fallback = Value::boolean(false);
    } else {
      out.fallback = number();
    }
  }
  consteval Value number() {
    const bool negative = take("-");
    std::int64_t whole = 0;
    if (at_ == text_.size() || text_[at_] < '0' || text_[at_] > '9') throw "expected a default";
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) whole = whole * 10 + (text_[at_] - '0');
    if (take(".0")) return Value::floating(static_cast<double>(negative ? -whole : whole));
    return Value::integer(negative ? -whole : whole);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace signature_text

consteval Signature parse_signature(std::string_view text) { return signature_text::Reader(text).read(); }

// Room for the arguments of one call.
struct Binding {
  std::array<Value, kMostParameters> values;
  std::uint32_t given = 0;
  std::uint8_t count = 0;
  std::span<const Value> rest;
  std::span<const KeywordArgument> rest_keywords;  // in the Arena if they are only some of the keywords

  BoundArguments arguments() const {
    BoundArguments bound({values.data(), count}, given);
    bound.rest = rest;
    bound.rest_keywords = rest_keywords;
    return bound;
  }
};

// The builtin that is called.
struct Callee {
  std::string_view name;  // for messages
  const Signature& signature;
  std::size_t operands = 0;  // leading arguments that messages don't count: a filter's operand, a method's self
};

// Binds arguments as Python does. False, and reported, if they don't match.
bool bind(Runtime&, const Callee&, const CallArguments&, Binding& out);

}  // namespace capwright::jinja
