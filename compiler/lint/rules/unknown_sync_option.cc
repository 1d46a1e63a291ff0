// CAP815: sync options that Argo CD doesn't have and therefore ignores.
#include <algorithm>
#include <iterator>

#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/facts/applications.h"
#include "lint/facts/catalogue.h"
#include "text/trim.h"

namespace capwright::lint::rules::unknown_sync_option {
namespace {

// Booleans of YAML 1.1, which Argo CD uses.
std::string_view as_boolean(std::string_view value) {
  constexpr std::string_view kTrue[] = {"yes", "on", "1"}, kFalse[] = {"no", "off", "0"};
  if (std::find(std::begin(kTrue), std::end(kTrue), value) != std::end(kTrue)) return "true";
  return std::find(std::begin(kFalse), std::end(kFalse), value) != std::end(kFalse) ? "false" : value;
}

// Empty when Argo CD has it; otherwise the option that was probably meant, or an empty text.
std::optional<std::string> correction_of(std::string_view option) {
  const std::string_view name = option.substr(0, option.find('='));
  const bool has_value = name.size() != option.size();
  std::vector<std::string_view> names;
  for (const Value& known : fact(argocd_facts(), "sync_options").items()) {
    const std::string_view known_name = fact(known, "name").text();
    names.push_back(known_name);
    if (known_name != name) continue;
    const std::vector<std::string_view>& values = words_of(fact(known, "values"));
    const std::string_view value = has_value ? option.substr(name.size() + 1) : "";
    if (std::find(values.begin(), values.end(), value) != values.end()) return std::nullopt;
    const std::string_view best = has_value ? nearest(as_boolean(value), values) : values.front();
    return best.empty() ? "" : fmt::format("{}={}", name, best);
  }
  const std::string_view best = nearest(name, names);
  if (best.empty()) return "";
  return fmt::format("{}={}", best, has_value ? option.substr(name.size() + 1) : "true");
}

Finding& report_option(const Node& place, std::string_view option, const std::string& correction, Report& report) {
  Finding& finding = report.at(place, "unknown sync option `{}`", option);
  finding.note("Argo CD ignores it without a message");
  if (!correction.empty()) finding.help("did you mean `{}`?", correction);
  return finding;
}

// `- CreateNamespace: true`: the syntax of other option lists.
void check_map(const Node& option, Report& report) {
  if (option.size() != 1) return;
  const Member only = *option.members().begin();
  const std::string text = fmt::format("{}={}", only.key, only.value.written());
  const std::string meant = correction_of(text).value_or(text);
  report.at(option, "a sync option is a string, but `{}` is a key here", only.key)
      .help("write `{}`", meant.empty() ? text : meant);
}

// Argo CD ignores annotations with unknown names.
void check_name(const Object& object, Report& report) {
  constexpr std::size_t kMostEdits = 2;
  for (const auto& [key, value] : object["metadata.annotations"].members()) {
    constexpr std::size_t kSize = kOptionsAnnotation.size();
    if (key.size() + kMostEdits < kSize || key.size() > kSize + kMostEdits) continue;
    const std::size_t edits = edit_distance(key, kOptionsAnnotation);
    if (edits == 0 || edits > kMostEdits) continue;
    report.at(value, "unknown annotation `{}`", key)
        .note("Argo CD ignores it without a message")
        .help("did you mean `{}`?", kOptionsAnnotation)
        .fix_key(value, std::string(kOptionsAnnotation), Safety::Unsafe, "use the annotation that Argo CD knows");
  }
}

void check(const Object& object, Report& report) {
  check_name(object, report);
  for (const Node option : application_in(object)["spec.syncPolicy.syncOptions"].items()) {
    if (option.is(Kind::Map)) check_map(option, report);
    if (!option.is(Kind::String) || is_generated(option.text())) continue;
    const auto correction = correction_of(option.text());
    if (!correction) continue;
    Finding& finding = report_option(option, option.text(), *correction, report);
    if (!correction->empty()) finding.fix(option, *correction, Safety::Unsafe, "use the option that Argo CD knows");
  }
  const Node annotation = object.annotation(kOptionsAnnotation);
  for (std::string_view rest = annotation.text(); !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view option = trimmed(rest.substr(0, end), " ");
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto correction = option.empty() ? std::nullopt : correction_of(option);
    if (correction) report_option(annotation, option, *correction, report);
  }
}

}  // namespace

CW_LINT_RULE(unknown_sync_option){
    .code = "CAP815",
    .name = "unknown-sync-option",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a sync option with a name or value that Argo CD doesn't know.

## Why is this bad?

Argo CD ignores unknown options: `ServerSideAply=true` keeps client-side apply, and `Prune=Confirm` protects nothing. Options
are case-sensitive. The rule checks Applications, templates of ApplicationSets and the annotation
`argocd.argoproj.io/sync-options`, including a misspelled name of that annotation. Options of an Application are strings, not
maps.

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: app}
spec:
  syncPolicy:
    syncOptions:
      - ServerSideAply=true   # error: [unknown-sync-option] "unknown sync option `ServerSideAply=true`"
      - PruneLast   # error: [unknown-sync-option]
      - CreateNamespace=yes   # error: [unknown-sync-option]
      - Validate=off   # error: [unknown-sync-option]
      - CreateNamespace: true   # error: [unknown-sync-option] "`CreateNamespace` is a key here"
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps}
spec:
  template:
    spec:
      syncPolicy: {syncOptions: [CreateNamespaces=true]}   # error: [unknown-sync-option] "unknown sync option `CreateNamespaces=true`"
```

## Use instead

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: app
  annotations: {argocd.argoproj.io/sync-options: "Prune=confirm, Delete=false"}
spec:
  syncPolicy:
    syncOptions: [CreateNamespace=true, PrunePropagationPolicy=foreground, RespectIgnoreDifferences=true]
```

## Fix

Unsafe: uses the similar option or annotation that Argo CD knows.
)md",
    .fixes = Safety::Unsafe,
    .instead_of_server = true,
    .check_object = check,
};

}  // namespace capwright::lint::rules::unknown_sync_option
