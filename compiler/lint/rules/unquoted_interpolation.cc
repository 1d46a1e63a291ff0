// CAP108: `key: {{ value }}` with a text that YAML parses as another type.
#include "crd/program.h"
#include "lint/engine/rule.h"
#include "lint/model/printed.h"

namespace capwright::lint::rules::unquoted_interpolation {
namespace {

using crd::Type;
std::string_view type_words(const Value& value) {
  switch (value.kind()) {
    case Kind::Null: return "null";
    case Kind::Bool: return value.as_bool() ? "`true`" : "`false`";
    case Kind::Int:
    case Kind::Float: return "a number";
    default: return "text";
  }
}

// The type that the API server expects at a place.
enum class Wanted : std::uint8_t { Unknown, Text, Other };

Wanted wanted_by(const crd::Node* node) {
  if (node == nullptr || node->type == Type::Any)
    return node != nullptr && node->int_or_string ? Wanted::Other : Wanted::Unknown;
  return node->type == Type::String ? Wanted::Text : Wanted::Other;
}

class Scalars {
 public:
  Scalars(const Cluster& cluster, const File& file, Report& report) : cluster_(cluster), file_(file), report_(report) {}

  void visit(const Node& node, const crd::Node* shape) {
    if (node.is(Kind::Map)) {
      const Entry* entry = node.value().entries().data();
      for (const auto& [key, value] : node.members()) {
        const crd::Property* property = shape != nullptr ? shape->table.find(entry->key) : nullptr;
        ++entry;
        const crd::Node* below = nullptr;
        if (property != nullptr) below = property->node;
        else if (shape != nullptr) below = shape->additional;
        if (!value.is(Kind::Null)) visit(value, below);
      }
    } else if (node.is(Kind::List)) {
      for (const Node item : node.items()) visit(item, shape != nullptr ? shape->items : nullptr);
    } else if (node.exists() && !node.is(Kind::String) && node.value().style() == ScalarStyle::Plain) {
      check(node, wanted_by(shape));
    }
  }

 private:
  void check(const Node& node, Wanted wanted) {
    if (wanted == Wanted::Other) return;
    const auto printed = text_without_quotes(node, cluster_, file_);
    if (!printed) return;
    const std::string_view inside = cluster_.sources().text(printed->inside);
    Finding& finding =
        report_.at_source(cluster_, printed->expression, "text is printed without quotes, so `{}` becomes {}",
                          node.written(), type_words(node.value()));
    if (wanted == Wanted::Text) finding.as(Severity::Error);
    finding.place.object = cluster_.object_of(*node.document());
    finding.place.path = node.path();
    finding.related.push_back({{&cluster_, nullptr, printed->value, nullptr, {}}, "text here"});
    finding.help("quote it: `{{{{ {} | tojson }}}}`", inside)
        .fix_source(printed->inside, fmt::format("{} | tojson", inside), Safety::Safe, "quote it");
  }

  const Cluster& cluster_;
  const File& file_;
  Report& report_;
};

// For objects: replaces the server's finding about the same place.
void check_object(const Object& object, Report& report) {
  const Cluster& cluster = object.cluster();
  if (cluster.templates() == nullptr || object.file().rendered == nullptr) return;
  const crd::Registry* registry = cluster.context().registry;
  const crd::KindVersion* version = registry != nullptr ? registry->find(object.api_version(), object.kind()) : nullptr;
  const crd::Schema* schema = version != nullptr ? registry->schema(*version) : nullptr;
  Scalars scalars(cluster, object.file(), report);
  const Entry* entry = object.root().value().entries().data();
  for (const auto& [key, value] : object.root().members()) {
    const crd::Property* property = schema != nullptr ? schema->root->table.find(entry->key) : nullptr;
    ++entry;
    const crd::Node* shape = property != nullptr ? property->node : nullptr;
    if (key == "metadata") shape = registry != nullptr ? registry->object_meta() : nullptr;
    scalars.visit(value, shape);
  }
}

// For documents that aren't objects, such as values of a chart.
void check_cluster(const Cluster& cluster, Report& report) {
  if (cluster.templates() == nullptr) return;
  for (const File& file : cluster.files()) {
    if (file.rendered == nullptr) continue;
    for (const Document& document : file.documents) {
      if (cluster.object_of(document) == nullptr) Scalars(cluster, file, report).visit(Node(document), nullptr);
    }
  }
}

}  // namespace

CW_LINT_RULE(unquoted_interpolation){
    .code = "CAP108",
    .name = "unquoted-interpolation",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports text that a template prints without quotes and that YAML reads as another type.

## Why is this bad?

`version: {{ version }}` renders `version: 1.30`, which is the number 1.3. `yes` and `off` become booleans, `0644` becomes
420 and `1e3` becomes 1000, whatever quotes the values file has. The template works until a cluster has such a value. Then
the API server rejects the object, or a chart gets a wrong value.

The template's line is reported once for all clusters, if the value of one of them is read as another type. It is an error
where the API server needs text. There is no finding where the API server needs a number or a boolean, for an expression that
computes another type (`{{ value | int }}`), or for one that prints more than a scalar. `tojson` quotes any value correctly.

## Example

```yaml file=values.yaml
cluster_name: a
version: "1.30"
mode: "0644"
debug: "yes"
memory: "1e3"
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/app/values.yaml
image:
  {# warning: [unquoted-interpolation] "text is printed without quotes, so `1.30` becomes a number" #}
  tag: {{ version }}
{# warning: [unquoted-interpolation] "`0644` becomes a number" #}
mode: {{ mode | default("0600") }}
{# warning: [unquoted-interpolation] "`yes` becomes `true`" #}
flags: [{{ debug }}]
{# warning: [unquoted-interpolation] "`1e3` becomes a number" #}
memory: {{ memory }}
```

## Use instead

```yaml file=values.yaml
cluster_name: a
version: "1.30"
name: canal
replicas: 3
port: "8080"
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/app/values.yaml
image:
  tag: "{{ version }}"
  other: {{ version | tojson }}
name: {{ name }}
release: v{{ version }}
replicas: {{ replicas }}
port: {{ port | int }}
```

## Fix

Safe: puts the expression in quotes.
)md",
    .fixes = Safety::Safe,
    .instead_of_server = true,
    .check_object = check_object,
    .check_cluster = check_cluster,
};

}  // namespace capwright::lint::rules::unquoted_interpolation
