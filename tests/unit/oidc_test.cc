// Tokens of an identity provider: the examples of the standards, tokens that attack, and keys that change.
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <memory>
#include <openssl/evp.h>

#include "oidc/base64url.h"
#include "oidc/issuer.h"

namespace capwright {
namespace {

using oidc::Algorithm;
using oidc::Claims;
using oidc::Issuer;
using oidc::KeySet;
using oidc::Rejection;

constexpr std::int64_t kNow = 1'700'000'000;

std::string encoded(std::string_view bytes) {
  std::string text = to_base64(bytes, kBase64Url);
  while (text.ends_with('=')) text.pop_back();
  return text;
}

// A provider's key pair (Ed25519, whose signatures are the shortest).
class Signing {
 public:
  explicit Signing(std::string id) : id_(std::move(id)), key_(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")) {
    REQUIRE(key_ != nullptr);
  }
  ~Signing() { EVP_PKEY_free(key_); }
  Signing(const Signing&) = delete;
  Signing& operator=(const Signing&) = delete;

  std::string jwk() const {
    std::string bytes(32, '\0');
    std::size_t size = bytes.size();
    REQUIRE(EVP_PKEY_get_raw_public_key(key_, reinterpret_cast<unsigned char*>(bytes.data()), &size) == 1);
    return fmt::format(R"({{"kty": "OKP", "crv": "Ed25519", "use": "sig", "kid": "{}", "x": "{}"}})", id_,
                       encoded(bytes));
  }
  std::string sign(const std::string& header, const std::string& payload) const {
    const std::string text = encoded(header) + "." + encoded(payload);
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    std::string signature(64, '\0');
    std::size_t size = signature.size();
    REQUIRE(EVP_DigestSignInit(context, nullptr, nullptr, nullptr, key_) == 1);
    REQUIRE(EVP_DigestSign(context, reinterpret_cast<unsigned char*>(signature.data()), &size,
                           reinterpret_cast<const unsigned char*>(text.data()), text.size()) == 1);
    EVP_MD_CTX_free(context);
    return text + "." + encoded(signature);
  }
  std::string token(const std::string& payload) const {
    return sign(fmt::format(R"({{"alg": "EdDSA", "typ": "JWT", "kid": "{}"}})", id_), payload);
  }

 private:
  const std::string id_;
  EVP_PKEY* key_;
};

std::string key_list(const std::string& keys) { return R"({"keys": [)" + keys + "]}"; }

KeySet read_keys(const std::string& keys) {
  std::string why;
  auto set = KeySet::read(key_list(keys), why);
  INFO(why);
  REQUIRE(set.has_value());
  return *set;
}

const oidc::Expectations kExpected{"https://id.example.com", "capwright", 60, kNow};
const std::string kPayload =
    R"({"iss": "https://id.example.com", "aud": ["other", "capwright"], "sub": "ada", "exp": 1700000300, "groups": ["platform", 7]})";

// "ok", or the name of the rejection.
std::string verdict(const std::variant<Claims, Rejection>& answer) {
  if (std::holds_alternative<Claims>(answer)) return "ok";
  constexpr const char* kWords[] = {"malformed", "algorithm", "unknown key", "signature", "issuer", "audience", "time"};
  return kWords[static_cast<std::size_t>(std::get<Rejection>(answer))];
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = kPayload;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("signatures of the standards' examples are verified") {
  struct Example {
    Algorithm algorithm;
    const char* key;
    std::string token;
  };
  const std::string claims =
      "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
  const Example examples[] = {
      // RFC 7515, A.2.
      {Algorithm::RS256,
       R"({"kty":"RSA","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ","e":"AQAB"})",
       "eyJhbGciOiJSUzI1NiJ9." + claims +
           ".cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_"
           "O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_"
           "nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-"
           "eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_"
           "IoypGlUPQGe77Rw"},
      // RFC 7515, A.3.
      {Algorithm::ES256,
       R"({"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"})",
       "eyJhbGciOiJFUzI1NiJ9." + claims +
           ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"},
      // RFC 8037, A.4.
      {Algorithm::EdDSA, R"({"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"})",
       "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-"
       "09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"}};
  for (const Example& example : examples) {
    const KeySet keys = read_keys(example.key);
    const oidc::Key* key = keys.find("", example.algorithm);
    REQUIRE(key != nullptr);
    const std::size_t dot = example.token.rfind('.');
    std::string signature = *oidc::from_base64url(std::string_view(example.token).substr(dot + 1));
    CHECK(key->verifies(example.token.substr(0, dot), signature));
    CHECK_FALSE(key->verifies(example.token.substr(1, dot - 1), signature));
    signature.back() = static_cast<char>(signature.back() ^ 1);
    CHECK_FALSE(key->verifies(example.token.substr(0, dot), signature));
    CHECK_FALSE(key->verifies(example.token.substr(0, dot), ""));
    for (const Algorithm other : {Algorithm::RS256, Algorithm::ES256, Algorithm::EdDSA})
      CHECK((keys.find("", other) != nullptr) == (other == example.algorithm));
  }
}

TEST_CASE("key sets with unusable keys") {
  std::string why;
  const std::string texts[] = {
      "",
      "[]",
      "{}",
      R"({"keys": {}})",
      key_list(""),
      key_list("1, null, {}"),
      key_list(R"({"kty": "oct", "k": "AAAA", "alg": "HS256"})"),
      key_list(R"({"kty": "RSA", "n": "ofgWCuLjybRlzo0tZWJjNg", "e": "AQAB"})"),
      key_list(
          R"({"kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"})"),
      key_list(R"({"kty": "EC", "crv": "P-384", "x": "f83O", "y": "f83O"})"),
      key_list(R"({"kty": "OKP", "crv": "Ed25519", "use": "enc", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"})"),
      key_list(
          R"({"kty": "OKP", "crv": "Ed25519", "alg": "ES256", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"})"),
      key_list(R"({"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="})")};
  for (const std::string& text : texts) {
    INFO(text);
    why.clear();
    CHECK_FALSE(KeySet::read(text, why).has_value());
    CHECK(why != "");
  }
}

TEST_CASE("what a token must say") {
  const Signing signing("k1");
  const KeySet keys = read_keys(signing.jwk());
  const auto check = [&](const std::string& payload) {
    return verdict(verify(signing.token(payload), keys, kExpected));
  };
  const auto claims = std::get<Claims>(verify(signing.token(kPayload), keys, kExpected));
  CHECK(claims.subject == "ada");
  CHECK(claims.expires == 1'700'000'300);
  CHECK(claims.has("groups", "platform"));
  CHECK_FALSE(claims.has("groups", "7"));
  CHECK_FALSE(claims.has("nothing", ""));
  CHECK(check(with(R"(["other", "capwright"])", R"("capwright")")) == "ok");
  CHECK(check(with(R"(["other", "capwright"])", R"(["other", "CAPWRIGHT"])")) == "audience");
  CHECK(check(with(R"("aud": ["other", "capwright"], )", "")) == "audience");
  CHECK(check(with("https://id.example.com", "https://id.example.com/")) == "issuer");
  CHECK(check(with(R"("sub": "ada", )", "")) == "malformed");
  CHECK(check(with("1700000300", "1699999941")) == "ok");  // within the skew
  CHECK(check(with("1700000300", "1699999940")) == "time");
  CHECK(check(with("1700000300", "\"1700000300\"")) == "time");
  CHECK(check(with("1700000300", "1e300")) == "time");
  CHECK(check(with("1700000300", "-1")) == "time");
  CHECK(check(with(R"("exp": 1700000300, )", "")) == "time");
  CHECK(check(with(R"("sub")", R"("nbf": 1700000060, "sub")")) == "ok");
  CHECK(check(with(R"("sub")", R"("nbf": 1700000061, "sub")")) == "time");
  CHECK(check(with(R"("sub")", R"("nbf": "now", "sub")")) == "time");
  CHECK(check(with(R"("sub")", R"("iat": 1700000061, "sub")")) == "time");
  CHECK(check("[]") == "malformed");
  CHECK(check("{") == "malformed");
}

TEST_CASE("tokens that attack") {
  const Signing signing("k1"), other("k1");
  const KeySet keys = read_keys(signing.jwk());
  const auto check = [&](const std::string& token) { return verdict(verify(token, keys, kExpected)); };
  const std::string good = signing.token(kPayload);
  const std::size_t dot = good.rfind('.');
  CHECK(check(good) == "ok");
  CHECK(check(encoded(R"({"alg": "none"})") + "." + encoded(kPayload) + ".") == "algorithm");
  CHECK(check(signing.sign(R"({"alg": "none", "kid": "k1"})", kPayload)) == "algorithm");
  CHECK(check(signing.sign(R"({"alg": "HS256", "kid": "k1"})", kPayload)) == "algorithm");
  CHECK(check(signing.sign(R"({"alg": "eddsa", "kid": "k1"})", kPayload)) == "algorithm");
  CHECK(check(signing.sign(R"({"alg": ["EdDSA"], "kid": "k1"})", kPayload)) == "algorithm");
  CHECK(check(signing.sign(R"({"alg": "RS256", "kid": "k1"})", kPayload)) == "unknown key");
  CHECK(check(signing.sign(R"({"alg": "EdDSA", "kid": "k2"})", kPayload)) == "unknown key");
  CHECK(check(signing.sign(R"({"alg": "EdDSA", "kid": "k1", "crit": ["b64"], "b64": false})", kPayload)) ==
        "malformed");
  CHECK(check(signing.sign(R"({"alg": "EdDSA", "kid": "k1", "typ": "logout+jwt"})", kPayload)) == "malformed");
  // A key in the header isn't used.
  CHECK(check(other.sign(R"({"alg": "EdDSA", "kid": "k1", "jwk": )" + other.jwk() + "}", kPayload)) == "signature");
  CHECK(check(good.substr(0, dot + 1)) == "signature");
  CHECK(check(good.substr(0, dot)) == "malformed");
  CHECK(check(good + ".") == "malformed");
  CHECK(check(good + "=") == "malformed");
  CHECK(check(good + "\n") == "malformed");
  CHECK(check(good.substr(0, good.size() - 4)) == "signature");
  CHECK(check("." + good.substr(good.find('.'))) == "malformed");
  CHECK(check("..") == "malformed");
  CHECK(check(signing.token(with("ada", std::string(8000, 'x')))) == "malformed");  // too long
  std::string changed = good;
  changed[good.find('.') + 5] = changed[good.find('.') + 5] == 'A' ? 'B' : 'A';
  CHECK(check(changed) == "signature");
  for (std::size_t at = 0; at < good.size(); at += 7) {
    std::string cut = good;
    cut.erase(at, 1);
    CHECK(check(cut) != "ok");
  }
}

TEST_CASE("keys are read again when they may have changed, at most once a minute") {
  const Signing first("k1"), second("k2");
  std::string text = key_list(first.jwk());
  int reads = 0;
  Issuer issuer({kExpected.issuer, kExpected.audience, 60, 0}, [&](std::string& why) -> std::optional<std::string> {
    ++reads;
    if (text.empty()) why = "nothing";
    return text.empty() ? std::nullopt : std::optional(text);
  });
  std::string why;
  REQUIRE(issuer.load(kNow, why));
  const std::string payload = with("1700000300", "1800000000");
  const auto check = [&](const Signing& signing, std::int64_t now, bool may_read = true) -> std::string {
    const Issuer::Answer answer = issuer.check(signing.token(payload), now, may_read);
    if (std::holds_alternative<Issuer::NeedsKeys>(answer)) return "needs keys";
    if (const auto* rejection = std::get_if<Rejection>(&answer)) return verdict(*rejection);
    return "ok";
  };
  CHECK(check(first, kNow) == "ok");
  CHECK(reads == 1);
  text = key_list(first.jwk() + ", " + second.jwk());
  CHECK(check(second, kNow + 59) == "unknown key");
  CHECK(reads == 1);
  CHECK(check(second, kNow + 60, false) == "needs keys");
  CHECK(check(first, kNow + 60, false) == "ok");
  CHECK(check(second, kNow + 60) == "ok");
  CHECK(reads == 2);
  const Signing invented("k3");
  for (int i = 0; i < 50; ++i) CHECK(check(invented, kNow + 100 + i / 10) == "unknown key");
  CHECK(reads == 2);
  CHECK(check(invented, kNow + 120) == "unknown key");
  CHECK(reads == 3);
  // Keys that the provider withdraws end within minutes.
  text = key_list(second.jwk());
  CHECK(check(first, kNow + 419) == "ok");
  CHECK(check(first, kNow + 420) == "unknown key");
  CHECK(check(second, kNow + 420) == "ok");
  // A provider that is down: known keys count for a day.
  text = "";
  CHECK(check(second, kNow + 420 + 86'400) == "ok");
  CHECK(check(second, kNow + 421 + 86'400) == "unknown key");
  text = key_list(second.jwk());
  CHECK(check(second, kNow + 500 + 86'400) == "ok");
}

}  // namespace
}  // namespace capwright
