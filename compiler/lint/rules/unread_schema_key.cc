// CAP106: keys that a schema declares and no template of its set reads.
#include "lint/engine/rule.h"
#include "lint/model/schema_walk.h"
#include "lint/model/template_reads.h"

namespace capwright::lint::rules::unread_schema_key {
namespace {

// The keys that templates read at a path as the walk writes it: "pools[].name".
Reading reading_at(const TemplateReads& reads, const std::vector<std::string_view>& steps) {
  Reading reading = reads.values();
  for (const std::string_view step : steps) {
    if (reading.is_whole()) break;
    reading = reading[step];
  }
  return reading;
}

class Keys {
 public:
  Keys(const TemplateSet& set, const Cluster& cluster, Report& report)
      : set_(set), cluster_(cluster), reads_(all_templates(set)), report_(report) {}

  void run() {
    walk_schema(*set_.schema, [&](const Declared& place) { return look(place); });
  }

 private:
  bool look(const Declared& place) {
    if (place.path.empty()) return true;
    if (is_read_by_compiler(set_, place.path)) return false;
    const Reading reading = reading_at(reads_, steps_of(place));
    if (reading.is_whole()) return false;
    if (reading.is_touched() || place.property == nullptr) return true;
    if (!is_another_spelling(place)) report(place);
    return false;
  }

  // Keys may contain dots, so the steps come from the parents.
  std::vector<std::string_view> steps_of(const Declared& place) {
    std::string_view rest = place.path;
    std::vector<std::string_view> steps;
    while (!rest.empty()) {
      if (rest.starts_with("[]")) {
        steps.push_back(Reading::kItem);
        rest.remove_prefix(2);
      } else {
        if (rest.front() == '.') rest.remove_prefix(1);
        const bool is_last = place.property != nullptr && rest == place.property->name.text();
        const std::size_t end = is_last ? rest.size() : std::min(rest.find_first_of(".["), rest.size());
        steps.push_back(rest.substr(0, end));
        rest.remove_prefix(end);
      }
    }
    return steps;
  }

  // `worker_count` is normalized to `worker_pools[0].count` before templates see the values.
  static bool is_another_spelling(const Declared& place) {
    for (const schema::Node* node : place.nodes) {
      if (node->notes != nullptr && (!node->notes->normalized_to.empty() || node->notes->deprecated)) return true;
    }
    return false;
  }

  void report(const Declared& place) {
    const Span span = set_.origins[place.property->name.origin()].span;
    // Sets needn't use all keys that they share.
    if (!span.known() || set_.sources.path(span.file).ends_with("common.schema.json")) return;
    report_.at_source(cluster_, span, "the schema declares `{}`, but no template reads it", place.path)
        .help("remove it, or let a template use it");
  }

  const TemplateSet& set_;
  const Cluster& cluster_;
  TemplateReads reads_;
  Report& report_;
};

void check(const TemplateSet& set, const Cluster& cluster, Report& report) {
  if (set.schema != nullptr) Keys(set, cluster, report).run();
}

}  // namespace

CW_LINT_RULE(unread_schema_key){
    .code = "CAP106",
    .name = "unread-schema-key",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a key that a template set's schema declares and none of its templates reads.

## Why is this bad?

The schema is what the set promises: editors complete the key, users set it, and nothing happens.

All templates of the set count, however they are included. A map that is passed on as a whole counts as read with all its
keys. Keys of the schema that all sets share, deprecated keys and aliases are exempt. Keys that templates read and the schema
doesn't declare are reported as T150.

## Example

```yaml file=values.yaml
cluster_name: a
network: {cidr: 10.0.0.0/16}
```
```json file=schema.json
{
  "properties": {
    "cluster_name": {"type": "string"},
    "network": {
      "properties": {
        "cidr": {"type": "string"},
        "mtu": {"type": "integer", "$comment": "warning: [unread-schema-key] `network.mtu`"}
      },
      "additionalProperties": false
    },
    "proxy": {"type": "string", "$comment": "warning: [unread-schema-key] `proxy`"},
    "pools": {
      "items": {
        "properties": {
          "name": {"type": "string"},
          "spot": {"type": "boolean", "$comment": "warning: [unread-schema-key] `pools[].spot`"}
        }
      }
    }
  },
  "additionalProperties": false
}
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/app.yaml
cidr: "{{ network.cidr }}"
{% for pool in pools | default([]) %}
name: "{{ pool.name }}"
{% endfor %}
```

## Use instead

```yaml file=values.yaml
cluster_name: a
labels: {team: web}
```
```json file=schema.json
{
  "properties": {
    "cluster_name": {"type": "string"},
    "labels": {"properties": {"team": {"type": "string"}, "tier": {"type": "string"}}},
    "old_name": {"type": "string", "deprecated": true}
  },
  "additionalProperties": false
}
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/app.yaml
labels: {{ labels | tojson }}
```
)md",
    .check_set = check,
};

}  // namespace capwright::lint::rules::unread_schema_key
