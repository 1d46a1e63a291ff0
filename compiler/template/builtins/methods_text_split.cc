// str methods that split and join text. Pieces keep the map of their source bytes.
#include <algorithm>

#include "template/builtins/operands.h"
#include "template/builtins/text_parts.h"
#include "text/search.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

// Collects pieces [begin, end) of `self`.
class Pieces {
 public:
  Pieces(Runtime& runtime, const Value& self) : runtime_(runtime), self_(self), pieces_(runtime) {}

  bool add(std::size_t begin, std::size_t end) { return pieces_.add(text_part(runtime_, self_, begin, end)); }
  Value list() { return pieces_.list(); }
  // Reverses pieces that were collected from the right.
  Value reversed() {
    std::reverse(pieces_.items().begin(), pieces_.items().end());
    return pieces_.list();
  }

 private:
  Runtime& runtime_;
  const Value& self_;
  ListBuilder pieces_;
};

std::size_t skip_space(std::string_view text, std::size_t at, bool space) {
  while (at < text.size()) {
    const utf8::CodePoint point = utf8::decode(text, at);
    if (unicode::is_space(point.value) != space) break;
    at += point.size;
  }
  return at;
}
std::size_t skip_space_back(std::string_view text, std::size_t at, bool space) {
  while (at > 0) {
    const std::size_t before = utf8::previous(text, at);
    if (unicode::is_space(utf8::decode(text, before).value) != space) break;
    at = before;
  }
  return at;
}

Value split_at_space(Runtime& runtime, const Value& self, std::uint64_t most) {
  const std::string_view text = self.text();
  Pieces pieces(runtime, self);
  std::size_t at = skip_space(text, 0, true);
  for (; at < text.size() && most > 0; --most) {
    const std::size_t end = skip_space(text, at, false);
    if (!pieces.add(at, end)) return Value::error();
    at = skip_space(text, end, true);
  }
  if (at < text.size() && !pieces.add(at, skip_space_back(text, text.size(), true))) return Value::error();
  return pieces.list();
}

Value split_at_space_from_right(Runtime& runtime, const Value& self, std::uint64_t most) {
  const std::string_view text = self.text();
  Pieces pieces(runtime, self);
  std::size_t at = skip_space_back(text, text.size(), true);
  for (; at > 0 && most > 0; --most) {
    const std::size_t begin = skip_space_back(text, at, false);
    if (!pieces.add(begin, at)) return Value::error();
    at = skip_space_back(text, begin, true);
  }
  if (at > 0 && !pieces.add(skip_space(text, 0, true), at)) return Value::error();
  return pieces.reversed();
}

Value split_at(Runtime& runtime, const Value& self, std::string_view separator, std::uint64_t most) {
  const std::string_view text = self.text();
  Pieces pieces(runtime, self);
  std::size_t at = 0;
  for (; most > 0; --most) {
    const std::size_t found = find_text(text, separator, at);
    if (found == std::string_view::npos) break;
    if (!pieces.add(at, found)) return Value::error();
    at = found + separator.size();
  }
  return pieces.add(at, text.size()) ? pieces.list() : Value::error();
}

Value split_at_from_right(Runtime& runtime, const Value& self, std::string_view separator, std::uint64_t most) {
  const std::string_view text = self.text();
  Pieces pieces(runtime, self);
  const BackwardSearch search(text, separator);
  std::size_t end = text.size();
  for (; most > 0; --most) {
    const std::size_t found = search.before(end);
    if (found == std::string_view::npos) break;
    if (!pieces.add(found + separator.size(), end)) return Value::error();
    end = found;
  }
  return pieces.add(0, end) ? pieces.reversed() : Value::error();
}

Value split(Runtime& runtime, const BoundArguments& arguments, bool from_right) {
  const auto most = index_argument(runtime, arguments[2]);
  if (!most) return Value::error();
  const auto count = *most < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(*most);
  const Value& separator = arguments[1];
  if (separator.is(Kind::Null)) {
    return from_right ? split_at_space_from_right(runtime, arguments[0], count)
                      : split_at_space(runtime, arguments[0], count);
  }
  if (!separator.is(Kind::String)) {
    if (!runtime.usable(separator)) return Value::error();
    return wrong_type(runtime, "must be str or None, not " + std::string(runtime.type_name(separator)));
  }
  if (separator.text().empty()) return wrong_value(runtime, "empty separator");
  return from_right ? split_at_from_right(runtime, arguments[0], separator.text(), count)
                    : split_at(runtime, arguments[0], separator.text(), count);
}

Value partition(Runtime& runtime, const BoundArguments& arguments, bool from_right) {
  const Value& self = arguments[0];
  const auto separator = text_argument(runtime, arguments[1], "separator");
  if (!separator) return Value::error();
  if (separator->empty()) return wrong_value(runtime, "empty separator");
  const std::string_view text = self.text();
  const std::size_t found =
      from_right ? BackwardSearch(text, *separator).before(text.size()) : find_text(text, *separator);
  const std::size_t missing = from_right ? 0 : text.size();
  const std::size_t begin = found == std::string_view::npos ? missing : found;
  const std::size_t end = found == std::string_view::npos ? missing : found + separator->size();
  const Value parts[] = {text_part(runtime, self, 0, begin), text_part(runtime, self, begin, end),
                         text_part(runtime, self, end, text.size())};
  return runtime.tuple(parts);
}

Value stripped(Runtime& runtime, const BoundArguments& arguments, std::string_view name, Sides sides) {
  return strip_text(runtime, arguments[0], arguments[1], sides, name);
}

}  // namespace

Value text_split(Runtime& runtime, const BoundArguments& arguments) { return split(runtime, arguments, false); }
Value text_rsplit(Runtime& runtime, const BoundArguments& arguments) { return split(runtime, arguments, true); }
Value text_partition(Runtime& runtime, const BoundArguments& arguments) { return partition(runtime, arguments, false); }
Value text_rpartition(Runtime& runtime, const BoundArguments& arguments) { return partition(runtime, arguments, true); }

Value text_strip(Runtime& runtime, const BoundArguments& arguments) {
  return stripped(runtime, arguments, "strip", Sides::Both);
}
Value text_lstrip(Runtime& runtime, const BoundArguments& arguments) {
  return stripped(runtime, arguments, "lstrip", Sides::Left);
}
Value text_rstrip(Runtime& runtime, const BoundArguments& arguments) {
  return stripped(runtime, arguments, "rstrip", Sides::Right);
}

Value text_removeprefix(Runtime& runtime, const BoundArguments& arguments) {
  const auto prefix = text_argument(runtime, arguments[1], "removeprefix() argument");
  if (!prefix) return Value::error();
  const std::string_view text = arguments[0].text();
  return text_part(runtime, arguments[0], text.starts_with(*prefix) ? prefix->size() : 0, text.size());
}
Value text_removesuffix(Runtime& runtime, const BoundArguments& arguments) {
  const auto suffix = text_argument(runtime, arguments[1], "removesuffix() argument");
  if (!suffix) return Value::error();
  const std::string_view text = arguments[0].text();
  return text_part(runtime, arguments[0], 0, text.size() - (text.ends_with(*suffix) ? suffix->size() : 0));
}

Value text_splitlines(Runtime& runtime, const BoundArguments& arguments) {
  const auto keep = truth_of(runtime, arguments[1]);
  if (!keep) return Value::error();
  const std::string_view text = arguments[0].text();
  Pieces pieces(runtime, arguments[0]);
  for (std::size_t at = 0; at < text.size();) {
    const LineEnd end = line_end(text, at);
    if (!pieces.add(at, *keep ? end.next : end.end)) return Value::error();
    at = end.next;
  }
  return pieces.list();
}

Value text_join(Runtime& runtime, const BoundArguments& arguments) {
  const Value& self = arguments[0];
  const auto items = items_of(runtime, arguments[1]);
  if (!items) return Value::error();
  TextJoiner joiner(runtime, self);
  for (std::size_t i = 0; i < items->size(); ++i) {
    Value item = (*items)[i];
    if (self.is_markup()) {
      item = runtime.escape(item);
    } else if (!item.is(Kind::String)) {
      if (!runtime.usable(item)) return Value::error();
      return wrong_type(runtime, "sequence item " + std::to_string(i) + ": expected str instance, " +
                                     std::string(runtime.type_name(item)) + " found");
    }
    if (!joiner.add(item)) return Value::error();
  }
  return joiner.text().as_markup(self.is_markup());
}

}  // namespace capwright::jinja
