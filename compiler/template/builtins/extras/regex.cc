// Filters and tests with regular expressions, in Python's dialect.
#include "text/regex.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>

#include "diag/catalog/template_extras.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"
#include "template/builtins/extras/replacement.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

struct Flags {
  Value ignore_case;
  Value multiline;
};

std::optional<Regex> compile(Runtime& runtime, const Value& pattern, const Flags& flags, std::string_view filter) {
  const auto text = extras::string_argument(runtime, filter, pattern);
  const auto ignore_case = text ? truth_of(runtime, flags.ignore_case) : std::nullopt;
  const auto multiline = ignore_case ? truth_of(runtime, flags.multiline) : std::nullopt;
  if (!multiline) return std::nullopt;
  RegexFault fault;
  auto regex = Regex::compile(*text, {RegexDialect::Python, *ignore_case, *multiline, false}, fault);
  if (!regex) {
    if (Diagnostic* refusal = runtime.report(diag::unusable_pattern, runtime.here, extras::shown(pattern))) {
      refusal->note(fmt::format("at byte {} of the pattern: {}", fault.offset + 1, fault.message));
    }
  }
  return regex;
}

// The text to search in, and the pattern.
struct Search {
  Value text;
  std::optional<Regex> regex;
  explicit operator bool() const { return regex.has_value(); }
};
Search search_of(Runtime& runtime, const BoundArguments& arguments, const Flags& flags, std::string_view filter) {
  const Value text = text_of(runtime, arguments[0]);
  return {text, text.is_error() ? std::nullopt : compile(runtime, arguments[1], flags, filter)};
}

// Counts the steps of finding all matches: each has a place for every group.
bool step_matches(Runtime& runtime, const Search& search) {
  return runtime.step(search.text.text().size() * search.regex->group_count() / 4);
}

// A group's text with the origin of the whole text; `absent` if the group didn't match.
Value group_value(Runtime& runtime, const BoundArguments& arguments, std::string_view text, const RegexGroup& group,
                  const Value& absent) {
  if (!group.took_part()) return absent;
  return runtime.derived(runtime.string(group.in(text)), arguments[0], arguments[1]);
}

// The name or number of the group in `\1` or `\g<name>`.
std::optional<std::string_view> group_name(Runtime& runtime, const Value& reference) {
  const auto text = extras::string_argument(runtime, "regex_search", reference);
  if (!text) return std::nullopt;
  if (text->starts_with("\\g<") && text->ends_with('>')) return text->substr(3, text->size() - 4);
  if (text->starts_with('\\')) return text->substr(1);
  runtime.fail(diag::not_a_group_reference, extras::shown(reference));
  return std::nullopt;
}

Value test_at_anchor(Runtime& runtime, const BoundArguments& arguments, RegexAnchor anchor, std::string_view test) {
  const Search search = search_of(runtime, arguments, {arguments[2], arguments[3]}, test);
  return search ? Value::boolean(search.regex->matches(search.text.text(), anchor)) : Value::error();
}

// re.escape(): a backslash before characters with a meaning in a pattern.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

Value regex_replace_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Search search = search_of(runtime, arguments, {arguments[3], arguments[4]}, "regex_replace");
  const Value replacement = search ? text_of(runtime, arguments[2]) : Value::error();
  const auto count =
      replacement.is_error() ? std::nullopt : extras::integer_argument(runtime, "regex_replace", arguments[5]);
  const auto mandatory = count ? extras::integer_argument(runtime, "regex_replace", arguments[6]) : std::nullopt;
  const auto parts = mandatory ? extras::parse_replacement(runtime, replacement, *search.regex) : std::nullopt;
  if (!parts) return Value::error();
  const std::string_view text = search.text.text();
  if (!step_matches(runtime, search)) return Value::error();
  std::vector<RegexMatch> matches = search.regex->find_all(text);
  if (*count != 0)
    matches.resize(std::min(matches.size(), static_cast<std::size_t>(std::max<std::int64_t>(*count, 0))));
  if (*mandatory != 0 && static_cast<std::uint64_t>(*mandatory) != matches.size()) {
    return runtime.fail(diag::wrong_match_count, extras::shown(arguments[1]),
                        static_cast<std::uint64_t>(matches.size()), *mandatory);
  }
  std::string out;
  std::size_t done = 0;
  for (const RegexMatch& match : matches) {
    out.append(text.substr(done, match[0].begin - done));
    extras::append_replacement(out, *parts, match, text);
    done = match[0].end;
    if (!runtime.step() || !runtime.room_for_text(out.size())) return Value::error();
  }
  return text_result(runtime, out.append(text.substr(done)));
}

Value regex_search_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Search search = search_of(runtime, arguments, {arguments[2], arguments[3]}, "regex_search");
  if (!search) return Value::error();
  std::vector<std::string_view> names;
  for (const Value& reference : arguments.rest) {
    const auto name = group_name(runtime, reference);
    if (!name) return Value::error();
    names.push_back(*name);
  }
  const std::string_view text = search.text.text();
  const auto match = search.regex->find(text);
  if (!match) return Value::null();
  if (names.empty()) return runtime.string((*match)[0].in(text));
  ListBuilder list(runtime);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto group = extras::find_group(*search.regex, names[i]);
    const std::uint64_t count = search.regex->group_count();
    if (!group) return runtime.fail(diag::unknown_group, extras::shown(arguments.rest[i]), count);
    if (!list.add(group_value(runtime, arguments, text, (*match)[*group], Value::null()))) return Value::error();
  }
  return list.list();
}

Value regex_findall_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Search search = search_of(runtime, arguments, {arguments[3], arguments[2]}, "regex_findall");
  if (!search) return Value::error();
  const std::string_view text = search.text.text();
  const std::size_t groups = search.regex->group_count();
  const Value empty = runtime.string("");
  if (!step_matches(runtime, search)) return Value::error();
  ListBuilder list(runtime);
  for (const RegexMatch& match : search.regex->find_all(text)) {
    // The groups if there are any; several are returned as a tuple.
    std::vector<Value> parts;
    for (std::size_t i = groups == 0 ? 0 : 1; i <= groups; ++i) {
      parts.push_back(group_value(runtime, arguments, text, match[i], empty));
    }
    if (!list.add(parts.size() == 1 ? parts[0] : runtime.tuple(parts))) return Value::error();
  }
  return list.list();
}

Value regex_escape_filter(Runtime& runtime, const BoundArguments& arguments) {
  static constexpr std::array<std::string_view, 2> kTypes{"python", "posix_basic"};
  const Value text = text_of(runtime, arguments[0]);
  const auto type =
      text.is_error() ? std::nullopt : extras::choice(runtime, "regex_escape", "re_type", arguments[1], kTypes);
  if (!type) return Value::error();
  const std::string_view special = *type == 0 ? "()[]{}?*+-|^$\\.&~# \t\n\r\v\f" : "].[^$*\\";
  return text_result(runtime, escaped(text.text(), special));
}

Value search_test(Runtime& runtime, const BoundArguments& arguments) {
  return test_at_anchor(runtime, arguments, RegexAnchor::None, "search");
}
Value match_test(Runtime& runtime, const BoundArguments& arguments) {
  return test_at_anchor(runtime, arguments, RegexAnchor::Start, "match");
}
Value regex_test(Runtime& runtime, const BoundArguments& arguments) {
  static constexpr std::array<std::string_view, 3> kTypes{"search", "match", "fullmatch"};
  static constexpr RegexAnchor kAnchors[] = {RegexAnchor::None, RegexAnchor::Start, RegexAnchor::Both};
  const auto type = extras::choice(runtime, "regex", "match_type", arguments[4], kTypes);
  return type ? test_at_anchor(runtime, arguments, kAnchors[*type], "regex") : Value::error();
}

}  // namespace capwright::jinja
