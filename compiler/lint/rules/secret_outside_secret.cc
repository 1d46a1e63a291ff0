// CAP703: values of a Secret that also appear elsewhere.
#include <algorithm>
#include <bitset>
#include <map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "lint/engine/rule.h"
#include "lint/facts/credentials.h"

namespace capwright::lint::rules::secret_outside_secret {
namespace {

constexpr std::size_t kShortest = 8;  // shorter values are common words

// A readable value on one line, and its Secret.
struct Known {
  std::string text;
  SecretLeaf leaf;
  const Object* object;
};

// The readable values of a cluster, for searching its other texts. They are indexed by their first bytes, so that each
// text is scanned once, whatever their number.
class KnownValues {
 public:
  explicit KnownValues(std::vector<Known> all) : all_(std::move(all)) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      starts_.set(start_of(all_[i].text));
      by_start_[std::string_view(all_[i].text).substr(0, kShortest)].push_back(i);
    }
  }

  bool is_empty() const { return all_.empty(); }
  // The first value that a text contains; null if there is none.
  const Known* find_in(std::string_view text) const {
    std::size_t first = all_.size();
    for (; text.size() >= kShortest && !all_.empty(); text.remove_prefix(1)) {
      if (!starts_[start_of(text)]) continue;
      const auto found = by_start_.find(text.substr(0, kShortest));
      if (found == by_start_.end()) continue;
      for (const std::size_t number : found->second) {
        if (number < first && text.starts_with(all_[number].text)) first = number;
      }
    }
    return first == all_.size() ? nullptr : &all_[first];
  }

 private:
  // A number below 4096 from the first bytes: most bytes of a text don't start a secret.
  static std::size_t start_of(std::string_view text) { return hash_text(text.substr(0, 3)) >> 20; }

  std::vector<Known> all_;
  std::bitset<4096> starts_;
  std::map<std::string_view, std::vector<std::size_t>> by_start_;
};

std::vector<Known> readable_values(const Cluster& cluster) {
  std::vector<Known> known;
  for (const Object* object : cluster.objects()) {
    for (const SecretLeaf& leaf : secret_leaves(*object)) {
      if (leaf.exposure != Exposure::Readable || leaf.nested) continue;
      const std::string text = secret_text(leaf.node, leaf.base64).value_or("");
      if (text.size() >= kShortest && text.find('\n') == std::string::npos) known.push_back({text, leaf, object});
    }
  }
  return known;
}

// Places for secrets: data of Secrets and SealedSecrets, and the template of an ExternalSecret.
bool is_form(const Object* object, const Node& node) {
  if (object == nullptr) return false;
  const auto is_below = [&](std::string_view field) { return node.path().starts_with(field); };
  if (is_secret(*object)) return is_below("data") || is_below("stringData");
  if (object->kind() == "SealedSecret") return is_below("spec.encryptedData");
  return object->kind() == "ExternalSecret" && is_below("spec.target.template");
}

void report_copy(const Node& node, const Known& known, Report& report) {
  report.at(node, "the value of `{}` in {} is repeated here", known.leaf.key, known.object->title())
      .redact()
      .also(known.leaf.node, "it belongs only here")
      .help("refer to the Secret instead, for example with `secretKeyRef` or a mounted file");
}

struct Texts {
  const KnownValues& known;
  const Object* object;  // the object with the text; null: none
};

void check_text(const Texts& texts, const Node& node, std::string_view key, Report& report) {
  if (is_form(texts.object, node)) return;
  if (is_tainted(node)) {
    report.at(node, "a secret value is outside a Secret").redact().help("move it to a Secret, and refer to that here");
    return;
  }
  const Known* found = texts.known.find_in(node.text());
  if (found == nullptr) return;
  // CAP707 reports texts that look like a secret.
  const bool is_told = !secrets::key_material_in(node.text()).empty() || secrets::is_random_secret(key, node.text());
  if (!is_told) report_copy(node, *found, report);
}

// `kubectl apply` stores the applied object in an annotation, which encryption of `data` doesn't cover.
bool has_copy(const Object& object) {
  const Node copy = last_applied(object);
  if (!is_secret(object) || !copy || copy.text().find("ENC[") != std::string_view::npos) return false;
  const std::vector<Value> documents = documents_in(copy.text(), object.cluster());
  return std::any_of(documents.begin(), documents.end(), [](const Value& document) {
    return document.find("data") != nullptr || document.find("stringData") != nullptr;
  });
}

void check_object(const Object& object, Report& report) {
  if (!has_copy(object)) return;
  report.at(last_applied(object), "the annotation of `kubectl apply` repeats the Secret's data")
      .redact()
      .note("sops only encrypts `data` and `stringData`, and more people can read annotations than Secrets")
      .help("delete the annotation");
}

void check(const Cluster& cluster, Report& report) {
  const KnownValues known(readable_values(cluster));
  for (const File& file : cluster.files()) {
    for (const Document& document : file.documents) {
      const Object* object = cluster.object_of(document);
      const bool reported = object != nullptr && has_copy(*object);
      if (known.is_empty() && file.rendered == nullptr) continue;
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
## What it does

Reports a secret value outside a Secret.

## Why is this bad?

ConfigMaps, annotations, container arguments and chart values are visible to users and programs that may not read Secrets,
and to logs and dashboards. Encryption of Secrets, by sops or in etcd, doesn't cover them.

Secret values are those that a template set's schema marks, and the readable values of the tree's Secrets. Built-in template
sets never render them outside Secrets; your own templates may. The copy that `kubectl apply` keeps in an annotation is
found, too.

## Example

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
  dsn: host=db.example.com user=app password=correct-horse-battery   # error: [secret-outside-secret] "is repeated here"
```

## Use instead

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
)md",
    .check_object = check_object,
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::secret_outside_secret
