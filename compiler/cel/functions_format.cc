// `"%s has %d".format([…])`: the clauses %s %d %f %e %b %o %x %X, with a precision for %f and %e.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "cel/bodies.h"
#include "cel/text_forms.h"
#include "text/utf8.h"

namespace capwright::cel {
namespace {

constexpr int kUsualPrecision = 6, kMostPrecision = 1000;

struct Clause {
  char kind = 's';
  int precision = kUsualPrecision;
};

// What a nested value is written as inside a list or map.
bool write_nested(const Val& value, std::string& out, Arena& arena);

// False for a kind that has no text.
bool write_plain(const Val& value, std::string& out, Arena& arena) {
  switch (value.kind()) {
    case TypeKind::Null: out += "null"; return true;
    case TypeKind::Type: out += runtime_name(value.as_type()->kind); return true;
    case TypeKind::String: out += value.text(); return true;
    case TypeKind::List:
    case TypeKind::Map: return write_nested(value, out, arena);
    case TypeKind::Int:
    case TypeKind::Uint:
    case TypeKind::Double:
    case TypeKind::Bool:
    case TypeKind::Bytes:
    case TypeKind::Timestamp:
    case TypeKind::Duration: {
      Call call{{&value, 1}, arena};
      const Val text = to_string(call);
      if (text.is_error()) return false;
      out += text.text();
      return true;
    }
    default: return false;
  }
}

std::string go_fixed(double number, int precision) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Inf" : "+Inf";
  return fmt::format("{:.{}f}", number, precision);
}

bool write_list(const Val& list, std::string& out, Arena& arena) {
  out += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i != 0) out += ", ";
    if (!write_nested(list.item(i, arena), out, arena)) return false;
  }
  out += ']';
  return true;
}

bool write_map(const Val& map, std::string& out, Arena& arena) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const Val& key : map.keys(arena)) {
    if (!key.is(TypeKind::String) && !key.is(TypeKind::Bool) && !key.is(TypeKind::Int) && !key.is(TypeKind::Uint))
      return false;
    const std::optional<Val> value = map.find(key, arena);
    auto& entry = entries.emplace_back();
    if (!value || !write_nested(key, entry.first, arena) || !write_nested(*value, entry.second, arena)) return false;
  }
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  out += '{';
  for (std::size_t i = 0; i < entries.size(); ++i)
    out += (i == 0 ? "" : ", ") + entries[i].first + ":" + entries[i].second;
  out += '}';
  return true;
}

bool write_nested(const Val& value, std::string& out, Arena& arena) {
  switch (value.kind()) {
    case TypeKind::List: return write_list(value, out, arena);
    case TypeKind::Map: return write_map(value, out, arena);
    case TypeKind::String: out += quoted(value.text()); return true;
    case TypeKind::Bytes: out += "b" + quoted(value.text()); return true;
    case TypeKind::Timestamp: out += "timestamp(\"" + to_text(value.as_instant()) + "\")"; return true;
    case TypeKind::Duration: out += "duration(\"" + duration_text(value.as_int()) + "\")"; return true;
    case TypeKind::Double: {
      const std::string text = go_fixed(value.as_double(), kUsualPrecision);
      out += std::isfinite(value.as_double()) ? text : quoted(text);
      return true;
    }
    default: return write_plain(value, out, arena);
  }
}

// The number of %f and %e, which also take the names of what no literal can say.
std::optional<double> clause_number(const Val& value) {
  if (value.is(TypeKind::Double)) return value.as_double();
  if (!value.is(TypeKind::String)) return std::nullopt;
  if (value.text() == "NaN") return std::nan("");
  if (value.text() == "Infinity") return HUGE_VAL;
  return value.text() == "-Infinity" ? std::optional(-HUGE_VAL) : std::nullopt;
}

bool write_double(const Val& value, const Clause& clause, std::string& out) {
  const std::optional<double> number = clause_number(value);
  if (!number) return false;
  if (std::isnan(*number)) out += "NaN";
  else if (std::isinf(*number)) out += *number < 0 ? "-∞" : "∞";
  else if (clause.kind == 'f') {
    // As in English: thousands are grouped.
    std::string text = fmt::format("{:.{}f}", *number, clause.precision);
    const std::size_t point = std::min(text.find('.'), text.size()), begin = text[0] == '-' ? 1 : 0;
    for (std::size_t at = point; at > begin + 3;) text.insert(at -= 3, ",");
    out += text;
  } else {
    // As in English: 1.5×10⁰³.
    const std::string text = fmt::format("{:.{}e}", *number, kUsualPrecision);
    constexpr std::string_view kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const std::size_t e = text.find('e');
    std::string shown = text.substr(0, e) + "×10";
    if (text[e + 1] == '-') shown += "⁻";
    for (const char digit : text.substr(e + 2)) shown += kDigits[digit - '0'];
    // The server takes the precision for a width.
    out.append(static_cast<std::size_t>(std::max(0, clause.precision - static_cast<int>(utf8::length(shown)))), ' ');
    out += shown;
  }
  return true;
}

bool write_whole(const Val& value, char kind, std::string& out) {
  const bool hexadecimal = kind == 'x' || kind == 'X';
  if (hexadecimal && (value.is(TypeKind::String) || value.is(TypeKind::Bytes))) {
    for (const char c : value.text()) {
      const auto byte = static_cast<unsigned char>(c);
      out += kind == 'x' ? fmt::format("{:02x}", byte) : fmt::format("{:02X}", byte);
    }
    return true;
  }
  if (kind == 'b' && value.is(TypeKind::Bool)) {
    out += value.as_bool() ? '1' : '0';
    return true;
  }
  if (!value.is(TypeKind::Int) && !value.is(TypeKind::Uint)) return false;
  const bool negative = value.is(TypeKind::Int) && value.as_int() < 0;
  const std::uint64_t magnitude = negative ? ~value.as_uint() + 1 : value.as_uint();
  if (negative) out += '-';
  switch (kind) {
    case 'b': out += fmt::format("{:b}", magnitude); break;
    case 'o': out += fmt::format("{:o}", magnitude); break;
    case 'x': out += fmt::format("{:x}", magnitude); break;
    case 'X': out += fmt::format("{:X}", magnitude); break;
    default: out += std::to_string(magnitude);
  }
  return true;
}

bool write_clause(const Val& value, const Clause& clause, std::string& out, Arena& arena) {
  if (clause.kind == 's') return write_plain(value, out, arena);
  return clause.kind == 'f' || clause.kind == 'e' ? write_double(value, clause, out)
                                                  : write_whole(value, clause.kind, out);
}

// The clause behind a `%`, taken off the text; nothing when it is none.
std::optional<Clause> take_clause(std::string_view& text) {
  Clause clause;
  if (text.starts_with('.')) {
    const auto read = std::from_chars(text.data() + 1, text.data() + text.size(), clause.precision);
    if (read.ec != std::errc() || clause.precision < 0 || clause.precision > kMostPrecision) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  }
  if (text.empty() || std::string_view("sdfebxXo").find(text[0]) == std::string_view::npos) return std::nullopt;
  clause.kind = text[0];
  text.remove_prefix(1);
  return clause;
}

}  // namespace

Val format(Call& call) {
  std::string_view text = call.text(0);
  std::string out;
  for (std::size_t index = 0; !text.empty();) {
    const std::size_t mark = std::min(text.find('%'), text.size());
    out += text.substr(0, mark);
    text.remove_prefix(mark);
    if (text.empty()) break;
    text.remove_prefix(1);
    if (text.starts_with('%')) {
      out += '%';
      text.remove_prefix(1);
      continue;
    }
    if (index >= call.args[1].size())
      return call.fail("the format asks for more than the " + std::to_string(index) + " values of the list");
    const std::optional<Clause> clause = take_clause(text);
    if (!clause) return call.fail("after `%` a format has one of s, d, f, e, b, o, x or X");
    const Val value = call.args[1].item(index, call.arena);
    if (value.is_error()) return value;
    if (!write_clause(value, *clause, out, call.arena)) {
      return call.fail("`%" + std::string(1, clause->kind) + "` can't write " + to_text(value));
    }
    ++index;
  }
  return call.make_text(out);
}

}  // namespace capwright::cel
