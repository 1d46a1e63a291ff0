// The places of secret bytes in a rendered manifest. Secrets must be in the data of a Secret, where tools expect them
// and where encryption covers them, or in the data of a SealedSecret.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "files/file_set.h"
#include "secrets/data_path.h"
#include "value/limits.h"

namespace capwright::secrets {

// The kind of object whose data may contain secrets.
enum class SecretHolder : std::uint8_t {
  Secret,        // below `data` and `stringData`
  SealedSecret,  // below `spec.encryptedData`, where they are sealed before they are written
};

// A scalar in it that contains bytes of a secret value.
struct SecretLeaf {
  std::size_t document = 0;  // index in the file
  DataPath path;
};

struct SecretLeaves {
  std::vector<SecretLeaf> inside;  // in the order of the file
  std::vector<Segment> outside;    // all other bytes of secrets: in another object, in a key or comment, not in YAML
};

SecretLeaves find_secret_leaves(const RenderedFile& file, SecretHolder holder, const Limits& limits);

}  // namespace capwright::secrets
