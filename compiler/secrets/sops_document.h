// Documents as `sops` leaves them: the same keys, values as `ENC[…]`, and a map `sops` of its own at the top.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "secrets/secret_leaves.h"
#include "value/stage.h"
#include "value/value.h"
#include "yaml/read.h"

namespace capwright::secrets {

// Has the metadata that `sops` writes.
bool is_encrypted(const Value& document);

// `encrypted`, which is_encrypted(), with its values decrypted: `plain` is what `sops` printed for it. Each value keeps
// its place in the encrypted file; those that were encrypted are tainted. Nothing when the two don't fit together.
std::optional<Value> with_decrypted_values(const Value& encrypted, const Value& plain, Arena& arena);

// A stream of documents with what its values point into; faults of reading are dropped.
class ReadStream {
 public:
  // `path` tells JSON from YAML.
  ReadStream(std::string_view path, std::string_view text, ScalarRules rules, const Limits& limits);
  ReadStream(const ReadStream&) = delete;
  ReadStream& operator=(const ReadStream&) = delete;

  bool failed() const { return faults_.failed(); }
  std::span<const YamlDocument> documents() const { return documents_; }

 private:
  SourceSet sources_;
  Sink faults_;
  Arena arena_;
  OriginTable origins_;
  std::vector<YamlDocument> documents_;
};

// Whether both were read and say the same, whatever their layout and comments.
bool same_data(const ReadStream& a, const ReadStream& b);

// Every document has the metadata.
bool is_encrypted(const ReadStream& stream);

// `sops` was not told what to encrypt, so it took everything, names and kinds too.
bool is_encrypted_as_a_whole(const ReadStream& encrypted);

// The first of `leaves` that is not encrypted; nothing when all are.
std::optional<std::string> readable_leaf(const ReadStream& encrypted, const std::vector<SecretLeaf>& leaves);

}  // namespace capwright::secrets
