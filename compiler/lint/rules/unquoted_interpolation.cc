// CAP108: `key: {{ value }}` with a text that YAML parses as another type, or as a comment, and `{{ key }}: value`.
#include "crd/program.h"
#include "lint/engine/rule.h"
#include "lint/model/printed.h"
#include "lint/model/written.h"

namespace capwright::lint::rules::unquoted_interpolation {
namespace {

using crd::Type;
std::string_view type_words(const Value& value) {
  switch (value.kind()) {
    case Kind::Null: return "a null value";
    case Kind::Bool: return "a boolean";
    case Kind::Int:
    case Kind::Float: return "a number";
    default: return "text";
  }
}

// The start of a long text.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kMost;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
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
        check_key(value);
        const crd::Property* property = shape != nullptr ? shape->table.find(entry->key) : nullptr;
        ++entry;
        const crd::Node* below = nullptr;
        if (property != nullptr) below = property->node;
        else if (shape != nullptr) below = shape->additional;
        visit(value, below);
      }
    } else if (node.is(Kind::List)) {
      for (const Node item : node.items()) visit(item, shape != nullptr ? shape->items : nullptr);
    } else if (node.exists() && node.value().style() == ScalarStyle::Plain) {
      check(node, wanted_by(shape));
    }
  }

 private:
  void check(const Node& node, Wanted wanted) {
    if (wanted == Wanted::Other) return;
    if (const auto cut = text_cut_off(node, cluster_, file_)) {
      report_cut(node, *cut);
      return;
    }
    const auto printed = node.is(Kind::String) ? std::nullopt : text_without_quotes(node, cluster_, file_);
    if (!printed) return;
    Finding& finding = report(node, *printed, node.written(), type_words(node.value()));
    if (wanted == Wanted::Text && !node.is(Kind::Null)) finding.as(Severity::Error);
    add_fix(finding, *printed);
  }

  // Only of objects: other readers of YAML keep the text of a key.
  void check_key(const Node& member) {
    if (member.document()->object == nullptr) return;
    const auto written = retyped_key(member);
    const auto printed = written ? key_without_quotes(member, cluster_, file_) : std::nullopt;
    if (!printed) return;
    add_fix(report(member, *printed, *written, fmt::format("the key `{}`", member.key())), *printed);
  }

  // YAML drops the rest without an error.
  void report_cut(const Node& node, const CutText& cut) {
    const bool is_null = node.is(Kind::Null);
    Finding& finding = report(node, cut.printed, shown(cut.text), is_null ? "null" : "`" + shown(node.written()) + "`");
    finding.note("YAML reads a `#` at the start of a value or after a space as a comment");
    if (cut.alone) add_fix(finding, cut.printed);
    else finding.help("put the complete value in quotes, such as `key: \"… {{{{ {} }}}}\"`", inside(cut.printed));
  }

  Finding& report(const Node& node, const PrintedText& printed, std::string_view text, std::string_view result) {
    Finding& finding = report_.at_source(cluster_, printed.expression,
                                         "text is printed without quotes, so `{}` becomes {}", text, result);
    finding.place.object = cluster_.object_of(*node.document());
    finding.place.path = node.path();
    finding.related.push_back({{&cluster_, nullptr, printed.value, nullptr, {}}, "text here"});
    return finding;
  }

  std::string_view inside(const PrintedText& printed) const { return cluster_.sources().text(printed.text); }

  void add_fix(Finding& finding, const PrintedText& printed) const {
    if (printed.text != printed.inside) finding.note("`quote` quotes for a shell, as in Ansible, and not for YAML");
    finding.help("quote it: `{{{{ {} | tojson }}}}`", inside(printed))
        .fix_source(printed.inside, fmt::format("{} | tojson", inside(printed)), Safety::Safe, "quote it");
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

Reports text that a template prints without quotes and that YAML reads as another type, as null, or only up to a ` #`. In objects, it
also reports a key that YAML reads as another text.

## Why is this bad?

`version: {{ version }}` renders `version: 1.30`, which is the number 1.3. `yes` and `off` become booleans, `0644` becomes
420 and `1e3` becomes 1000, whatever quotes the values file has. `~` and `null` become null, `Team #1` becomes `Team`, and
`#alerts` becomes null, because a comment begins there. The key `no` becomes `false`. The template works until a cluster has such a value. Then the API
server rejects the object, or it or a chart gets a wrong value without any error.

The template's line is reported once for all clusters, if the value of one of them is read as another type. A boolean or a
number is an error where the API server needs text. There is no finding where the API server needs a number or a boolean, for an expression that
computes another type (`{{ value | int }}`), or for one that prints more than a scalar. Values that are null or empty and comments
that the template writes are intended. `tojson` quotes any value correctly. `quote` quotes for a shell, as in Ansible: it leaves
`1.30` and `yes` as they are.

## Example

```yaml file=values.yaml
cluster_name: a
version: "1.30"
mode: "0644"
debug: "yes"
memory: "1e3"
owner: "Team #1"
separator: "~"
channel: "#alerts"
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/app/values.yaml
image:
  {# warning: [unquoted-interpolation] "text is printed without quotes, so `1.30` becomes a number" #}
  tag: {{ version }}
{# warning: [unquoted-interpolation] "`0644` becomes a number" #}
mode: {{ mode | default("0600") }}
{# warning: [unquoted-interpolation] "`yes` becomes a boolean" #}
flags: [{{ debug }}]
{# warning: [unquoted-interpolation] "`1e3` becomes a number" #}
memory: {{ memory }}
{# warning: [unquoted-interpolation] "`Team #1` becomes `Team`" #}
owner: {{ owner }}
{# warning: [unquoted-interpolation] "`~` becomes a null value" #}
separator: {{ separator }}
{# warning: [unquoted-interpolation] "`#alerts` becomes null" #}
channel: {{ channel }}
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
