// OpenSSL's keys. A key is made for the algorithm that its kind and curve have, so a token can't choose another one.
#include "oidc/key_set.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include "oidc/base64url.h"

namespace capwright::oidc {
namespace {

using KeyJson = nlohmann::json;

constexpr int kLeastRsaBits = 2048, kMostRsaBits = 8192;  // RFC 7518 section 3.3; more would cost time to verify
constexpr std::size_t kMostKeys = 100, kCoordinate = 32;  // bytes of P-256 and Ed25519
constexpr std::array<std::string_view, 3> kNames{"RS256", "ES256", "EdDSA"};

template <auto release>
struct Release {
  template <class Object>
  void operator()(Object* object) const {
    release(object);
  }
};
using KeyHandle = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Release<EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Release<EVP_MD_CTX_free>>;
using Number = std::unique_ptr<BIGNUM, Release<BN_free>>;
using ParamsBuilder = std::unique_ptr<OSSL_PARAM_BLD, Release<OSSL_PARAM_BLD_free>>;
using Params = std::unique_ptr<OSSL_PARAM, Release<OSSL_PARAM_free>>;
using EcSignature = std::unique_ptr<ECDSA_SIG, Release<ECDSA_SIG_free>>;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

Number number_of(std::string_view bytes) {
  return Number(BN_bin2bn(bytes_of(bytes), static_cast<int>(bytes.size()), nullptr));
}

std::string_view text_of(const KeyJson& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? std::string_view(found->get_ref<const std::string&>()) : "";
}

KeyHandle key_from(const char* kind, OSSL_PARAM_BLD* builder) {
  const Params params(OSSL_PARAM_BLD_to_param(builder));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr));
  EVP_PKEY* key = nullptr;
  if (params == nullptr || context == nullptr || EVP_PKEY_fromdata_init(context.get()) != 1) return nullptr;
  if (EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.get()) != 1) return nullptr;
  return KeyHandle(key);
}

KeyHandle rsa_key(const KeyJson& json) {
  const auto modulus = from_base64url(text_of(json, "n")), exponent = from_base64url(text_of(json, "e"));
  if (!modulus || !exponent || modulus->empty() || exponent->empty()) return nullptr;
  const Number n = number_of(*modulus), e = number_of(*exponent);
  const ParamsBuilder builder(OSSL_PARAM_BLD_new());
  if (OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1)
    return nullptr;
  const int bits = BN_num_bits(n.get());
  return bits >= kLeastRsaBits && bits <= kMostRsaBits ? key_from("RSA", builder.get()) : nullptr;
}

KeyHandle ec_key(const KeyJson& json) {
  const auto x = from_base64url(text_of(json, "x")), y = from_base64url(text_of(json, "y"));
  if (text_of(json, "crv") != "P-256" || !x || !y || x->size() != kCoordinate || y->size() != kCoordinate)
    return nullptr;
  const std::string point = "\x04" + *x + *y;  // uncompressed
  const ParamsBuilder builder(OSSL_PARAM_BLD_new());
  if (OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()) != 1)
    return nullptr;
  KeyHandle key = key_from("EC", builder.get());
  const KeyContext context(key != nullptr ? EVP_PKEY_CTX_new(key.get(), nullptr) : nullptr);
  return context != nullptr && EVP_PKEY_public_check(context.get()) == 1 ? std::move(key) : nullptr;
}

KeyHandle ed_key(const KeyJson& json) {
  const auto x = from_base64url(text_of(json, "x"));
  if (text_of(json, "crv") != "Ed25519" || !x || x->size() != kCoordinate) return nullptr;
  return KeyHandle(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(*x), x->size()));
}

// ES256: two numbers of 32 bytes; OpenSSL takes them as DER. Empty: it isn't such a signature.
std::string as_der(std::string_view signature) {
  if (signature.size() != 2 * kCoordinate) return {};
  Number r = number_of(signature.substr(0, kCoordinate)), s = number_of(signature.substr(kCoordinate));
  const EcSignature pair(ECDSA_SIG_new());
  if (pair == nullptr || r == nullptr || s == nullptr || ECDSA_SIG_set0(pair.get(), r.get(), s.get()) != 1) return {};
  static_cast<void>(r.release());  // the pair owns them now
  static_cast<void>(s.release());
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &der);
  if (size <= 0) return {};
  std::string text(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return text;
}

class PublicKey final : public Key {
 public:
  PublicKey(std::string id, Algorithm algorithm, KeyHandle key)
      : id_(std::move(id)), algorithm_(algorithm), key_(std::move(key)) {}

  const std::string& id() const override { return id_; }
  Algorithm algorithm() const override { return algorithm_; }

  bool verifies(std::string_view text, std::string_view signature) const override {
    const std::string der = algorithm_ == Algorithm::ES256 ? as_der(signature) : std::string(signature);
    const DigestContext context(EVP_MD_CTX_new());
    const EVP_MD* digest = algorithm_ == Algorithm::EdDSA ? nullptr : EVP_sha256();
    if (der.empty() || context == nullptr) return false;
    return EVP_DigestVerifyInit(context.get(), nullptr, digest, nullptr, key_.get()) == 1 &&
           EVP_DigestVerify(context.get(), bytes_of(der), der.size(), bytes_of(text), text.size()) == 1;
  }

 private:
  const std::string id_;
  const Algorithm algorithm_;
  const KeyHandle key_;
};

// Null: it is for another purpose, or of a kind that isn't supported.
std::shared_ptr<const Key> key_of(const KeyJson& json) {
  if (!json.is_object()) return nullptr;
  const std::string_view kind = text_of(json, "kty"), use = text_of(json, "use"), name = text_of(json, "alg");
  if (!use.empty() && use != "sig") return nullptr;
  KeyHandle key;
  Algorithm algorithm = Algorithm::RS256;
  if (kind == "RSA") {
    key = rsa_key(json);
  } else if (kind == "EC") {
    key = ec_key(json);
    algorithm = Algorithm::ES256;
  } else if (kind == "OKP") {
    key = ed_key(json);
    algorithm = Algorithm::EdDSA;
  }
  const bool fits = name.empty() || algorithm_of(name) == algorithm;
  if (key == nullptr || !fits) return nullptr;
  return std::make_shared<PublicKey>(std::string(text_of(json, "kid")), algorithm, std::move(key));
}

}  // namespace

std::optional<Algorithm> algorithm_of(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Algorithm>(found - kNames.begin());
}

std::optional<KeySet> KeySet::read(std::string_view text, std::string& why) {
  const KeyJson json = KeyJson::parse(text, nullptr, false);
  const auto keys = json.is_object() ? json.find("keys") : json.end();
  if (!json.is_object() || keys == json.end() || !keys->is_array() || keys->size() > kMostKeys) {
    why = "it isn't a JSON Web Key Set, `{\"keys\": […]}` with at most 100 keys";
    return std::nullopt;
  }
  KeySet set;
  for (const KeyJson& each : *keys) {
    if (auto key = key_of(each)) set.keys_.push_back(std::move(key));
  }
  if (!set.keys_.empty()) return set;
  why = "it has no key for RS256 (RSA, at least 2048 bits), ES256 (P-256) or EdDSA (Ed25519)";
  return std::nullopt;
}

const Key* KeySet::find(std::string_view id, Algorithm algorithm) const {
  const Key* found = nullptr;
  for (const auto& key : keys_) {
    if (key->algorithm() != algorithm || (!id.empty() && key->id() != id)) continue;
    if (found != nullptr) return nullptr;
    found = key.get();
  }
  return found;
}

}  // namespace capwright::oidc
