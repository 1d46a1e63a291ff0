// The references of a template, as far as they are known without running it: the values it reads, the templates it
// names, and its definitions. Lint rules and "values read but not in the schema" use this.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "source/source.h"

namespace capwright::jinja {

// One step of a path: `network` and `pod_cidrs` in `network.pod_cidrs`, any item in `worker_pools[]`.
struct PathStep {
  enum class Kind : std::uint8_t { Key, Index, EachItem };
  Kind kind = Kind::Key;
  std::string_view key;    // Key
  std::int64_t index = 0;  // Index
  Span span;               // EachItem: of the loop's target
};

// A value that comes from the context: `{% for pool in worker_pools %}{{ pool.name }}` reads `worker_pools` and
// `worker_pools[].name`. A longer path replaces its prefixes at the same place.
struct ReadPath {
  std::span<const PathStep> steps;  // the first is the Key that is looked up in the context
  Span span;
  // The template handles its absence here: by `is defined`, `default`, or a branch under such a condition.
  bool guarded = false;
  bool called = false;  // used as a function: `make_name(pool)`
};

// A template in include, import, from or extends, named by a constant.
struct TemplateReference {
  enum class Kind : std::uint8_t { Include, Import, Extends };
  Kind kind = Kind::Include;
  std::string_view name;
  Span span;
  bool optional = false;  // `ignore missing`, or one of several alternatives
};

// A name that the template gives a value: by set, macro, import, for or with.
struct Definition {
  enum class Kind : std::uint8_t { Set, Macro, Import, Loop, With, Parameter };
  Kind kind = Kind::Set;
  std::string_view name;
  Span span;
  bool toplevel = false;
  bool read = false;  // somewhere in this template
};

struct References {
  std::span<const ReadPath> reads;  // in source order
  std::span<const TemplateReference> templates;
  std::span<const Definition> definitions;
};

// `worker_pools[].name`, `nodes[0]`, `labels["a.b"]`.
std::string path_text(std::span<const PathStep>);

}  // namespace capwright::jinja
