// The `urlize` filter: turns addresses in a text into links.
#include <algorithm>
#include <array>
#include <set>

#include "base/check.h"
#include "diag/catalog/template_builtins.h"
#include "template/builtins/operands.h"
#include "text/regex.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

Regex compiled(std::string_view pattern, bool ignore_case) {
  RegexOptions options;
  options.dialect = RegexDialect::Python;
  options.ignore_case = ignore_case;
  RegexFault fault;
  auto regex = Regex::compile(pattern, options, fault);
  CW_CHECK(regex.has_value(), fault.message);
  return *std::move(regex);
}

// The definition of a web address: with a scheme or `www.`, any host name; without one, only the classic top-level
// domains; an IP address needs a scheme.
bool is_web_address(std::string_view word) {
  static const Regex regex =
      compiled(R"(^((https?://|www\.)(([\w%-]+\.)+)?([a-z]{2,63}|xn--[\w%]{2,59}))"
               R"(|([\w%-]{2,63}\.)+(com|net|int|edu|gov|org|info|mil))"
               R"(|(https?://)((([\d]{1,3})(\.[\d]{1,3}){3})|(\[([\da-f]{0,4}:){2}([\da-f]{0,4}:?){1,6}\])))"
               R"()(?::[\d]{1,5})?(?:[/?#]\S*)?$)",
               true);
  return regex.matches(word, RegexAnchor::Start);
}

bool is_mail_address(std::string_view word) {
  static const Regex regex = compiled(R"(^\S+@\w[\w.-]*\.\w+$)", false);
  return regex.matches(word, RegexAnchor::Start);
}

bool is_scheme(std::string_view text) {
  static const Regex regex = compiled(R"([\w.+-]{2,}:(/){0,2})", false);
  return regex.matches(text, RegexAnchor::Both);
}

// The size of the brackets and quotes at the start of a word; they aren't part of its link.
std::size_t head_size(std::string_view word) {
  std::size_t size = 0;
  while (true) {
    const std::string_view rest = word.substr(size);
    if (rest.starts_with('(') || rest.starts_with('<')) {
      size += 1;
    } else if (rest.starts_with("&lt;")) {
      size += 4;
    } else {
      return size;
    }
  }
}

// The size of the closing brackets and punctuation at its end.
std::size_t tail_size(std::string_view word) {
  std::size_t size = 0;
  while (size < word.size()) {
    const std::string_view rest = word.substr(0, word.size() - size);
    if (std::string_view(")>.,\n").find(rest.back()) != std::string_view::npos) {
      size += 1;
    } else if (rest.ends_with("&gt;")) {
      size += 4;
    } else {
      break;
    }
  }
  return size;
}

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

struct Word {
  std::string_view head, middle, tail;
};

Word split_word(std::string_view word) {
  const std::size_t head = head_size(word);
  const std::string_view rest = word.substr(head);
  std::size_t middle = rest.size() - tail_size(rest);
  // A bracket that opens inside the address also closes inside it.
  static constexpr std::array<std::array<std::string_view, 2>, 3> kPairs{{{"(", ")"}, {"<", ">"}, {"&lt;", "&gt;"}}};
  for (const auto& [open, close] : kPairs) {
    const std::size_t opened = occurrences(rest.substr(0, middle), open);
    if (opened <= occurrences(rest.substr(0, middle), close)) continue;
    for (std::size_t moved = 0; moved < opened; ++moved) {
      const std::size_t found = rest.find(close, middle);
      if (found == std::string_view::npos) break;
      middle = found + close.size();
    }
  }
  return {word.substr(0, head), rest.substr(0, middle), rest.substr(middle)};
}

// The validated arguments of one call.
struct Links {
  std::string attributes;  // rel and target
  std::optional<std::int64_t> trim;
  std::vector<std::string> schemes;

  std::string shown(std::string_view address) const {
    if (!trim || static_cast<std::int64_t>(utf8::length(address)) <= *trim) return std::string(address);
    const auto length = static_cast<std::int64_t>(utf8::length(address));
    const std::int64_t end = *trim < 0 ? std::max<std::int64_t>(length + *trim, 0) : *trim;
    return std::string(utf8::slice(address, 0, static_cast<std::size_t>(end))) + "...";
  }
  std::string link(std::string_view prefix, std::string_view address) const {
    return "<a href=\"" + std::string(prefix) + std::string(address) + "\"" + attributes + ">" + shown(address) +
           "</a>";
  }
};

std::string linked(std::string_view word, const Links& links) {
  const auto mail = [](std::string_view prefix, std::string_view href, std::string_view shown) {
    return "<a href=\"" + std::string(prefix) + std::string(href) + "\">" + std::string(shown) + "</a>";
  };
  if (is_web_address(word)) {
    const bool with_scheme = word.starts_with("https://") || word.starts_with("http://");
    return links.link(with_scheme ? "" : "https://", word);
  }
  if (word.starts_with("mailto:") && is_mail_address(word.substr(7))) return mail("", word, word.substr(7));
  if (word.find('@') != std::string_view::npos && !word.starts_with("www.") &&
      word.find(':') == std::string_view::npos && is_mail_address(word)) {
    return mail("mailto:", word, word);
  }
  std::string result(word);
  for (const std::string& scheme : links.schemes) {
    if (result == scheme || !result.starts_with(scheme)) continue;
    result = "<a href=\"" + result + "\"" + links.attributes + ">" + result + "</a>";
  }
  return result;
}

std::string relations(std::string_view given, bool nofollow) {
  std::set<std::string> parts{"noopener"};
  if (nofollow) parts.insert("nofollow");
  std::string part;
  for (std::size_t i = 0; i <= given.size();) {
    const utf8::CodePoint point = i < given.size() ? utf8::decode(given, i) : utf8::CodePoint{' ', 1};
    if (unicode::is_space(point.value)) {
      if (!part.empty()) parts.insert(std::exchange(part, {}));
    } else {
      part += given.substr(i, point.size);
    }
    i += point.size;
  }
  std::string joined;
  for (const std::string& each : parts) joined += (joined.empty() ? "" : " ") + each;
  return joined;
}

bool read_schemes(Runtime& runtime, const Value& given, Links& links) {
  const auto truth = truth_of(runtime, given);
  if (!truth || !*truth) return truth.has_value();
  const auto schemes = items_of(runtime, given);
  if (!schemes) return false;
  for (const Value& scheme : *schemes) {
    const auto text = text_argument(runtime, scheme, "a scheme");
    if (!text) return false;
    if (!is_scheme(*text)) {
      runtime.fail(diag::bad_argument, "urlize", runtime.repr(scheme) + " is not a valid URI scheme prefix.");
      return false;
    }
    links.schemes.emplace_back(*text);
  }
  return true;
}

std::optional<Links> read_links(Runtime& runtime, const BoundArguments& arguments) {
  Links links;
  if (!arguments[1].is(Kind::Null)) {
    links.trim = index_argument(runtime, arguments[1]);
    if (!links.trim) return std::nullopt;
  }
  const auto nofollow = truth_of(runtime, arguments[2]);
  const auto has_target = truth_of(runtime, arguments[3]);
  const auto has_rel = truth_of(runtime, arguments[4]);
  if (!nofollow || !has_target || !has_rel || !read_schemes(runtime, arguments[5], links)) return std::nullopt;
  const auto rel = *has_rel ? text_argument(runtime, arguments[4], "`rel`") : std::optional<std::string_view>("");
  if (!rel) return std::nullopt;
  const Value escaped_rel = runtime.escape(runtime.string(relations(*rel, *nofollow)));
  links.attributes = " rel=\"" + std::string(escaped_rel.text()) + "\"";
  if (*has_target) {
    const Value target = runtime.escape(arguments[3]);
    if (target.is_error()) return std::nullopt;
    links.attributes += " target=\"" + std::string(target.text()) + "\"";
  }
  return links;
}

}  // namespace

Value urlize_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto links = read_links(runtime, arguments);
  const Value escaped = links ? runtime.escape(arguments[0]) : Value::error();
  if (escaped.is_error()) return escaped;
  const std::string_view text = escaped.text();
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && !unicode::is_space(utf8::decode(text, end).value)) end += utf8::decode(text, end).size;
    const Word word = split_word(text.substr(at, end - at));
    out.append(word.head).append(linked(word.middle, *links)).append(word.tail);
    at = end;
    while (at < text.size() && unicode::is_space(utf8::decode(text, at).value)) {
      const std::size_t size = utf8::decode(text, at).size;
      out += text.substr(at, size);
      at += size;
    }
    if (!runtime.step() || !runtime.room_for_text(out.size())) return Value::error();
  }
  return text_result(runtime, out, runtime.autoescape);
}

}  // namespace capwright::jinja
