// Writes Values as YAML or JSON text, byte for byte as Python's tools do (PyYAML on libyaml, which Ansible's `to_yaml`
// uses, and json.dumps), with the origin of every byte.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "value/limits.h"
#include "value/provenance.h"
#include "value/value.h"

namespace capwright {

// Why a value can't be written; `Done` if it was written.
enum class EmitStatus : std::uint8_t {
  Done,
  TooDeep,       // nested deeper than Limits::depth, or a container that contains itself
  TooLong,       // more than Limits::string_bytes
  UnsortedKeys,  // JSON: keys of different types can't be sorted
  NoData,        // contains an Undefined, Object or Error: the caller must resolve these first
};

// The options of yaml.dump(); the defaults are those of Ansible's `to_nice_yaml` except for `indent`.
struct YamlStyle {
  enum class Flow : std::uint8_t {
    Block,   // default_flow_style=False
    Leaves,  // None: collections of scalars are written in brackets
    All,     // True
  };
  Flow flow = Flow::Block;
  std::int64_t indent = 2;  // 2 to 9; other values mean 2
  std::int64_t width = 80;  // lines are folded at the first space after it; negative: never
  bool sort_keys = true;    // by code point; not sorted if the types of the keys differ, as in Python
  bool allow_unicode = true;
  bool explicit_start = false;  // `---`
  bool explicit_end = false;    // `...`
  // Also quotes texts to which only go-yaml, hence kubectl and Helm, gives another type.
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
  bool as_yaml = false;    // for YAML, which has no surrogate pairs: \U0001f600
};

// A text among the values and keys of `value` that is written without quotes, and to which go-yaml gives another type;
// Null if there is none. Levels beyond `depth` are ignored.
Value misread_by_go(const Value& value, std::uint32_t depth);

// Appends `value` to `out`. Bytes of scalars and keys keep their origin (and taint), also inside a String that was
// assembled from several; other bytes, such as brackets and indentation, have the origin `maker`.
EmitStatus write_yaml(const Value& value, const YamlStyle& style, const Segment& maker, const Limits& limits,
                      MappedText& out);
EmitStatus write_json(const Value& value, const JsonStyle& style, const Segment& maker, const Limits& limits,
                      MappedText& out);

// The canonical form for hashing and comparison: RFC 8785 (no spaces, keys in UTF-16 order, numbers as ECMAScript
// writes them), except that an Int keeps all its digits. Undefined, Object and Error are written as null.
std::string canonical_json(const Value& value);

// repr() of a float as in JSON and YAML: "1.0", "1e+16", "0.1"; not for infinities and NaN.
std::string float_text(double);

}  // namespace capwright
