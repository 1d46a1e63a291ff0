// Tokens of an identity provider: JSON Web Tokens (RFC 7519), verified as RFC 8725 advises.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oidc/key_set.h"

namespace capwright::oidc {

struct Expectations {
  std::string issuer, audience;    // `iss`, and one of `aud`
  std::int64_t skew_seconds = 60;  // by which clocks may differ
  std::int64_t now = 0;            // seconds since 1970 in UTC
};

// What a verified token says. Claims with texts, and lists of texts.
struct Claims {
  std::string subject;
  std::int64_t expires = 0;  // seconds since 1970 in UTC
  std::map<std::string, std::vector<std::string>, std::less<>> texts;

  bool has(std::string_view claim, std::string_view value) const;
};

enum class Rejection : std::uint8_t {
  Malformed,
  Algorithm,   // not one of those that are allowed
  UnknownKey,  // newer keys may have it
  Signature,
  Issuer,
  Audience,
  Time,  // expired, or not valid yet
};

// Whether a bearer token has the form of such a token, and so isn't one of a file.
bool looks_like_token(std::string_view text);

std::variant<Claims, Rejection> verify(std::string_view token, const KeySet& keys, const Expectations& expected);

}  // namespace capwright::oidc
