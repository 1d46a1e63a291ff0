// The language of clusterctl's templates: `${NAME}` and its operators, byte for byte as github.com/drone/envsubst v2
// reads and evaluates them, including what differs from a shell.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"
#include "value/provenance.h"
#include "value/stage.h"

namespace capwright::envsubst {

// Text, or a substitution with its arguments.
struct Node {
  bool is_text = true;
  std::vector<Span> pieces;  // of a text, in order: characters that only escape others are left out
  Span where;                // of a substitution: from `${` to `}`
  std::string name;          // the variable
  std::string operation;     // ":=", "%%", "#" …; empty for `${NAME}`
  std::vector<Node> arguments;
};

using Template = std::vector<Node>;

// Parses a template. Spaces around a lone name, as in `${ NAME }`, are dropped first, as clusterctl does. Reports the
// first error, in the library's words, and returns nothing.
std::optional<Template> parse(FileId file, Stage& stage);

struct Variable {
  std::string name;
  std::string fallback;  // the default as clusterctl lists it; empty: the variable is required
  Span where;            // its first occurrence, which decides both
};

// The variables that clusterctl knows, sorted by name. One that only occurs inside another one's default isn't listed
// and reads as empty if it isn't set.
std::vector<Variable> variables(const Template& parsed, const SourceSet& sources);

struct Setting {
  std::string_view value;
  OriginId origin = OriginId::None;
  bool tainted = false;  // contains a secret
};
// The setting of a variable; nothing if it isn't set. Views must live as long as the substitution runs.
using Lookup = std::function<std::optional<Setting>(std::string_view name)>;

// A scalar as clusterctl reads it from a file: the text of a string, `true`, `3`, `1.3` for 1.30. Empty for lists, maps
// and null.
std::string variable_text(const Value& scalar);

// The text with the origin of each byte. Reports to stage.sink and stops at the first error.
MappedText substitute(const Template& parsed, const Lookup& lookup, Stage& stage);

}  // namespace capwright::envsubst
