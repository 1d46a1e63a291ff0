// Values become YAML or JSON text, byte for byte as Python's tools write them (PyYAML on libyaml, which Ansible's
// `to_yaml` uses, and json.dumps), with the origin of every byte.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "value/limits.h"
#include "value/provenance.h"
#include "value/value.h"

namespace capwright {

// Why a value can't be written; `Done` when it was.
enum class EmitStatus : std::uint8_t {
  Done,
  TooDeep,       // nested deeper than Limits::depth, or a container that holds itself
  TooLong,       // more than Limits::string_bytes
  UnsortedKeys,  // JSON: keys of different types can't be sorted
  NoData,        // an Undefined, Object or Error is inside: the caller resolves these before
};

// The options of yaml.dump(); the defaults are those of Ansible's `to_nice_yaml` but for `indent`.
struct YamlStyle {
  enum class Flow : std::uint8_t {
    Block,   // default_flow_style=False
    Leaves,  // None: collections that hold scalars only are written in brackets
    All,     // True
  };
  Flow flow = Flow::Block;
  std::int64_t indent = 2;  // 2 to 9, else 2
  std::int64_t width = 80;  // lines are folded at the first space beyond; negative: never
  bool sort_keys = true;    // by code point; unsorted when the types of the keys differ, as in Python
  bool allow_unicode = true;
  bool explicit_start = false;  // `---`
  bool explicit_end = false;    // `...`
  // Quotes also the texts that go-yaml alone takes for something else, as it has it in kubectl and Helm.
  bool for_go = false;
};

// The options of json.dumps().
struct JsonStyle {
  std::optional<std::int64_t> indent;      // spaces a level; none: all on one line
  std::string_view item_separator = ", ";  // Python's default is "," when there is an indent
  std::string_view key_separator = ": ";
  bool sort_keys = false;
  bool ensure_ascii = true;
  bool html_safe = false;  // Jinja's `tojson`: `<`, `>`, `&` and `'` as \u003c and so on
  bool as_yaml = false;    // for readers of YAML, which has no pairs of surrogates: \U0001f600
};

// A text among the values and keys of `value` that is written without quotes, and that go-yaml reads as something else;
// Null when there is none. Nesting beyond `depth` is left out.
Value misread_by_go(const Value& value, std::uint32_t depth);

// Appends `value` to `out`. Bytes of scalars and keys carry the origin (and taint) of what they show, also inside a
// String that was put together from several; the rest, such as brackets and indentation, is `maker`'s.
EmitStatus write_yaml(const Value& value, const YamlStyle& style, const Segment& maker, const Limits& limits,
                      MappedText& out);
EmitStatus write_json(const Value& value, const JsonStyle& style, const Segment& maker, const Limits& limits,
                      MappedText& out);

// The canonical form that is hashed and compared: RFC 8785 (no spaces, keys in UTF-16 order, numbers as ECMAScript
// writes them), but that an Int has all its digits. Undefined, Object and Error are written as null.
std::string canonical_json(const Value& value);

// repr() of a float as JSON and YAML write it: "1.0", "1e+16", "0.1"; not for infinities and NaN.
std::string float_text(double);

}  // namespace capwright
