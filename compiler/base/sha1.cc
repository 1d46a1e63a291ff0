// The adapter to OpenSSL's libcrypto; see sha256.cc.
#include "base/sha1.h"

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

namespace capwright {

Sha1 sha1(std::initializer_list<std::string_view> parts) {
  Sha1 digest;
  SHA_CTX context;
  SHA1_Init(&context);
  for (const std::string_view part : parts) SHA1_Update(&context, part.data(), part.size());
  SHA1_Final(digest.data(), &context);
  return digest;
}

}  // namespace capwright
