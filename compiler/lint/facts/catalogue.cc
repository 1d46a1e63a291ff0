// All files share one set of sources, which lives as long as the program.
#include "lint/facts/catalogue.h"

#include "facts/built_in.h"

namespace capwright::lint {

const Value& argocd_facts() {
  static const BuiltInYaml file("schemas/catalogue/argocd.yaml");
  return file.content();
}

const Value& chart_value_facts() {
  static const BuiltInYaml file("schemas/catalogue/chart-values.yaml");
  return file.content();
}

const Value& effect_facts() {
  static const BuiltInYaml file("schemas/catalogue/effects.yaml");
  return file.content();
}

const Value& immutable_facts() {
  static const BuiltInYaml file("schemas/catalogue/immutable.yaml");
  return file.content();
}

const Value& kubernetes_facts() {
  static const BuiltInYaml file("schemas/catalogue/kubernetes.yaml");
  return file.content();
}

const Value& network_facts() {
  static const BuiltInYaml file("schemas/catalogue/networks.yaml");
  return file.content();
}

const Value& contract_facts() {
  static const BuiltInYaml file("schemas/catalogue/contracts.yaml");
  return file.content();
}

const Value& value_key_facts() {
  static const BuiltInYaml file("schemas/catalogue/value-keys.yaml");
  return file.content();
}

const values::AddonCatalogue& addon_catalogue(const Cluster& cluster) {
  if (const values::AddonCatalogue* own = cluster.context().addons) return *own;
  static const BuiltInYaml file("schemas/catalogue/addons.yaml");
  static const values::AddonCatalogue catalogue = values::read_addon_catalogue(file.content());
  return catalogue;
}

}  // namespace capwright::lint
