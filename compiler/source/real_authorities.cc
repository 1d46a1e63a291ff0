// Looks in the files where distributions keep the certificates.
#include <cstdlib>
#include <unistd.h>

#include "source/real_system.h"

namespace capwright {
namespace {

constexpr const char* kFiles[] = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Alpine, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, RHEL
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",                             // openSUSE
    "/etc/ssl/cert.pem",                                  // Alpine without the package ca-certificates
};

}  // namespace

std::string authorities_file() {
  if (const char* named = std::getenv("SSL_CERT_FILE"); named != nullptr && *named != '\0') return named;
  for (const char* file : kFiles) {
    if (::access(file, R_OK) == 0) return file;
  }
  return "";
}

}  // namespace capwright
