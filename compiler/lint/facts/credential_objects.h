// Secrets in any form: Secrets themselves, and ExternalSecrets and SealedSecrets that create them.
#pragma once
#include <string_view>
#include <vector>

#include "lint/model/cluster.h"

namespace capwright::lint {

// The known properties of a Secret before it exists.
struct RenderedSecret {
  const Object* object = nullptr;
  std::string_view name, space;
  Node type;                                             // may be absent
  Node labels;                                           // of the Secret itself
  std::vector<std::string_view> keys;                    // of its data
  bool keys_known = false;                               // false: the secret store determines them
  std::vector<std::pair<std::string_view, Node>> texts;  // of `stringData` and templates, with their references

  bool has_key(std::string_view key) const;
  // Absent if it isn't readable.
  Node text(std::string_view key) const;
};

// All secrets of a tree, in order.
std::vector<RenderedSecret> rendered_secrets(const Cluster& cluster);
const RenderedSecret* find_secret(const std::vector<RenderedSecret>& secrets, std::string_view space,
                                  std::string_view name);

}  // namespace capwright::lint
