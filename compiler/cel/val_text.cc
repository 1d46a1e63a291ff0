// Formats values for messages.
#include "cel/named_format.h"
#include "cel/quantity.h"
#include "cel/semver.h"
#include "cel/text_forms.h"
#include "cel/url.h"
#include "cel/val.h"
#include "text/utf8.h"

namespace capwright::cel {
namespace {

class Writer {
 public:
  explicit Writer(std::size_t most) : most_(most) {}

  std::string run(const Val& value) {
    write(value);
    if (text_.size() <= most_) return std::move(text_);
    std::size_t end = most_;
    while (end > 0 && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80) --end;
    return text_.substr(0, end) + "…";
  }

 private:
  // Whether the text is long enough to be truncated, so that nothing needs to be added.
  bool full() const { return text_.size() > most_; }

  // The part that can be visible: quoting never makes a character shorter.
  std::string_view shown(std::string_view text) const {
    if (text.size() <= most_) return text;
    constexpr std::size_t kMostContinuations = 3;  // of a code point in UTF-8
    std::size_t end = most_ + 1;
    while (end < text.size() && end <= most_ + kMostContinuations &&
           (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
      ++end;
    return text.substr(0, end);
  }

  void write_call(std::string_view name, std::string_view argument) {
    text_ += name;
    text_ += "(" + quoted(argument) + ")";
  }

  void write_list(const Val& list) {
    text_ += '[';
    for (std::size_t i = 0; i < list.size() && !full(); ++i) {
      if (i != 0) text_ += ", ";
      write(list.item(i, arena_));
    }
    text_ += ']';
  }

  void write_map(const Val& map) {
    text_ += '{';
    bool first = true;
    for (const Val& key : map.keys(arena_)) {
      if (full()) break;
      if (!first) text_ += ", ";
      first = false;
      write(key);
      text_ += ": ";
      if (const std::optional<Val> value = map.find(key, arena_)) write(*value);
      else text_ += "null";
    }
    text_ += '}';
  }

  void write_data(const Value& data) {
    const Val plain = from_data(data, nullptr, arena_);
    if (plain.is_error()) text_ += kind_name(data.kind());
    else write(plain);
  }

  void write_number(const Val& value) {
    if (value.is(TypeKind::Int)) text_ += std::to_string(value.as_int());
    else if (value.is(TypeKind::Uint)) text_ += std::to_string(value.as_uint()) + "u";
    else {
      const std::string digits = double_text(value.as_double());
      text_ += digits.find_first_not_of("-0123456789") == std::string::npos ? digits + ".0" : digits;
    }
  }

  void write(const Val& value) {
    if (value.tainted()) {
      text_ += "<secret>";
      return;
    }
    switch (value.kind()) {
      case TypeKind::Null: text_ += "null"; break;
      case TypeKind::Bool: text_ += value.as_bool() ? "true" : "false"; break;
      case TypeKind::Int:
      case TypeKind::Uint:
      case TypeKind::Double: write_number(value); break;
      case TypeKind::String: text_ += quoted(shown(value.text())); break;
      case TypeKind::Bytes: text_ += "b" + quoted(shown(value.text())); break;
      case TypeKind::List: write_list(value); break;
      case TypeKind::Map: write_map(value); break;
      case TypeKind::Dyn: write_data(value.data()); break;
      case TypeKind::Type: text_ += runtime_name(value.as_type()->kind); break;
      default: write_other(value);
    }
  }

  void write_other(const Val& value) {
    switch (value.kind()) {
      case TypeKind::Duration: write_call("duration", duration_text(value.as_int())); break;
      case TypeKind::Timestamp: write_call("timestamp", to_text(value.as_instant())); break;
      case TypeKind::Ip: write_call("ip", address_text(value.network().address)); break;
      case TypeKind::Cidr: write_call("cidr", network_text(value.network())); break;
      case TypeKind::Quantity: write_call("quantity", to_text(value.as_quantity())); break;
      case TypeKind::Url: write_call("url", to_text(value.as_url())); break;
      case TypeKind::Semver: write_call("semver", to_text(value.as_semver())); break;
      case TypeKind::Format: text_ += "format." + std::string(value.as_format().function) + "()"; break;
      case TypeKind::Optional:
        if (value.inner() == nullptr) {
          text_ += "optional.none()";
          break;
        }
        text_ += "optional.of(";
        write(*value.inner());
        text_ += ')';
        break;
      default: text_ += "an error";
    }
  }

  std::size_t most_;
  std::string text_;
  Arena arena_;
};

}  // namespace

std::string to_text(const Val& value, std::size_t most) { return Writer(most).run(value); }

}  // namespace capwright::cel
