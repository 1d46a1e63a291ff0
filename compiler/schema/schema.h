// JSON Schema (2020-12; draft 7 for older documents), compiled once into an immutable program that threads share.
// Which keywords fill in, mark and explain beside those that check is said in schemas/values/README.md.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::schema {

class Schema;  // the compiled program; it points into the Stage that it was compiled in

// A document that `$ref` may name by its URI. Nothing is ever fetched.
struct SchemaDocument {
  std::string uri;
  Value document;
};

struct CompileOptions {
  std::string uri = {};  // of the schema itself, where it has no absolute `$id`
  std::span<const SchemaDocument> given = {};
  bool assert_formats = true;  // else `format` is an annotation, as 2020-12 has it by default
  bool draft7 = false;         // how documents without `$schema` are read
};

// Never null: what can't be compiled is reported at its place and accepts everything. `document` is parsed JSON or
// YAML.
std::shared_ptr<const Schema> compile(const Value& document, Stage&, const CompileOptions& = {});

// Reports every fault of `value`, each at the place that the user must edit. True when there was none.
// The Stage's sources must know those of the schema: where defaults are at fault, their places are shown.
bool validate(const Schema&, const Value& value, Stage&);

// `value` with missing properties filled in from `default`, outside in; their origins are SchemaDefault.
// Strings are not resolved. Through properties, items, $ref with siblings and allOf; see schemas/values/README.md.
Value apply_defaults(const Schema&, const Value& value, Stage&);

// `value` with every leaf below `x-secret: true` tainted.
Value mark_secrets(const Schema&, const Value& value, Stage&);

// A property that a schema declares, for reference pages: what holds whatever the values are. Views live as long as the
// schema and what it was read from.
struct PropertyPage {
  std::string path;  // "worker_pools[].flavor"; `*` for keys that a pattern or any name gives
  std::string_view title, description;
  std::string takes;  // in words: "`small` or `large`", "an integer from 1 to 9", "a list: each a string"
  const Value* default_value = nullptr;
  std::span<const Value> examples;
  std::span<const Value> normalized_from;  // x-normalized-from: keys that may be given in its place
  std::string_view normalized_to;          // x-normalized-to
  bool required = false, secret = false, deprecated = false;
  bool forbidden = false;  // its schema is `false`
};
// All of them, parents before children, in the order of the schema. Recursive schemas are followed once.
std::vector<PropertyPage> property_pages(const Schema&);

// Whether a schema knows a place, such as a template's reading of it.
enum class Declared : std::uint8_t {
  Yes,
  Open,  // not named, but inside a map that takes any key
  No,    // never there in a valid value
};
struct Declaration {
  Declared declared = Declared::Yes;
  std::size_t known = 0;                     // how many steps of the path are declared
  std::vector<std::string_view> candidates;  // the keys that are declared in place of the first unknown step
};
// Each step is a key; for items of lists any text that is a number, or `[]`.
Declaration find_declaration(const Schema&, std::span<const std::string_view> path);

}  // namespace capwright::schema
