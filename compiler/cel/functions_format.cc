// `"%s has %d".format([…])`: the clauses %s %d %f %e %b %o %x %X, with a precision for %f and %e.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "cel/function.h"
#include "cel/text_forms.h"
#include "text/utf8.h"

namespace capwright::cel {
namespace {

constexpr int kUsualPrecision = 6, kMostPrecision = 1000;

struct Clause {
  char kind = 's';
  int precision = kUsualPrecision;
};

// Appends to texts up to the limit on everything that one call writes, including the parts of maps.
class BoundedOutput {
 public:
  explicit BoundedOutput(Bounds& bounds) : bounds_(bounds) {}

  Bounds& bounds() { return bounds_; }
  Arena& arena() { return bounds_.arena(); }
  bool has(std::size_t bytes) { return bounds_.step() && bounds_.has_room(written_ + bytes); }
  bool add(std::string& out, std::string_view text) {
    if (!has(text.size())) return false;
    written_ += text.size();
    out += text;
    return true;
  }
  bool add_quoted(std::string& out, std::string_view text) { return has(text.size()) && add(out, quoted(text)); }

 private:
  Bounds& bounds_;
  std::size_t written_ = 0;
};

// Formats a value nested in a list or map.
bool write_nested(const Val& value, std::string& out, BoundedOutput& output);

// False for a kind without a text form, and beyond the limit.
bool write_plain(const Val& value, std::string& out, BoundedOutput& output) {
  switch (value.kind()) {
    case TypeKind::Null: return output.add(out, "null");
    case TypeKind::Type: return output.add(out, runtime_name(value.as_type()->kind));
    case TypeKind::String: return output.add(out, value.text());
    case TypeKind::List:
    case TypeKind::Map: return write_nested(value, out, output);
    case TypeKind::Int:
    case TypeKind::Uint:
    case TypeKind::Double:
    case TypeKind::Bool:
    case TypeKind::Bytes:
    case TypeKind::Timestamp:
    case TypeKind::Duration: {
      Call call{{&value, 1}, output.arena(), output.bounds()};
      const Val text = to_string(call);
      return !text.is_error() && output.add(out, text.text());
    }
    default: return false;
  }
}

std::string go_fixed(double number, int precision) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Inf" : "+Inf";
  return fmt::format("{:.{}f}", number, precision);
}

bool write_list(const Val& list, std::string& out, BoundedOutput& output) {
  out += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!output.add(out, i == 0 ? "" : ", ") || !write_nested(list.item(i, output.arena()), out, output)) return false;
  }
  return output.add(out, "]");
}

bool write_map(const Val& map, std::string& out, BoundedOutput& output) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const Val& key : map.keys(output.arena())) {
    if (!key.is(TypeKind::String) && !key.is(TypeKind::Bool) && !key.is(TypeKind::Int) && !key.is(TypeKind::Uint))
      return false;
    const std::optional<Val> value = map.find(key, output.arena());
    auto& entry = entries.emplace_back();
    if (!value || !write_nested(key, entry.first, output) || !write_nested(*value, entry.second, output)) return false;
  }
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  out += '{';
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i != 0) out += ", ";
    if (!output.add(out, entries[i].first) || !output.add(out, ":") || !output.add(out, entries[i].second))
      return false;
  }
  return output.add(out, "}");
}

bool write_nested(const Val& value, std::string& out, BoundedOutput& output) {
  switch (value.kind()) {
    case TypeKind::List: return write_list(value, out, output);
    case TypeKind::Map: return write_map(value, out, output);
    case TypeKind::String: return output.add_quoted(out, value.text());
    case TypeKind::Bytes: return output.add(out, "b") && output.add_quoted(out, value.text());
    case TypeKind::Timestamp: return output.add(out, "timestamp(\"" + to_text(value.as_instant()) + "\")");
    case TypeKind::Duration: return output.add(out, "duration(\"" + duration_text(value.as_int()) + "\")");
    case TypeKind::Double: {
      const std::string text = go_fixed(value.as_double(), kUsualPrecision);
      return output.add(out, std::isfinite(value.as_double()) ? text : quoted(text));
    }
    default: return write_plain(value, out, output);
  }
}

// The number for %f and %e, which also accept names for values without a literal (infinities, NaN).
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
    // The server formats with English rules: thousands are grouped.
    std::string text = fmt::format("{:.{}f}", *number, clause.precision);
    const std::size_t point = std::min(text.find('.'), text.size()), begin = text[0] == '-' ? 1 : 0;
    for (std::size_t at = point; at > begin + 3;) text.insert(at -= 3, ",");
    out += text;
  } else {
    // The server formats with English rules: 1.5×10⁰³.
    const std::string text = fmt::format("{:.{}e}", *number, kUsualPrecision);
    constexpr std::string_view kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const std::size_t e = text.find('e');
    std::string shown = text.substr(0, e) + "×10";
    if (text[e + 1] == '-') shown += "⁻";
    for (const char digit : text.substr(e + 2)) shown += kDigits[digit - '0'];
    // The server uses the precision as a width.
    out.append(static_cast<std::size_t>(std::max(0, clause.precision - static_cast<int>(utf8::length(shown)))), ' ');
    out += shown;
  }
  return true;
}

bool write_whole(const Val& value, char kind, std::string& out, BoundedOutput& output) {
  const bool hexadecimal = kind == 'x' || kind == 'X';
  if (hexadecimal && (value.is(TypeKind::String) || value.is(TypeKind::Bytes))) {
    if (!output.has(2 * value.text().size())) return false;
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

bool write_clause(const Val& value, const Clause& clause, std::string& out, BoundedOutput& output) {
  if (clause.kind == 's') return write_plain(value, out, output);
  std::string number;
  const bool is_written = clause.kind == 'f' || clause.kind == 'e' ? write_double(value, clause, number)
                                                                   : write_whole(value, clause.kind, number, output);
  return is_written && output.add(out, number);
}

// Removes the clause after a `%` from the text; empty if it is invalid.
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
  BoundedOutput output(call.bounds);
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
    if (!write_clause(value, *clause, out, output)) {
      return call.fail("`%" + std::string(1, clause->kind) + "` can't write " + to_text(value));
    }
    ++index;
  }
  return call.make_text(out);
}

}  // namespace capwright::cel
