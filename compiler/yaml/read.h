// Parses YAML and JSON text into a frozen Value; every scalar, key and container has its place in the source. The only
// folder that includes libfyaml; earlier checks guard against that library's bugs.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// Which unquoted scalars are not strings.
enum class ScalarRules : std::uint8_t {
  Core,  // YAML 1.2 core schema: `true`, `null`, `~`, `10`, `0x1f`, `0o17`, `1.5`, `1e3`, `.inf`; keys stay strings
  Kubernetes,  // sigs.k8s.io/yaml, i.e. YAML 1.1 as go-yaml v2 has it: also `yes`, `on`, `y`, `0644`, `1_000`
  Python,      // PyYAML's safe loader (Ansible's `from_yaml`): YAML 1.1, but `y` and `1e3` are strings; keys keep their
               // type
};

enum class TextSyntax : std::uint8_t {
  ByName,  // JSON if the path ends in `.json`, otherwise YAML
  Yaml,
  Json,  // strict RFC 8259
};

struct ReadOptions {
  ScalarRules rules = ScalarRules::Core;
  TextSyntax syntax = TextSyntax::ByName;
};

// One document of a stream. `span` covers its content without `---` and surrounding comments; empty for an empty one.
struct YamlDocument {
  Value value;
  Span span;
};

// The only document of `file`; an empty file is null. Every error is reported and gives Value::error(). Origins are
// Input spans that cover the source text exactly: including quotes, `*name` for an alias (values below it keep the
// places of the anchor), first key to end of last value for a block collection. Scalars keep their style. Keys are
// Strings except under ScalarRules::Python. `<<` merges; duplicate keys are errors that show both places.
Value read_yaml(FileId file, Stage& stage, const ReadOptions& options = {});

// All documents of a stream, for manifests. Reading ends at the first malformed document.
std::vector<YamlDocument> read_yaml_documents(FileId file, Stage& stage, const ReadOptions& options = {});

// YAML inside a String that was read from a file (raw add-on values): places refer to that file, also through a block
// scalar's indentation and a quoted scalar's escapes. A String without such a place (a derived one) is read, too; then
// errors are reported at the origin of `text`, or without a place, and a note names the line.
Value read_yaml_inside(const Value& text, Stage& stage, const ReadOptions& options = {});

// The same for all documents of a stream, such as manifests in a ConfigMap.
std::vector<YamlDocument> read_yaml_documents_inside(const Value& text, Stage& stage, const ReadOptions& options = {});

// YAML that a template computed: all origins of the result are `maker`; errors are reported at `where` and name the
// line.
Value read_yaml_text(std::string_view text, Span where, OriginId maker, Stage& stage, const ReadOptions& options = {});

// YAML in a String that a template made. With a map, keys and scalars have the origins of their own text (Printed), and
// lists and maps have none; without one, all have that of `text`. Errors are reported at `where` and name the line.
Value read_yaml_printed(const Value& text, Span where, Stage& stage, const ReadOptions& options = {});

// The type of a plain scalar with this text: Null, Bool, Int or Float, or String. Used to explain type traps.
Value resolve_plain(std::string_view text, ScalarRules rules);

// Places inside a scalar, for languages that are embedded in YAML.

// The place of the bytes [begin, end) of a String in the file it was read from, also through a block scalar's
// indentation and a quoted scalar's escapes; the whole scalar if that is unknown.
Span span_inside(const Value& text, std::uint32_t begin, std::uint32_t end, const Stage& stage);

}  // namespace capwright
