// Uses the fields of external-secrets.io/v1 and bitnami.com/v1alpha1.
#include "lint/facts/credential_objects.h"

#include <algorithm>

#include "lint/facts/credentials.h"

namespace capwright::lint {
namespace {

void add_keys(const Node& data, RenderedSecret& secret) {
  for (const auto& [key, value] : data.members()) secret.keys.push_back(key);
}

void add_texts(const Node& data, RenderedSecret& secret) {
  for (const auto& [key, value] : data.members()) {
    if (value.is(Kind::String) && !value.text().starts_with("ENC[")) secret.texts.emplace_back(key, value);
  }
}

RenderedSecret from_secret(const Object& object) {
  RenderedSecret secret{&object, object.name(), object.space(), object["type"], object["metadata.labels"], {}, true,
                        {}};
  add_keys(object["data"], secret);
  add_keys(object["stringData"], secret);
  add_texts(object["stringData"], secret);
  return secret;
}

RenderedSecret from_external(const Object& object) {
  const Node target = object["spec.target"], made = target["template"];
  const std::string_view name = target["name"].text();
  RenderedSecret secret{
      &object, name.empty() ? object.name() : name, object.space(), made["type"], made["metadata.labels"], {}, true,
      {}};
  const bool templated = made["data"].exists();
  if (templated) add_keys(made["data"], secret);
  add_texts(made["data"], secret);
  if (!templated || made["mergePolicy"].text() == "Merge") {
    for (const Node item : object["spec.data"].items()) secret.keys.push_back(item["secretKey"].text());
  }
  const bool from_store = object["spec.dataFrom"].size() != 0 && !templated;
  secret.keys_known = !from_store && !made["templateFrom"].exists();
  return secret;
}

RenderedSecret from_sealed(const Object& object) {
  const Node made = object["spec.template"];
  const std::string_view name = made["metadata.name"].text();
  RenderedSecret secret{
      &object, name.empty() ? object.name() : name, object.space(), made["type"], made["metadata.labels"], {}, true,
      {}};
  add_keys(object["spec.encryptedData"], secret);
  add_keys(made["data"], secret);
  return secret;
}

}  // namespace

bool RenderedSecret::has_key(std::string_view key) const {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

Node RenderedSecret::text(std::string_view key) const {
  const auto found = std::find_if(texts.begin(), texts.end(), [&](const auto& one) { return one.first == key; });
  return found == texts.end() ? Node() : found->second;
}

std::vector<RenderedSecret> rendered_secrets(const Cluster& cluster) {
  std::vector<RenderedSecret> secrets;
  for (const Object* object : cluster.objects()) {
    if (is_secret(*object)) secrets.push_back(from_secret(*object));
    else if (object->kind() == "ExternalSecret") secrets.push_back(from_external(*object));
    else if (object->kind() == "SealedSecret") secrets.push_back(from_sealed(*object));
  }
  return secrets;
}

const RenderedSecret* find_secret(const std::vector<RenderedSecret>& secrets, std::string_view space,
                                  std::string_view name) {
  const auto found = std::find_if(secrets.begin(), secrets.end(), [&](const RenderedSecret& secret) {
    return secret.name == name && secret.space == space;
  });
  return found == secrets.end() ? nullptr : &*found;
}

}  // namespace capwright::lint
