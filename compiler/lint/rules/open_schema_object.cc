// CAP107: objects of a schema that accept undeclared keys.
#include "lint/engine/rule.h"
#include "lint/model/schema_walk.h"
#include "lint/model/template_reads.h"

namespace capwright::lint::rules::open_schema_object {
namespace {

// The first node that declares keys; null if none does.
const schema::Node* with_properties(const Declared& place) {
  for (const schema::Node* node : place.nodes) {
    if (node->objects == nullptr) continue;
    for (const schema::Property& property : node->objects->table.properties) {
      if (property.node != nullptr) return node;
    }
  }
  return nullptr;
}

// Whether a node declares which other keys are allowed, including "any".
bool says_the_rest(const Declared& place) {
  for (const schema::Node* node : place.nodes) {
    if (node->unevaluated_properties != nullptr) return true;
    const schema::ObjectRules* objects = node->objects;
    if (objects != nullptr && (objects->additional != nullptr || objects->names != nullptr)) return true;
  }
  return false;
}

// The place of the word `properties`.
Span heading_of(const schema::Node& node, const OriginTable& origins) {
  if (!node.source.is(Kind::Map)) return {};
  for (const Entry& entry : node.source.entries()) {
    if (entry.key.text() == "properties") return origins[entry.key.origin()].span;
  }
  return {};
}

void check(const TemplateSet& set, const Cluster& cluster, Report& report) {
  if (set.schema == nullptr) return;
  walk_schema(*set.schema, [&](const Declared& place) {
    const schema::Node* node = with_properties(place);
    if (node == nullptr || says_the_rest(place)) return true;
    const Span span = heading_of(*node, set.origins);
    if (!span.known()) return true;
    report
        .at_source(cluster, span, "{} allows any other key",
                   place.path.empty() ? "the document" : "`" + place.path + "`")
        .note("a misspelled key is then valid, and its setting keeps the default")
        .help("add `\"additionalProperties\": false`, or `true` if any key is allowed");
    return true;
  });
}

}  // namespace

CW_LINT_RULE(open_schema_object){
    .code = "CAP107",
    .name = "open-schema-object",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports an object of a schema that declares its keys and also allows any other key.

## Why is this bad?

JSON Schema allows whatever it doesn't forbid. A misspelled key passes validation, no template reads it, and the setting
keeps its default.

An object is fine if it states what other keys may be, even as `"additionalProperties": true`, if it declares no keys, or if
`unevaluatedProperties` or `propertyNames` closes it, also from a schema that it is combined with.

## Example

```yaml file=values.yaml
cluster_name: a
```
```json file=schema.json
{
  "$comment": "warning: [open-schema-object] the document", "properties": {
    "cluster_name": {"type": "string"},
    "network": {
      "$comment": "warning: [open-schema-object] `network`", "properties": {"cidr": {"type": "string"}}
    },
    "pools": {
      "items": {
        "$comment": "warning: [open-schema-object] `pools[]`", "properties": {"name": {"type": "string"}}
      }
    }
  }
}
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/app.yaml
kind: Pool
```

## Use instead

```yaml file=values.yaml
cluster_name: a
```
```json file=schema.json
{
  "properties": {
    "cluster_name": {"type": "string"},
    "network": {"properties": {"cidr": {"type": "string"}}, "additionalProperties": true},
    "labels": {"type": "object", "additionalProperties": {"type": "string"}},
    "free": {"type": "object"},
    "pool": {
      "allOf": [{"properties": {"name": {"type": "string"}}}],
      "properties": {"count": {"type": "integer"}},
      "unevaluatedProperties": false
    }
  },
  "additionalProperties": false
}
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/app.yaml
kind: Pool
```
)md",
    .check_set = check,
};

}  // namespace capwright::lint::rules::open_schema_object
