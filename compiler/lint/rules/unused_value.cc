// CAP104: values that no template reads.
#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "diag/suggest.h"
#include "lint/engine/claims.h"
#include "lint/engine/rule.h"
#include "lint/model/template_reads.h"

namespace capwright::lint::rules::unused_value {
namespace {

// Walks the values of one cluster.
class ValueWalk {
 public:
  ValueWalk(const Cluster& cluster, ClaimReport& report)
      : cluster_(cluster), set_(*cluster.templates()), origins_(cluster.compiled()->origins), report_(report) {}

  void run(const TemplateReads& reads) {
    const Value& values = cluster_.compiled()->values;
    collect_used(values, reads.values(), "");
    std::sort(used_.begin(), used_.end());
    members(values, reads.values(), "");
  }

 private:
  static std::string below(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : path + "." + std::string(key);
  }
  bool is_read(const Reading& reading, const std::string& path) const {
    return reading.is_whole() || is_read_by_compiler(set_, path);
  }

  // Collects the sources of values that are read: a reference makes a value readable under another name.
  void collect_used(const Value& value, const Reading& reading, const std::string& path) {
    if (is_read(reading, path)) return collect_all(value);
    if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries())
        collect_used(entry.value, reading[entry.key.text()], below(path, entry.key.text()));
    } else if (value.is(Kind::List)) {
      const Reading item = reading[Reading::kItem];
      for (const Value& one : value.items()) collect_used(one, item, path + "[]");
    } else if (reading.is_touched()) {
      collect_all(value);
    }
  }
  void collect_all(const Value& value) {
    if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries()) collect_all(entry.value);
    } else if (value.is(Kind::List)) {
      for (const Value& item : value.items()) collect_all(item);
    } else {
      for (const OriginId leaf : origins_.leaves(value.origin())) used_.push_back(origins_[leaf].span);
    }
  }
  bool is_used(const Value& value) const {
    if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries()) {
        if (is_used(entry.value)) return true;
      }
      return false;
    }
    if (value.is(Kind::List)) {
      for (const Value& item : value.items()) {
        if (is_used(item)) return true;
      }
      return false;
    }
    for (const OriginId leaf : origins_.leaves(value.origin())) {
      if (std::binary_search(used_.begin(), used_.end(), origins_[leaf].span)) return true;
    }
    return false;
  }

  void members(const Value& map, const Reading& reading, const std::string& path) {
    if (!map.is(Kind::Map)) return;
    for (const Entry& entry : map.entries()) member(entry, map, reading, below(path, entry.key.text()));
  }

  void member(const Entry& entry, const Value& map, const Reading& above, const std::string& path) {
    const Reading reading = above[entry.key.text()];
    const bool touched = reading.is_touched() || is_read_by_compiler(set_, path) || is_used(entry.value);
    note(entry, map, above, path, touched);
    if (touched && !is_read(reading, path)) inside(entry.value, reading, path);
  }

  void inside(const Value& value, const Reading& reading, const std::string& path) {
    members(value, reading, path);
    if (!value.is(Kind::List)) return;
    const Reading item = reading[Reading::kItem];
    if (!item.is_touched() || item.is_whole()) return;
    for (const Value& one : value.items()) inside(one, item, path + "[]");
  }

  void note(const Entry& entry, const Value& map, const Reading& above, const std::string& path, bool is_read) {
    const Origin& origin = origins_[entry.key.origin()];
    if (origin.kind != Origin::Kind::Input || SourceSet::is_shared(origin.span.file)) return;
    const std::string_view file = cluster_.sources().path(origin.span.file);
    if (!cluster_.context().is_whole && file != cluster_.compiled()->values_path) return;
    std::string setting(file);
    setting.append("\n").append(std::to_string(origin.span.begin)).append("\n").append(path);
    if (is_read) return report_.deny(setting);
    std::vector<std::string_view> candidates;
    for (const std::string_view key : above.keys()) {
      if (map.find(key) == nullptr) candidates.push_back(key);
    }
    const std::string meant(nearest(entry.key.text(), candidates));
    Finding& finding =
        report_.claim(std::move(setting), cluster_, origin.span, "`{}` is set, but no template reads it", path);
    finding.help("{}", meant.empty() ? "remove it" : fmt::format("did you mean `{}`?", meant));
    if (meant.empty()) return;
    finding.fix(Replacement{Replacement::What::Key, finding.place, std::string(entry.key.text()), meant},
                Safety::Unsafe, "use the value that is read");
  }

  const Cluster& cluster_;
  const TemplateSet& set_;
  const OriginTable& origins_;
  ClaimReport& report_;
  std::vector<Span> used_;  // sorted
};

void check(const Cluster& cluster, ClaimReport& report) {
  if (cluster.templates() == nullptr || !cluster.values()) return;
  const std::vector<OwnResource>& resources = cluster.compiled()->own.resources;
  const Templates templates = templates_of(*cluster.templates(), cluster.values().value(), resources);
  // Templates of resources belong to the cluster, so the run doesn't keep what they read.
  if (resources.empty()) ValueWalk(cluster, report).run(*reads_of(templates, cluster.context()));
  else ValueWalk(cluster, report).run(TemplateReads(templates));
}

}  // namespace

CW_LINT_RULE(unused_value){
    .code = "CAP104",
    .name = "unused-value",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a value that is set although no template that renders the cluster reads it.

## Why is this bad?

The cluster isn't what its values say: the key is misspelled, belongs to another kind of cluster, or is left over from a
template that no longer exists.

The rule follows `include`, `import` and `extends` from the main template. A value in a shared layer counts as read when one
of the layer's clusters reads it; shared layers are only checked when the whole repository is linted. A map that a template
passes to a filter or a macro counts as read with all its keys. A value that another value refers to counts as read when that
one is. Keys that templates read and the schema doesn't declare are reported as T150.

## Example

```yaml file=values.yaml
cluster_name: a
replicas: 3
image: ubuntu-24.04
flavour: m1.large   # warning: [unused-value] "`flavour` is set, but no template reads it"
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/pool.yaml
replicas: {{ replicas }}
image: "{{ image }}"
flavor: "{{ flavor | default('m1.small') }}"
```

## Use instead

```yaml file=values.yaml
cluster_name: a
labels: {team: web, tier: front}
network:
  cidr: 10.0.0.0/16
pools:
  - name: small
    taints: [{key: a, effect: NoSchedule}]
debug: false
```
```jinja file=main.j2
{% macro head(pool) %}
name: "{{ pool.name }}"
{% endmacro %}
# FILE: clusters/{{ cluster_name }}/pools.yaml
labels: {{ labels | tojson }}
{% set net = network %}
cidr: "{{ net.cidr }}"
{% for pool in pools %}
---
{{ head(pool) }}
{% for taint in pool.taints %}
key: "{{ taint.key }}"
effect: "{{ taint.effect }}"
{% endfor %}
{% endfor %}
{% if debug %}
debug: true
{% endif %}
```

## Fix

Unsafe: renames a misspelled key to the key that templates read.
)md",
    .fixes = Safety::Unsafe,
    .check_shared = check,
};

}  // namespace capwright::lint::rules::unused_value
