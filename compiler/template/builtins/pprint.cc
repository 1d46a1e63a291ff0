// The `pprint` filter: Python's pprint.pformat() with a width of 80.
#include <algorithm>
#include <vector>

#include "template/builtins/operands.h"
#include "template/builtins/text_parts.h"
#include "template/runtime/objects.h"
#include "text/python_text.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

constexpr std::size_t kWidth = 80;

// The characters that repr() adds to a text: enough to track the length of the repr of a growing text.
struct ReprSize {
  std::size_t escaped = 0, single_quotes = 0, double_quotes = 0;

  void add(std::string_view text) {
    const std::string repr = python::string_repr(text);
    const auto single = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\''));
    const auto doubled = static_cast<std::size_t>(std::count(text.begin(), text.end(), '"'));
    const std::size_t quotes_escaped = single > 0 && doubled > 0 ? single : 0;
    escaped += utf8::length(repr) - 2 - quotes_escaped;
    single_quotes += single;
    double_quotes += doubled;
  }
  std::size_t size() const { return escaped + 2 + (single_quotes > 0 && double_quotes > 0 ? single_quotes : 0); }
};

class PrettyPrinter {
 public:
  PrettyPrinter(Runtime& runtime, std::string& out) : runtime_(runtime), out_(out) {}

  void print(const Value& value, std::size_t indent, std::size_t allowance, int level) {
    const Nesting nesting(runtime_, "values");
    if (!nesting.fits() || !runtime_.step() || !runtime_.room_for_text(out_.size())) return;
    const std::size_t used = indent + allowance;
    std::string flat;
    const bool fits = append_flat(flat, value, used < kWidth ? kWidth - used : 0);
    if (fits || !can_break(value)) {
      if (!fits) flat = whole(value);
      out_ += flat;
    } else if (value.is(Kind::String)) {
      print_text(value.text(), indent, allowance, level + 1);
    } else {
      open_.push_back(identity(value));
      value.is(Kind::Map) ? print_map(value, indent, allowance, level + 1)
                          : print_list(value, indent, allowance, level + 1);
      open_.pop_back();
    }
  }

 private:
  static const void* identity(const Value& value) {
    return value.is(Kind::Map) ? static_cast<const void*>(value.map_rep()) : value.list_rep();
  }
  static bool is_container(const Value& value) { return value.is(Kind::Map) || value.is(Kind::List); }
  bool is_open(const Value& value) const {
    return is_container(value) && std::find(open_.begin(), open_.end(), identity(value)) != open_.end();
  }
  bool can_break(const Value& value) const {
    if (value.is(Kind::String)) return !value.is_markup();
    return is_container(value) && !is_open(value);
  }

  // repr() with sorted dicts. False if it would exceed `most` characters.
  bool append_flat(std::string& out, const Value& value, std::size_t most) {
    if (is_open(value)) {
      out += "<Recursion on " + std::string(runtime_.type_name(value)) + ">";
    } else if (is_container(value)) {
      const Nesting nesting(runtime_, "values");
      if (!nesting.fits() || !runtime_.step()) return true;
      open_.push_back(identity(value));
      const bool fits = value.is(Kind::Map) ? append_flat_map(out, value, most) : append_flat_list(out, value, most);
      open_.pop_back();
      return fits;
    } else if (value.is(Kind::String) && value.text().size() > most * 4) {
      return false;
    } else {
      runtime_.append_repr(out, value);
    }
    return out.size() <= most || utf8::length(out) <= most;
  }

  bool append_flat_list(std::string& out, const Value& list, std::size_t most) {
    if (list.items().size() > most) return false;
    out += list.is_tuple() ? '(' : '[';
    for (std::size_t i = 0; i < list.items().size(); ++i) {
      if (i > 0) out += ", ";
      if (!append_flat(out, list.items()[i], most)) return false;
    }
    if (list.is_tuple() && list.items().size() == 1) out += ',';
    out += list.is_tuple() ? ')' : ']';
    return utf8::length(out) <= most;
  }
  bool append_flat_map(std::string& out, const Value& map, std::size_t most) {
    if (map.entries().size() > most) return false;  // checked before the entries are sorted
    out += '{';
    bool first = true;
    for (const Entry* entry : sorted_entries(map)) {
      if (!std::exchange(first, false)) out += ", ";
      if (!append_flat(out, entry->key, most)) return false;
      out += ": ";
      if (!append_flat(out, entry->value, most)) return false;
    }
    out += '}';
    return utf8::length(out) <= most;
  }
  std::string whole(const Value& value) {
    std::string out;
    append_flat(out, value, static_cast<std::size_t>(-1) / 8);
    return out;
  }

  // By key; keys that can't be compared, by the names of their types.
  std::vector<const Entry*> sorted_entries(const Value& map) {
    std::vector<const Entry*> entries;
    for (const Entry& entry : map.entries()) entries.push_back(&entry);
    std::stable_sort(entries.begin(), entries.end(), [&](const Entry* a, const Entry* b) {
      const auto rank = [](const Value& key) {
        if (is_number(key)) return 1;
        if (key.is(Kind::String)) return 2;
        if (key.is(Kind::List)) return 3;
        return 0;
      };
      if (rank(a->key) != rank(b->key)) return runtime_.type_name(a->key) < runtime_.type_name(b->key);
      return rank(a->key) != 0 && runtime_.compare(a->key, b->key).value_or(0) < 0;
    });
    return entries;
  }

  void print_list(const Value& list, std::size_t indent, std::size_t allowance, int level) {
    const std::size_t count = list.items().size();
    std::string_view close = ")";
    if (!list.is_tuple()) close = "]";
    else if (count == 1) close = ",)";
    out_ += list.is_tuple() ? '(' : '[';
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out_.append(",\n").append(indent + 1, ' ');
      print(list.items()[i], indent + 1, i + 1 == count ? allowance + close.size() : 1, level);
    }
    out_ += close;
  }
  void print_map(const Value& map, std::size_t indent, std::size_t allowance, int level) {
    out_ += '{';
    const auto entries = sorted_entries(map);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > 0) out_.append(",\n").append(indent + 1, ' ');
      const std::string key = whole(entries[i]->key);
      out_.append(key).append(": ");
      print(entries[i]->value, indent + 1 + utf8::length(key) + 2, i + 1 == entries.size() ? allowance + 1 : 1, level);
    }
    out_ += '}';
  }

  // Prints the pieces of a long text, each in quotes, one per line.
  void print_text(std::string_view text, std::size_t indent, std::size_t allowance, int level) {
    const bool top = level == 1;
    if (top) ++indent, ++allowance;
    const auto pieces = text_pieces(text, indent, allowance);
    if (pieces.size() > 1 && top) out_ += '(';
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i > 0) out_.append("\n").append(indent, ' ');
      out_ += pieces[i];
    }
    if (pieces.size() > 1 && top) out_ += ')';
  }

  static std::vector<std::string> text_pieces(std::string_view text, std::size_t indent, std::size_t allowance) {
    std::vector<std::string> pieces;
    const std::int64_t room = static_cast<std::int64_t>(kWidth) - static_cast<std::int64_t>(indent);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t next = line_end(text, at).next;
      const std::string_view line = text.substr(at, next - at);
      at = next;
      const std::int64_t room_at_end = room - (next == text.size() ? static_cast<std::int64_t>(allowance) : 0);
      const std::string repr = python::string_repr(line);
      if (static_cast<std::int64_t>(utf8::length(repr)) <= room_at_end) {
        pieces.push_back(repr);
      } else {
        add_words(pieces, line, room, room_at_end);
      }
    }
    return pieces;
  }
  // A word and the white space after it stay together; `room_at_end` is for the last piece.
  static void add_words(std::vector<std::string>& pieces, std::string_view line, std::int64_t room,
                        std::int64_t room_at_end) {
    std::size_t piece = 0;
    ReprSize size;
    for (std::size_t word = 0; word < line.size();) {
      std::size_t end = word;
      for (const bool space : {false, true}) {
        while (end < line.size() && unicode::is_space(utf8::decode(line, end).value) == space)
          end += utf8::decode(line, end).size;
      }
      ReprSize candidate = size;
      candidate.add(line.substr(word, end - word));
      if (static_cast<std::int64_t>(candidate.size()) > (end == line.size() ? room_at_end : room)) {
        if (word > piece) pieces.push_back(python::string_repr(line.substr(piece, word - piece)));
        piece = word;
        candidate = {};
        candidate.add(line.substr(word, end - word));
      }
      size = candidate;
      word = end;
    }
    if (piece < line.size()) pieces.push_back(python::string_repr(line.substr(piece)));
  }

  Runtime& runtime_;
  std::string& out_;
  std::vector<const void*> open_;  // the containers being printed, to detect those that contain themselves
};

}  // namespace

Value pprint_filter(Runtime& runtime, const BoundArguments& arguments) {
  std::string out;
  const auto failures = runtime.failures();
  PrettyPrinter(runtime, out).print(arguments[0], 0, 0, 0);
  return runtime.failures() == failures ? text_result(runtime, out) : Value::error();
}

}  // namespace capwright::jinja
