# What the archives of Debian's libgit2, libcurl and libpq need, for the static program: their pkg-config files name shared
# libraries that have no archive. cmake/refused.cc replaces those.
add_library(capwright_refused STATIC ${PROJECT_SOURCE_DIR}/cmake/refused.cc ${PROJECT_SOURCE_DIR}/cmake/postponed.cc)
set(wrapped getaddrinfo getpwuid_r git_mbedtls_stream_global_init mbedtls_x509_crt_parse_file)
list(TRANSFORM wrapped PREPEND -Wl,--wrap=)
target_link_options(capwright_refused INTERFACE ${wrapped})

# capwright_add_archives(<target> <name>...): links lib<name>.a after the target, in this order.
function(capwright_add_archives target)
  foreach(name IN LISTS ARGN)
    find_library(CAPWRIGHT_ARCHIVE_${name} NAMES ${name} PATHS ${postgres_folders})
    if(NOT CAPWRIGHT_ARCHIVE_${name})
      message(FATAL_ERROR "lib${name}.a is missing: `./dev build` gets what the static program is linked with")
    endif()
    target_link_libraries(${target} INTERFACE ${CAPWRIGHT_ARCHIVE_${name}})
  endforeach()
  target_link_libraries(${target} INTERFACE capwright_refused)
endfunction()

# Parts of PostgreSQL that libpq.a leaves out. Their package depends on clang and LLVM, so `./dev build` only unpacks it:
# into the sysroot of a cross compiler, otherwise into build/archives.
set(postgres lib/postgresql/*/lib)
if(CMAKE_SYSROOT)
  file(GLOB postgres_folders ${CMAKE_SYSROOT}/usr/${postgres})
else()
  file(GLOB postgres_folders ${PROJECT_SOURCE_DIR}/build/archives/usr/${postgres} /usr/${postgres})
endif()

capwright_add_archives(PkgConfig::git2 mbedtls mbedx509 mbedcrypto http_parser ssh2 pcre2-8 crypto z)
capwright_add_archives(PkgConfig::curl nghttp2 psl idn2 unistring ssh2 ssl crypto zstd brotlidec brotlicommon z)
capwright_add_archives(PkgConfig::pq pgcommon_shlib pgport_shlib ssl crypto)
