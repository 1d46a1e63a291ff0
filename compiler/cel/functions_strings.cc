// Functions of strings. Positions and sizes count code points.
#include <algorithm>

#include "cel/function.h"
#include "text/search.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::cel {
namespace {

Val out_of_range(Call& call, std::int64_t index, std::size_t size) {
  return call.fail("position " + std::to_string(index) + " is outside the string's " + std::to_string(size) +
                   " characters");
}

std::int64_t as_index(std::size_t index) { return static_cast<std::int64_t>(index); }

std::string with_ascii_case(std::string_view text, char from, char to, int shift) {
  std::string out(text);
  for (char& c : out) c = c >= from && c <= to ? static_cast<char>(c + shift) : c;
  return out;
}

// A list of texts that stops at the memory limit.
class Texts {
 public:
  explicit Texts(Call& call) : call_(call) {}

  void add(std::string_view text) {
    if (call_.bounds.has_room((texts_.size() + 1) * sizeof(Val)) && call_.bounds.step())
      texts_.push_back(call_.make_text(text));
    else is_full_ = true;
  }
  bool is_full() const { return is_full_; }
  std::int64_t size() const { return static_cast<std::int64_t>(texts_.size()); }
  Val list() const { return is_full_ ? call_.stopped() : make_list(texts_, call_.arena); }

 private:
  Call& call_;
  std::vector<Val> texts_;
  bool is_full_ = false;
};

// Pieces between separators, at most `most` (negative: all). An empty separator splits into characters.
Val pieces(Call& call, std::int64_t most) {
  std::string_view text = call.text(0);
  const std::string_view separator = call.text(1);
  Texts out(call);
  if (most == 0) return out.list();
  const auto room = [&] { return !out.is_full() && (most < 0 || out.size() + 1 < most); };
  if (separator.empty()) {
    while (!text.empty() && room()) {
      const std::size_t size = utf8::decode(text, 0).size;
      if (size == text.size()) break;
      out.add(text.substr(0, size));
      text.remove_prefix(size);
    }
    if (!text.empty()) out.add(text);
    return out.list();
  }
  while (room()) {
    const std::size_t at = find_text(text, separator);
    if (at == std::string_view::npos) break;
    out.add(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  out.add(text);
  return out.list();
}

Val replaced(Call& call, std::int64_t most) {
  const std::string_view text = call.text(0), from = call.text(1), to = call.text(2);
  std::string out;
  std::int64_t count = 0;
  std::size_t at = 0;
  const auto has_room = [&] { return call.bounds.has_room(out.size() + to.size() + text.size() - at); };
  const auto with_rest = [&] { return has_room() ? call.make_text(out.append(text.substr(at))) : call.stopped(); };
  if (from.empty()) {
    // Inserts between all characters, and at both ends.
    while ((most < 0 || count++ < most) && has_room()) {
      out += to;
      if (at == text.size()) break;
      const std::size_t size = utf8::decode(text, at).size;
      out += text.substr(at, size);
      at += size;
    }
    return with_rest();
  }
  while ((most < 0 || count++ < most) && has_room()) {
    const std::size_t found = find_text(text, from, at);
    if (found == std::string_view::npos) break;
    out += text.substr(at, found - at);
    out += to;
    at = found + from.size();
  }
  return with_rest();
}

// Steps for one instruction of a compiled pattern, and for a pattern that RE2 gave up on at its limit of memory.
// `[\pL]{300}` compiles in half a second, and counts as a tenth of what an evaluation may do.
constexpr std::uint64_t kStepsOfInstruction = 40, kStepsOfRejectedPattern = 5'000'000;

// Compiles the argument unless the pattern was a literal; empty, with an error in `fault`, if it is invalid.
std::optional<Regex> pattern(Call& call, Val& fault) {
  if (call.regex != nullptr) return *call.regex;
  RegexFault why;
  std::optional<Regex> regex = Regex::compile(call.text(1), {.dialect = RegexDialect::Re2}, why);
  call.bounds.step(regex ? regex->size() * kStepsOfInstruction : kStepsOfRejectedPattern);
  if (!regex) fault = call.fail(to_text(call.args[1]) + " isn't a valid regular expression: " + why.message);
  return regex;
}

}  // namespace

Val string_contains(Call& call) {
  return Val::boolean(find_text(call.text(0), call.text(1)) != std::string_view::npos);
}
Val starts_with(Call& call) { return Val::boolean(call.text(0).starts_with(call.text(1))); }
Val ends_with(Call& call) { return Val::boolean(call.text(0).ends_with(call.text(1))); }

Val matches(Call& call) {
  Val fault;
  const std::optional<Regex> regex = pattern(call, fault);
  return regex ? Val::boolean(regex->matches(call.text(0))) : fault;
}

Val find(Call& call) {
  Val fault;
  const std::optional<Regex> regex = pattern(call, fault);
  if (!regex) return fault;
  const std::optional<RegexMatch> match = regex->find(call.text(0));
  return call.make_text(match ? match->front().in(call.text(0)) : "");
}

Val find_all(Call& call) {
  Val fault;
  const std::optional<Regex> regex = pattern(call, fault);
  if (!regex) return fault;
  const std::int64_t most = call.args.size() == 3 ? call.args[2].as_int() : -1;
  const std::string_view text = call.text(0);
  Texts found(call);
  std::size_t from = 0, last_end = static_cast<std::size_t>(-1);
  while (from <= text.size() && !found.is_full() && (most < 0 || found.size() < most)) {
    const std::optional<RegexMatch> match = regex->find(text, from);
    if (!match) break;
    const RegexGroup whole = match->front();
    // Go drops an empty match that is adjacent to the previous one.
    if (whole.begin != whole.end || whole.begin != last_end) found.add(whole.in(text));
    last_end = whole.end;
    from = whole.end;
    if (whole.begin == whole.end) from += from < text.size() ? utf8::decode(text, from).size : 1;
  }
  return found.list();
}

Val char_at(Call& call) {
  const std::int64_t index = call.args[1].as_int();
  const std::size_t size = utf8::length(call.text(0));
  if (index < 0 || index > as_index(size)) return out_of_range(call, index, size);
  const auto at = static_cast<std::size_t>(index);
  return call.make_text(utf8::slice(call.text(0), at, at + 1));
}

Val string_index_of(Call& call) {
  const std::string_view text = call.text(0), part = call.text(1);
  const std::int64_t from = call.args.size() == 3 ? call.args[2].as_int() : 0;
  const std::size_t size = utf8::length(text);
  if (from < 0) return out_of_range(call, from, size);
  if (part.empty()) return Val::integer(std::min(from, as_index(size)));
  if (from >= as_index(size)) return Val::integer(-1);
  const std::size_t found = find_text(text, part, utf8::byte_offset(text, static_cast<std::size_t>(from)));
  return Val::integer(found == std::string_view::npos ? -1 : as_index(utf8::length(text.substr(0, found))));
}

Val string_last_index_of(Call& call) {
  const std::string_view text = call.text(0), part = call.text(1);
  const std::size_t size = utf8::length(text);
  const bool bounded = call.args.size() == 3;
  const std::int64_t last = bounded ? call.args[2].as_int() : as_index(size) - 1;
  if (bounded && last < 0) return out_of_range(call, last, size);
  if (part.empty()) return Val::integer(bounded ? std::min(last, as_index(size)) : as_index(size));
  if (text.size() < part.size() || last >= as_index(size)) return Val::integer(-1);
  const std::size_t end = utf8::byte_offset(text, static_cast<std::size_t>(last) + utf8::length(part));
  const std::size_t found = BackwardSearch(text, part).before(end);
  return Val::integer(found == std::string_view::npos ? -1 : as_index(utf8::length(text.substr(0, found))));
}

Val lower_ascii(Call& call) { return call.make_text(with_ascii_case(call.text(0), 'A', 'Z', 'a' - 'A')); }
Val upper_ascii(Call& call) { return call.make_text(with_ascii_case(call.text(0), 'a', 'z', 'A' - 'a')); }

Val replace(Call& call) { return replaced(call, call.args.size() == 4 ? call.args[3].as_int() : -1); }

Val split(Call& call) { return pieces(call, call.args.size() == 3 ? call.args[2].as_int() : -1); }

Val substring(Call& call) {
  const std::size_t size = utf8::length(call.text(0));
  const std::int64_t begin = call.args[1].as_int();
  const std::int64_t end = call.args.size() == 3 ? call.args[2].as_int() : as_index(size);
  if (call.args.size() == 3 && begin > end) {
    return call.fail("the range ends at " + std::to_string(end) + ", before it begins at " + std::to_string(begin));
  }
  if (begin < 0 || begin > as_index(size)) return out_of_range(call, begin, size);
  if (end > as_index(size)) return out_of_range(call, end, size);
  return call.make_text(utf8::slice(call.text(0), static_cast<std::size_t>(begin), static_cast<std::size_t>(end)));
}

Val trim(Call& call) {
  const auto is_space = [](char32_t c) { return unicode::is_space(c) && !(c >= 0x1c && c <= 0x1f); };
  std::string_view text = call.text(0);
  while (!text.empty()) {
    const utf8::CodePoint first = utf8::decode(text, 0);
    if (!is_space(first.value)) break;
    text.remove_prefix(first.size);
  }
  while (!text.empty()) {
    const std::size_t last = utf8::previous(text, text.size());
    if (!is_space(utf8::decode(text, last).value)) break;
    text = text.substr(0, last);
  }
  return call.make_text(text);
}

Val join(Call& call) {
  const std::string_view separator = call.args.size() == 2 ? call.text(1) : std::string_view();
  std::string out;
  for (std::size_t i = 0; i < call.args[0].size(); ++i) {
    const Val item = call.args[0].item(i, call.arena);
    if (!item.is(TypeKind::String))
      return call.fail("only strings are joined, and element " + std::to_string(i) + " is " + to_text(item));
    if (!call.bounds.step() || !call.bounds.has_room(out.size() + separator.size() + item.text().size()))
      return call.stopped();
    if (i != 0) out += separator;
    out += item.text();
  }
  return call.make_text(out);
}

Val quote(Call& call) {
  constexpr std::string_view kFrom = "\a\b\f\n\r\t\v\\\"", kTo = "abfnrtv\\\"";
  std::string out = "\"";
  for (const char c : call.text(0)) {
    const std::size_t at = kFrom.find(c);
    if (at == std::string_view::npos || c == '\0') out += c;
    else out += {'\\', kTo[at]};
  }
  return call.make_text(out + "\"");
}

}  // namespace capwright::cel
