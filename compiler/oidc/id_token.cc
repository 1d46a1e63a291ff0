// The signature is verified before any claim is read.
#include "oidc/id_token.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oidc/base64url.h"

namespace capwright::oidc {
namespace {

using TokenJson = nlohmann::json;

constexpr std::size_t kLongest = 8192;  // bytes of a token
// 9999-12-31, so that sums of times can't overflow.
constexpr double kLatest = 253'402'300'799.0;

struct Parts {
  std::string_view header, payload, signature;  // encoded
  std::string_view signed_text;
};

std::optional<Parts> split(std::string_view token) {
  const std::size_t first = token.find('.');
  const std::size_t second = first == std::string_view::npos ? first : token.find('.', first + 1);
  if (second == std::string_view::npos || token.find('.', second + 1) != std::string_view::npos) return std::nullopt;
  return Parts{token.substr(0, first), token.substr(first + 1, second - first - 1), token.substr(second + 1),
               token.substr(0, second)};
}

// Null: it isn't a JSON object.
TokenJson object_of(std::string_view encoded) {
  const auto text = from_base64url(encoded);
  TokenJson json = text ? TokenJson::parse(*text, nullptr, false) : TokenJson();
  return json.is_object() ? json : TokenJson();
}

std::string text_at(const TokenJson& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Seconds since 1970. Empty: it isn't there, or isn't such a number.
std::optional<std::int64_t> time_at(const TokenJson& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  const double seconds = found->get<double>();
  return seconds >= 0 && seconds <= kLatest ? std::optional(static_cast<std::int64_t>(seconds)) : std::nullopt;
}

bool is_of_type(const TokenJson& header) {
  std::string type = text_at(header, "typ");
  for (char& c : type) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return !header.contains("typ") || type == "jwt" || type == "at+jwt" || type == "application/at+jwt";
}

std::vector<std::string> texts_of(const TokenJson& value) {
  std::vector<std::string> texts;
  if (value.is_string()) texts.push_back(value.get<std::string>());
  if (!value.is_array()) return texts;
  for (const TokenJson& item : value) {
    if (item.is_string()) texts.push_back(item.get<std::string>());
  }
  return texts;
}

bool is_current(const TokenJson& payload, const Expectations& expected) {
  const auto expires = time_at(payload, "exp"), from = time_at(payload, "nbf"), issued = time_at(payload, "iat");
  if (!expires || (payload.contains("nbf") && !from) || (payload.contains("iat") && !issued)) return false;
  const std::int64_t earliest = expected.now - expected.skew_seconds, latest = expected.now + expected.skew_seconds;
  return *expires > earliest && from.value_or(0) <= latest && issued.value_or(0) <= latest;
}

}  // namespace

bool Claims::has(std::string_view claim, std::string_view value) const {
  const auto found = texts.find(claim);
  return found != texts.end() && std::find(found->second.begin(), found->second.end(), value) != found->second.end();
}

bool looks_like_token(std::string_view text) { return split(text).has_value(); }

std::variant<Claims, Rejection> verify(std::string_view token, const KeySet& keys, const Expectations& expected) {
  const auto parts = token.size() <= kLongest ? split(token) : std::nullopt;
  if (!parts) return Rejection::Malformed;
  const TokenJson header = object_of(parts->header);
  const auto signature = from_base64url(parts->signature);
  // No extension is known, so none may be critical.
  if (header.is_null() || !signature || header.contains("crit") || !is_of_type(header)) return Rejection::Malformed;
  const auto algorithm = algorithm_of(text_at(header, "alg"));
  if (!algorithm) return Rejection::Algorithm;
  const Key* key = keys.find(text_at(header, "kid"), *algorithm);
  if (key == nullptr) return Rejection::UnknownKey;
  if (!key->verifies(parts->signed_text, *signature)) return Rejection::Signature;
  const TokenJson payload = object_of(parts->payload);
  if (payload.is_null()) return Rejection::Malformed;
  Claims claims;
  for (const auto& [name, value] : payload.items()) claims.texts[name] = texts_of(value);
  claims.subject = text_at(payload, "sub");
  if (claims.subject.empty()) return Rejection::Malformed;
  if (text_at(payload, "iss") != expected.issuer) return Rejection::Issuer;
  if (!claims.has("aud", expected.audience)) return Rejection::Audience;
  if (!is_current(payload, expected)) return Rejection::Time;
  claims.expires = *time_at(payload, "exp");
  return claims;
}

}  // namespace capwright::oidc
