// What a library does at its start, and the static program only if it needs it: libgit2 parses the certificates of all
// authorities, which takes longer than a render. git/connection.cc names them before it connects.

struct mbedtls_x509_crt;

extern "C" {

int __real_git_mbedtls_stream_global_init();
int __real_mbedtls_x509_crt_parse_file(mbedtls_x509_crt* chain, const char* path);

static bool is_starting = false;

int __wrap_git_mbedtls_stream_global_init() {
  is_starting = true;
  const int answer = __real_git_mbedtls_stream_global_init();
  is_starting = false;
  return answer;
}

// Without certificates, libgit2 trusts no server.
int __wrap_mbedtls_x509_crt_parse_file(mbedtls_x509_crt* chain, const char* path) {
  constexpr int kFileError = -0x2900;  // MBEDTLS_ERR_X509_FILE_IO_ERROR
  return is_starting ? kFileError : __real_mbedtls_x509_crt_parse_file(chain, path);
}

}  // extern "C"
