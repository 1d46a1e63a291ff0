// Where the bytes of secrets stand in a rendered manifest. In the forms that render them they belong into the data of a
// Secret, where whoever handles it knows what it is, and where encryption covers them; or into that of a SealedSecret.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "files/file_set.h"
#include "secrets/data_path.h"
#include "value/limits.h"

namespace capwright::secrets {

// The object whose data secrets may stand in.
enum class SecretHolder : std::uint8_t {
  Secret,        // below `data` and `stringData`
  SealedSecret,  // below `spec.encryptedData`, where they are sealed before they leave
};

// A scalar there that has bytes of a secret value.
struct SecretLeaf {
  std::size_t document = 0;  // number in the file
  DataPath path;
};

struct SecretLeaves {
  std::vector<SecretLeaf> inside;  // in the order of the file
  std::vector<Segment> outside;    // all other bytes of secrets: in another object, in a key or comment, in no YAML
};

SecretLeaves find_secret_leaves(const RenderedFile& file, SecretHolder holder, const Limits& limits);

}  // namespace capwright::secrets
