// Secrets in manifests that nobody has marked: told by where they stand (data of a Secret) and by what they look like.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/cluster.h"

namespace capwright::lint {

// What stands where a secret is expected.
enum class Guise : std::uint8_t {
  Public,     // nothing, or no secret: a region, a certificate
  Encrypted,  // by sops
  Reference,  // filled in by whoever applies it: `<password>`, `{{ .password }}`
  Unset,      // somebody forgot to: `CHANGEME`
  Readable,
};
Guise guise_of(std::string_view key, std::string_view text);
// Of a key in the data of a Secret: whether its value is a file of settings; whether it is no secret, such as `region`.
bool is_configuration(std::string_view key);
bool is_public_key(std::string_view key);

// Whether a text says `kind: Secret`, in YAML or JSON.
bool holds_secret_document(std::string_view text);

// "an access key of AWS": what secret a text holds, told by its form alone; empty: none.
std::string_view key_material_in(std::string_view text);
// Whether a text of this YAML may hold any: nearly never, so that all are asked at once.
bool may_hold_key_material(std::string_view yaml);
// Whether a field of this name holds a secret when its text looks random, and whether it does.
bool is_random_secret(std::string_view name, std::string_view text);

// A value below `data` or `stringData` of a Secret, or one that holds such a Secret.
struct SecretLeaf {
  Node node;
  std::string_view key;
  Guise guise = Guise::Public;
  bool base64 = false;
  bool nested = false;  // a Secret stands in the text, as ClusterResourceSets have them
};
// Those of a Secret, of a ConfigMap with a manifest in it; of the template of an ExternalSecret the readable ones. In
// order.
const std::vector<SecretLeaf>& secret_leaves(const Object& object);

bool is_secret(const Object& object);
// What `kubectl apply` has left of an object in an annotation of it: all that it was given.
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
Node last_applied(const Object& object);
// Has the metadata that `sops` writes.
bool is_sops(const Object& object);

// Whether bytes of a marked secret are in it: only in what was rendered in this run.
bool is_tainted(const Node& scalar);

// The text of a value of `data`, decoded if it can be, or of `stringData`; nothing when it is no text.
std::optional<std::string> secret_text(const Node& leaf, bool base64);

// Calls `visit(const Node&, std::string_view key)` with every text below a Node, in order; of an item the key is empty.
// Of a variable, `{name: PASSWORD, value: …}`, the key is its name.
template <class Visit>
void each_text(const Node& node, const Visit& visit) {
  const auto look_at = [&](const Node& below, std::string_view key) {
    if (below.is(Kind::String)) visit(below, key);
    else if (below.is(Kind::Map) || below.is(Kind::List)) each_text(below, visit);
  };
  for (const auto& [key, value] : node.members()) {
    const std::string_view name = key == "value" ? node["name"].text() : std::string_view();
    look_at(value, name.empty() ? key : name);
  }
  for (const Node item : node.items()) look_at(item, {});
}

// The documents of YAML that stands in a text; those that can't be read are left out. They live as long as the cluster.
std::vector<Value> documents_in(std::string_view text, const Cluster& cluster);

}  // namespace capwright::lint
