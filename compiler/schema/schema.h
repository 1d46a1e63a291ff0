// JSON Schema (2020-12; draft 7 for older documents), compiled once into an immutable program that threads share.
// schemas/values/README.md lists the keywords that fill in, mark and explain in addition to those that check.
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

// A document that `$ref` may reference by its URI. Nothing is ever fetched.
struct SchemaDocument {
  std::string uri;
  Value document;
};

struct CompileOptions {
  std::string uri = {};  // used if the schema has no absolute `$id`
  std::span<const SchemaDocument> given = {};
  bool assert_formats = true;  // otherwise `format` is an annotation, the default in 2020-12
  bool draft7 = false;         // for documents without `$schema`
  bool built_in = false;       // the patterns are valid, so each is compiled at its first use
};

// Never null: a part that can't be compiled is reported at its place and accepts everything. `document` is parsed JSON
// or YAML.
std::shared_ptr<const Schema> compile(const Value& document, Stage&, const CompileOptions& = {});

// Reports every error of `value`, each at the place that the user must edit. Returns true if there is none. The Stage's
// sources must include those of the schema: messages about invalid defaults show their places.
bool validate(const Schema&, const Value& value, Stage&);

// Returns `value` with missing properties filled in from `default`, outside in; their origins are SchemaDefault.
// Strings are not resolved. Looks through properties, items, $ref with siblings and allOf; see
// schemas/values/README.md.
Value apply_defaults(const Schema&, const Value& value, Stage&);

// A property that a schema declares, for reference pages: facts that don't depend on the values. Views live as long as
// the schema and the text it was read from.
struct PropertyPage {
  std::string path;  // "worker_pools[].flavor"; `*` for keys from a pattern, or any key
  std::string_view title, description;
  std::string takes;  // in words: "`small` or `large`", "an integer from 1 to 9", "a list: each a string"
  const Value* default_value = nullptr;
  std::span<const Value> examples;
  std::span<const Value> normalized_from;  // x-normalized-from: keys that may be given instead
  std::string_view normalized_to;          // x-normalized-to
  bool required = false, secret = false, deprecated = false;
  bool forbidden = false;  // its schema is `false`
};
// All properties, parents before children, in the order of the schema. Recursive schemas are followed once.
std::vector<PropertyPage> property_pages(const Schema&);

// The uppermost declared path whose last key is `key`, in any case, with or without `_` and `-`; empty if there is
// none.
std::string path_of_key(const Schema&, std::string_view key);

// Whether a schema declares a path, such as one that a template reads.
enum class Declared : std::uint8_t {
  Yes,
  Open,  // not named, but in a map that accepts any key
  No,    // never in a valid value
};
struct Declaration {
  Declared declared = Declared::Yes;
  std::size_t known = 0;                     // the number of declared steps of the path
  std::vector<std::string_view> candidates;  // declared keys at the position of the first unknown step
};
// Each step is a key; for items of lists any number, or `[]`.
Declaration find_declaration(const Schema&, std::span<const std::string_view> path);

}  // namespace capwright::schema
