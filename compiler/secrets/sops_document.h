// Documents encrypted by `sops`: the same keys, values as `ENC[…]`, and a map `sops` at the top level.
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

// Whether it has the metadata of `sops`.
bool is_encrypted(const Value& document);

// Returns `encrypted`, for which is_encrypted() must be true, with its values decrypted; `plain` is the output of
// `sops` for it. Each value keeps its place in the encrypted file; decrypted ones are tainted. Empty if the two don't
// match.
std::optional<Value> with_decrypted_values(const Value& encrypted, const Value& plain, Arena& arena);

// A stream of documents and the sources of its values; parse errors are dropped.
class ReadStream {
 public:
  // `path` determines JSON or YAML.
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

// Whether both were parsed and have equal data, regardless of layout and comments.
bool same_data(const ReadStream& a, const ReadStream& b);

// Whether every document has the metadata.
bool is_encrypted(const ReadStream& stream);

// Whether everything is encrypted, including names and kinds, because `sops` had no rule for keys.
bool is_encrypted_as_a_whole(const ReadStream& encrypted);

// The first of `leaves` that isn't encrypted; empty if all are.
std::optional<std::string> readable_leaf(const ReadStream& encrypted, const std::vector<SecretLeaf>& leaves);

}  // namespace capwright::secrets
