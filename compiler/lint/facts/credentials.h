// Secrets in objects that no schema marks: recognized by their place (data of a Secret) or their form.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/model/cluster.h"
#include "secrets/credentials.h"

namespace capwright::lint {

using secrets::Exposure;

// A value below `data` or `stringData` of a Secret, or one that contains such a Secret.
struct SecretLeaf {
  Node node;
  std::string_view key;
  Exposure exposure = Exposure::Public;
  bool base64 = false;
  bool nested = false;  // the text contains a Secret, as for a ClusterResourceSet
};
// The leaves of a Secret, of a ConfigMap that contains a manifest, or the readable ones in an ExternalSecret's
// template. In order.
const std::vector<SecretLeaf>& secret_leaves(const Object& object);

bool is_secret(const Object& object);
// The annotation in which `kubectl apply` stores the complete applied object.
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
Node last_applied(const Object& object);
// Whether it has the metadata that `sops` writes.
bool is_sops(const Object& object);

// Whether it contains bytes of a marked secret: only possible for files rendered in this run.
bool is_tainted(const Node& scalar);

// The text of a value in `data`, decoded if possible, or in `stringData`; empty when it isn't text.
std::optional<std::string> secret_text(const Node& leaf, bool base64);

// Calls `visit(const Node&, std::string_view key)` for every text below a Node, in order. The key of an item is empty;
// the key of a variable, `{name: PASSWORD, value: …}`, is its name.
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

// The YAML documents in a text, without unreadable ones. They live as long as the cluster.
std::vector<Value> documents_in(std::string_view text, const Cluster& cluster);

}  // namespace capwright::lint
