// Where the keys of values are written: in values files, in references, in schemas and in templates.
#pragma once
#include <string>
#include <vector>

#include "source/source.h"
#include "template/syntax/template.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::workflow {

// `worker_pools`, `[]`, `name`: `[]` is any item of a list, and in templates and schemas any key of a map.
using KeyPath = std::vector<std::string>;
inline constexpr std::string_view kAnyItem = "[]";

// `worker_pools[].name`.
std::string text_of(const KeyPath& path);

struct KeyPlace {
  KeyPath path;
  Span where;                 // of the last key, without quotes
  bool is_reference = false;  // in `${…}`
};

// Keys of a values file, and of the `${references}` in its texts. `stage` has read it.
std::vector<KeyPlace> keys_of_values(const Value& values, const Stage& stage);
// Only the references, such as those in the patches of capwright.yaml.
std::vector<KeyPlace> references_in(const Value& values, const Stage& stage);
// Keys that a schema declares or requires.
std::vector<KeyPlace> keys_of_schema(const Value& schema, const Stage& stage);
// Keys that a template reads, as far as they lead from its context.
std::vector<KeyPlace> keys_of_template(const jinja::Template& parsed, const SourceSet& sources);

// Places in a template where `key` is an attribute, or in a constant text, of a value that can't be traced: those that
// aren't among `traced`.
std::vector<Span> untraced_uses(const jinja::Template& parsed, std::string_view key,
                                const std::vector<KeyPlace>& traced, const SourceSet& sources);

}  // namespace capwright::workflow
