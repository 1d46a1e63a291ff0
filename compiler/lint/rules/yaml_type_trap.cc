// CAP101: unquoted texts that YAML parses as another type.
#include <algorithm>

#include "lint/engine/rule.h"
#include "lint/model/printed.h"
#include "lint/model/written.h"
#include "yaml/read.h"

namespace capwright::lint::rules::yaml_type_trap {
namespace {

bool is_scalar(const Node& node) { return node.is(Kind::Bool) || node.is(Kind::Int) || node.is(Kind::Float); }

bool names_version(std::string_view key) {
  constexpr std::string_view kNames[] = {"version", "Version", "tag", "Tag", "targetRevision", "revision"};
  return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view name) { return key.ends_with(name); });
}

std::string number_of(const Value& value) {
  return value.is(Kind::Float) ? fmt::format("{}", value.as_float()) : fmt::format("{}", value.as_int());
}

// The aliased scalar is written elsewhere, and may be a number there on purpose.
Finding& report_alias(const Node& node, Span anchor, std::string_view what, Report& report) {
  const Cluster& cluster = *node.document()->cluster;
  const std::string alias = node.written(), written(cluster.sources().text(anchor));
  Finding& finding = report.at(node, "{} `{}` needs quotes to be text", what, written);
  Place place = Place::of(node);
  place.span = anchor;
  finding.related.push_back({std::move(place), fmt::format("`{}` is an alias of this", alias)});
  return finding.help("write \"{}\" instead of `{}`, or at the anchor `&{}` if it is text everywhere", written, alias,
                      alias.substr(1));
}

Finding& report_text(const Node& node, std::string_view what, Report& report) {
  const std::string written = node.written();
  const Span span = node.span();
  const Document& document = *node.document();
  const std::string_view source = span.known() ? document.cluster->sources().text(span.file) : std::string_view();
  if (written.starts_with('*')) {
    const Span anchor = scalar_at_anchor(source, span, node.value());
    if (anchor.known()) return report_alias(node, anchor, what, report);
  }
  Finding& finding = report.at(node, "{} `{}` needs quotes to be text", what, written);
  if (is_quoted_for_shell(node, *document.cluster, *document.file)) {
    finding.note("`quote` quotes for a shell, as in Ansible, and not for YAML")
        .help("print it through `string | tojson` instead of `quote`");
    return finding.fix(node, written, Safety::Safe, "quote it");
  }
  if (const auto number = number_in_values(*document.cluster, *document.file, span)) {
    const std::string_view there = document.cluster->sources().text(*number);
    finding.help("write \"{}\" in the values", there).note("unquoted, `{}` is the number {}", there, written);
  } else if (is_text_of_values(*document.cluster, *document.file, span)) {
    return finding.note("it is text in the values, but it is printed without quotes")
        .help("print it through `tojson`, as the last filter of its expression");
  } else if (properties_of(source, span.begin).tag) {
    finding.help("write \"{}\", without the tag", written);
  } else {
    finding.help("write \"{}\"", written);
  }
  return finding.fix(node, written, Safety::Safe, "quote it");
}

// Neither shows nor changes a number that is a secret.
void check_secrets(const Node& map, Report& report) {
  for (const auto& [key, value] : map.members()) {
    if (!is_scalar(value)) continue;
    report.at(value, "the value of `{}` needs quotes to be text", key).help("put it in quotes").redact();
  }
}

// The template is wrong, which CAP108 reports: the value itself is correct.
bool is_text_in_values(const Node& node) {
  const Document& document = *node.document();
  return document.file != nullptr && text_without_quotes(node, *document.cluster, *document.file).has_value();
}

// Fields that Kubernetes defines as strings: the API server accepts nothing else.
void check_texts(const Node& map, std::string_view what, Report& report) {
  for (const auto& [key, value] : map.members()) {
    if (is_scalar(value) && !is_text_in_values(value)) report_text(value, what, report);
  }
}

// Whether it changes when parsed: 1.30 is 1.3, and 1e3 is 1000.
bool changes(const Node& version) {
  const std::string written = version.written();
  if (version.is(Kind::Float)) return written.ends_with('0') || written.find_first_of("eE_") != std::string::npos;
  return version.is(Kind::Int) &&
         (written.size() > 1 && (written[0] == '0' || written.find_first_of("_eE") != std::string::npos));
}

void check_values(const Node& node, Report& report) {
  for (const auto& [key, value] : node.members()) {
    if (names_version(key) && changes(value)) {
      if (is_text_in_values(value)) continue;
      report_text(value, "the version", report).note("it is read as the number {}", number_of(value.value()));
    } else {
      check_values(value, report);
    }
  }
  for (const Node item : node.items()) check_values(item, report);
}

// A patch that is written as text is read like a manifest: its `on: x` sets the key `"true"`.
void check_key_of_patch(const Node& member, Report& report) {
  constexpr std::string_view kFirst = "0123456789+-.tf";
  const std::string_view key = member.key();
  const File* file = member.document()->file;
  const bool may_be = !key.empty() && kFirst.find(key.front()) != std::string_view::npos && file != nullptr &&
                      file->rendered != nullptr && member.key_span().known();
  if (!may_be) return;
  const Segment* maker = file->rendered->body.segment_at(member.key_span().begin);
  if (maker == nullptr || maker->literal || maker->tainted || !maker->where.known()) return;
  const std::string_view written = member.document()->cluster->sources().text(maker->where);
  if (written == key || resolve_plain(written, ScalarRules::Kubernetes).is(Kind::String)) return;
  Finding& finding = report.at(member, "the key `{}` needs quotes to be text", written);
  finding.place.span = member.key_span();
  finding.note("the API server gets the key `{}`", key).help("write \"{}\"", written);
}

// Not the text of a secret, nor a key that CAP108 reports.
void check_key(const Node& member, Report& report) {
  const auto written = retyped_key(member);
  if (!written) return check_key_of_patch(member, report);
  const Cluster& cluster = *member.document()->cluster;
  const File* file = member.document()->file;
  const bool is_rendered = file != nullptr && file->rendered != nullptr;
  if (is_rendered && file->rendered->body.segment_at(member.key_span().begin)->tainted) return;
  if (is_rendered && key_without_quotes(member, cluster, *file)) return;
  Place place = Place::of(member);
  place.span = member.key_span();
  Finding& finding = report.at(member, "the key `{}` needs quotes to be text", *written);
  finding.place.span = place.span;
  finding.note("the API server gets the key `{}`", member.key())
      .help("write \"{}\"", *written)
      .fix({Replacement::What::Text, std::move(place), std::string(*written), std::string(*written)}, Safety::Safe,
           "quote it");
}

void check_keys(const Node& node, Report& report) {
  for (const auto& [key, value] : node.members()) {
    check_key(value, report);
    check_keys(value, report);
  }
  for (const Node item : node.items()) check_keys(item, report);
}

void check_object(const Object& object, Report& report) {
  check_keys(object.root(), report);
  check_texts(object["metadata.annotations"], "the annotation", report);
  check_texts(object["metadata.labels"], "the label", report);
  if (object.kind() == "ConfigMap" && object.group().empty()) check_texts(object["data"], "the value", report);
  if (object.kind() == "Secret" && object.group().empty()) check_secrets(object["stringData"], report);
}

void check_others(const Cluster& cluster, Report& report) {
  for (const File& file : cluster.files()) {
    const bool is_values = file.root().is(Kind::Map) && cluster.object_of(file.documents.front()) == nullptr;
    if (is_values) check_values(file.root(), report);
  }
}

}  // namespace

CW_LINT_RULE(yaml_type_trap){
    .code = "CAP101",
    .name = "yaml-type-trap",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports an unquoted scalar that YAML reads as a number or a boolean where text is needed, and an unquoted key of an object that
YAML reads as another text.

## Why is this bad?

Annotations, labels and the data of ConfigMaps are text. The API server rejects `sync-wave: 5`, `enabled: yes` and `mode:
0644`, or a tool changes them on the way. In chart values, the version `1.30` becomes the number 1.3, and an image of another
version is pulled.

Keys are text, too. The API server accepts the key `no`, but stores it as `false`: `yes`, `on` and `y` become `true`, `0x10` becomes
`16`, and `1.30` becomes `1.3`. Whatever reads the object doesn't find the key. Keys such as `80` and `true` stay as they are.

A text of the values file, such as `"1.30"`, that a template prints without quotes is reported by CAP108.

## Example

```yaml
kind: Namespace
metadata:
  name: a
  labels: {enabled: yes}   # warning: [yaml-type-trap] "the label `yes`"
  annotations:
    argocd.argoproj.io/sync-wave: 5   # warning: [yaml-type-trap] "the annotation `5` needs quotes to be text"
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b}
data:
  mode: 0644   # warning: [yaml-type-trap] "the value `0644`"
  no: NOK      # warning: [yaml-type-trap] "the key `no` needs quotes to be text"
```

## Use instead

```yaml
kind: Namespace
metadata:
  name: a
  labels: {enabled: "yes"}
  annotations: {argocd.argoproj.io/sync-wave: "5"}
```

## Fix

Safe: puts the scalar or the key in quotes.
)md",
    .fixes = Safety::Safe,
    .instead_of_server = true,
    .check_object = check_object,
    .check_cluster = check_others,
};

}  // namespace capwright::lint::rules::yaml_type_trap
