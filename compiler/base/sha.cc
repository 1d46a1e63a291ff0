// The adapter to OpenSSL's libcrypto. The one-shot SHA256() skips the provider machinery of EVP, whose first use costs
// about a millisecond.
#include "base/sha.h"

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

namespace capwright {

Sha256 sha256(std::string_view bytes) {
  Sha256 digest;
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, bytes.data(), bytes.size());
  SHA256_Final(digest.data(), &context);
  return digest;
}

std::string to_hex(const Sha256& digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(digest.size() * 2, '\0');
  char* out = text.data();
  for (const std::uint8_t byte : digest) {
    *out++ = kDigits[byte >> 4];
    *out++ = kDigits[byte & 15];
  }
  return text;
}

Sha1 sha1(std::initializer_list<std::string_view> parts) {
  Sha1 digest;
  SHA_CTX context;
  SHA1_Init(&context);
  for (const std::string_view part : parts) SHA1_Update(&context, part.data(), part.size());
  SHA1_Final(digest.data(), &context);
  return digest;
}

}  // namespace capwright
