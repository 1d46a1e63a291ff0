// What the static program doesn't do, because only shared libraries could: Debian's libgit2.a, libcurl.a and libpq.a
// call functions of libraries that have no archive. This file defines them.
#include <cstddef>
#include <netdb.h>
#include <nss.h>
#include <pwd.h>
#include <sys/types.h>

extern "C" {

// They ignore their arguments, so one function has many names.
[[gnu::used]] unsigned capwright_gss_failure() { return 13U << 16; }
[[gnu::used]] int capwright_failure() { return -1; }
[[gnu::used]] int capwright_zero() { return 0; }
[[gnu::used]] void* capwright_null() { return nullptr; }

void* GSS_C_NT_HOSTBASED_SERVICE = nullptr;

}  // extern "C"

asm(R"(
.macro define function, names:vararg
  .irp name, \names
    .globl \name
    .set \name, \function
  .endr
.endm

# Kerberos, to log in to a Git host, a proxy or PostgreSQL. The libraries then go on as without a ticket.
define capwright_gss_failure, gss_acquire_cred gss_display_name gss_display_status gss_import_name
define capwright_gss_failure, gss_indicate_mechs gss_init_sec_context gss_inquire_context gss_unwrap gss_wrap
define capwright_gss_failure, gss_wrap_size_limit
define capwright_zero, gss_delete_sec_context gss_release_buffer gss_release_cred gss_release_name
define capwright_zero, gss_release_oid_set

# LDAP: a protocol of libcurl, and where libpq can look up services.
define capwright_null, ldap_err2string ldap_first_entry ldap_get_values_len ldap_init
define capwright_failure, ber_bvfree ber_free ber_memfree ber_sockbuf_add_io ldap_abandon_ext ldap_count_entries
define capwright_failure, ldap_free_urldesc ldap_get_attribute_ber ldap_get_dn_ber ldap_get_option ldap_init_fd
define capwright_failure, ldap_memfree ldap_msgfree ldap_msgtype ldap_parse_result ldap_parse_sasl_bind_result
define capwright_failure, ldap_pvt_url_scheme2proto ldap_result ldap_sasl_bind ldap_search_ext ldap_search_st
define capwright_failure, ldap_set_option ldap_simple_bind ldap_start_tls ldap_unbind ldap_unbind_ext ldap_url_parse
define capwright_failure, ldap_value_free_len

# RTMP: a protocol of libcurl.
define capwright_null, RTMP_Alloc
define capwright_failure, RTMP_Close RTMP_Connect1 RTMP_ConnectStream RTMP_Free RTMP_Init RTMP_Read RTMP_SetBufferMS
define capwright_failure, RTMP_SetupURL RTMP_Write
)");

extern "C" {

// Names of hosts and users: glibc looks them up in /etc and by DNS itself. For other sources of nsswitch.conf it would
// load their modules, and with them another libc.so, into a process that has no dynamic linker. The linker redirects
// calls of getaddrinfo and getpwuid_r here (cmake/archives.cmake), so programs that look up nothing don't read
// nsswitch.conf.
int __real_getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** found);
int __real_getpwuid_r(uid_t user, passwd* entry, char* buffer, std::size_t size, passwd** found);

static void look_up_without_modules() {
  static const int hosts = __nss_configure_lookup("hosts", "files dns");
  static const int users = __nss_configure_lookup("passwd", "files");
  static const int services = __nss_configure_lookup("services", "files");
  static_cast<void>(hosts + users + services);
}

int __wrap_getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** found) {
  look_up_without_modules();
  return __real_getaddrinfo(node, service, hints, found);
}

int __wrap_getpwuid_r(uid_t user, passwd* entry, char* buffer, std::size_t size, passwd** found) {
  look_up_without_modules();
  return __real_getpwuid_r(user, entry, buffer, size, found);
}

}  // extern "C"
