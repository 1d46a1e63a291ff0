// CAP703: the value of a Secret that stands somewhere else, too.
#include <algorithm>

#include "lint/credentials.h"
#include "lint/rule.h"

namespace capwright::lint {
namespace {

constexpr std::size_t kShortest = 8;  // shorter values are words that stand anywhere
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

// A readable value on one line, and whose it is.
struct Known {
  std::string text;
  SecretLeaf leaf;
  const Object* object;
};

std::vector<Known> readable_values(const Cluster& cluster) {
  std::vector<Known> known;
  for (const Object* object : cluster.objects()) {
    for (const SecretLeaf& leaf : secret_leaves(*object)) {
      if (leaf.guise != Guise::Readable || leaf.nested) continue;
      const std::string text = secret_text(leaf.node, leaf.base64).value_or("");
      if (text.size() >= kShortest && text.find('\n') == std::string::npos) known.push_back({text, leaf, object});
    }
  }
  return known;
}

// Where secrets belong: data of Secrets, also before they are sealed.
bool is_form(const Object* object, const Node& node) {
  if (object == nullptr) return false;
  const auto is_below = [&](std::string_view field) { return node.path().starts_with(field); };
  if (is_secret(*object)) return is_below("data") || is_below("stringData");
  if (object->kind() == "SealedSecret") return is_below("spec.encryptedData");
  if (object->kind() == "ExternalSecret") return is_below("spec.target.template");
  return object->kind() == "List";  // its Secrets have a finding of their own
}

void report_copy(const Node& node, const Known& known, Report& report) {
  report.at(node, "the value of `{}` in {} stands here, too", known.leaf.key, known.object->title())
      .conceal()
      .also(known.leaf.node, "it belongs here alone")
      .help("refer to the Secret instead, such as by `secretKeyRef` or a mounted file");
}

struct Texts {
  const std::vector<Known>& known;
  const Object* object;  // that they are in; null: none
};

void check_text(const Texts& texts, const Node& node, std::string_view key, Report& report) {
  if (is_form(texts.object, node)) return;
  if (is_tainted(node)) {
    report.at(node, "a secret value stands outside of a Secret")
        .conceal()
        .help("put it into a Secret, and refer to that here");
    return;
  }
  const auto found = std::find_if(texts.known.begin(), texts.known.end(), [&](const Known& one) {
    return node.text().find(one.text) != std::string_view::npos;
  });
  if (found == texts.known.end()) return;
  // What looks like a secret by itself is CAP707.
  const bool is_told = !key_material_in(node.text()).empty() || is_random_secret(key, node.text());
  if (!is_told) report_copy(node, *found, report);
}

// `kubectl apply` leaves what it was given in an annotation, which no encryption of `data` covers.
bool check_last_applied(const Object& object, Report& report) {
  const Node copy = object.annotation(kLastApplied);
  if (!is_secret(object) || !copy) return false;
  for (const Value& document : documents_in(copy.text(), object.cluster())) {
    const bool has_data = document.find("data") != nullptr || document.find("stringData") != nullptr;
    if (!has_data || copy.text().find("ENC[") != std::string_view::npos) continue;
    report.at(copy, "the annotation of `kubectl apply` repeats the Secret's data")
        .conceal()
        .note("sops encrypts `data` and `stringData`, and annotations are open to more people than Secrets are")
        .help("delete the annotation");
    return true;
  }
  return false;
}

void check(const Cluster& cluster, Report& report) {
  const std::vector<Known> known = readable_values(cluster);
  for (const File& file : cluster.files()) {
    for (const Document& document : file.documents) {
      const Object* object = cluster.object_of(document);
      const bool reported = object != nullptr && check_last_applied(*object, report);
      if (known.empty() && file.rendered == nullptr) continue;
      each_text(Node(document), [&](const Node& node, std::string_view key) {
        if (!reported || key != kLastApplied) check_text({known, object}, node, key, report);
      });
    }
  }
}

}  // namespace

CW_LINT_RULE(secret_outside_secret){
    .code = "CAP703",
    .name = "secret-outside-secret",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
A secret value stands outside of a Secret.

In a ConfigMap, an annotation, an argument of a container or the values of a chart, people and programs read it that may not
read Secrets; logs and dashboards show it; encryption of Secrets, by sops or in etcd, doesn't cover it.

Secret are the values that the schema of a template set marks, and the readable values of the tree's own Secrets. The template
sets of capwright render nothing like that; templates of your own may. `kubectl apply` copies a whole Secret into an
annotation: that copy is found, too.

## Invalid

```yaml
apiVersion: v1
kind: Secret
metadata: {name: db}
stringData: {password: correct-horse-battery}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: app}
data:
  dsn: host=db.example.com user=app password=correct-horse-battery   # error: [secret-outside-secret] "stands here, too"
```

```yaml
apiVersion: v1
kind: Secret
metadata:
  name: db
  annotations:
    # error: [secret-outside-secret] "repeats the Secret's data"
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"v1","kind":"Secret","metadata":{"name":"db"},"data":{"password":"aHVudGVyMmh1bnRlcjI="}}
data:
  password: ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]
```

```yaml file=values.yaml
cluster_name: a
token: correct-horse-battery   # error: [secret-outside-secret] "a secret value stands outside of a Secret"
```
```json file=schema.json
{"properties": {"cluster_name": {"type": "string"}, "token": {"type": "string", "x-secret": true}}}
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/app.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: app}
data:
  token: "{{ token }}"
```

## Valid

```yaml
apiVersion: v1
kind: Secret
metadata: {name: db}
stringData: {password: correct-horse-battery, user: app}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: app}
data: {user: app, url: postgres://db.example.com/app}
```

```yaml file=values.yaml
cluster_name: a
token: correct-horse-battery
```
```json file=schema.json
{"properties": {"cluster_name": {"type": "string"}, "token": {"type": "string", "x-secret": true}}}
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/app.yaml
apiVersion: v1
kind: Secret
metadata: {name: app}
stringData:
  token: "{{ token }}"
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint
