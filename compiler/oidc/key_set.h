// The public keys of an identity provider: a JSON Web Key Set (RFC 7517).
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::oidc {

// Those that tokens may be signed with. `none` and those with a shared secret (HS256) are not among them: a server that
// can verify such a token can also make one.
enum class Algorithm : std::uint8_t { RS256, ES256, EdDSA };
// "RS256". Empty: any other.
std::optional<Algorithm> algorithm_of(std::string_view name);

// A key for one algorithm.
class Key {
 public:
  virtual ~Key() = default;
  virtual const std::string& id() const = 0;  // `kid`; may be empty
  virtual Algorithm algorithm() const = 0;
  // Whether it is the signature of the text, as bytes of a JSON Web Signature (RFC 7515).
  virtual bool verifies(std::string_view text, std::string_view signature) const = 0;
};

class KeySet {
 public:
  // Keys for other purposes and of other kinds are left out. Empty: it isn't a key set, or has no usable key; `why` has
  // the reason.
  static std::optional<KeySet> read(std::string_view text, std::string& why);

  // By its id. Without one, the key for the algorithm, if there is exactly one. Null: none.
  const Key* find(std::string_view id, Algorithm algorithm) const;

 private:
  std::vector<std::shared_ptr<const Key>> keys_;
};

}  // namespace capwright::oidc
