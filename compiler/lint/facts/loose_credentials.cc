// Checks the form first, then the name, then the place: hardly any text looks like a secret.
#include "lint/facts/loose_credentials.h"

#include <string_view>

#include "lint/facts/credentials.h"
#include "secrets/placeholders.h"

namespace capwright::lint {
namespace {

// CAP701, CAP704 and CAP705 check the data of Secrets.
bool has_own_rule(const Object* object, const Node& node) {
  if (object == nullptr) return false;
  const auto is_below = [&](std::string_view field) { return node.path().starts_with(field); };
  if (is_secret(*object)) return is_below("data") || is_below("stringData") || is_below("sops");
  if (object->kind() == "SealedSecret") return is_below("spec.encryptedData");
  if (object->kind() == "ExternalSecret") return is_below("spec.target.template");
  return (*object)["sops"].exists() && is_below("sops");
}

// The value of an alias is written, and checked, elsewhere.
bool may_hold_any(const Document& document) {
  const std::string_view text = document.cluster->sources().text(document.span);
  return text.find('*') != std::string_view::npos || secrets::may_hold_key_material(text);
}

void find_in(const Document& document, const Object* object, std::vector<LooseSecret>& found) {
  const bool may_hold_material = may_hold_any(document);
  const auto look_at = [&](const Node& node, std::string_view key) {
    const std::string_view what = may_hold_material ? secrets::key_material_in(node.text()) : std::string_view();
    const bool is_file = what.empty() && !secrets::is_random_secret(key, node.text());
    if (is_file && key != "content") return;
    const bool is_carried = secrets::holds_secret_document(node.text());  // in a ConfigMap: CAP701 reports these
    if (is_file && !is_carried && !secrets::has_secret_line(node.text())) return;
    if (is_tainted(node) || (is_carried && key != "content") || has_own_rule(object, node)) return;
    found.push_back({node, key, what, is_file});
  };
  each_text(Node(document), look_at);
  // The values of a chart as text: keys in it say what is a secret, as in a map of values.
  if (object != nullptr && object->kind() == "HelmChartProxy" && found.empty())
    each_text((*object)["spec.valuesTemplate"].yaml(), look_at);
}

std::vector<LooseSecret> find_in_object(const Object& object) {
  std::vector<LooseSecret> found;
  find_in(*object.root().document(), &object, found);
  return found;
}

std::vector<LooseSecret> find_outside_objects(const Cluster& cluster) {
  std::vector<LooseSecret> found;
  for (const File& file : cluster.files()) {
    for (const Document& document : file.documents) {
      if (document.object == nullptr) find_in(document, cluster.object_of(document), found);
    }
  }
  return found;
}

}  // namespace

const std::vector<LooseSecret>& loose_secrets(const Object& object) { return object.memo(find_in_object); }

const std::vector<LooseSecret>& loose_secrets_outside_objects(const Cluster& cluster) {
  return cluster.memo(find_outside_objects);
}

}  // namespace capwright::lint
