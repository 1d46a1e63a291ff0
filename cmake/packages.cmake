# Third-party packages, all from the distribution. RE2, libfyaml and utf8proc come with pkg-config files only.
if(CAPWRIGHT_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  set(OPENSSL_USE_STATIC_LIBS ON)
endif()

find_package(fmt REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Catch2 2 REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(libfyaml REQUIRED IMPORTED_TARGET libfyaml)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)

# Shared in any build: Debian's libgit2.a, libpq.a and libcurl.a need libraries of Kerberos that are there as shared
# ones only.
set(static_suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
set(CMAKE_FIND_LIBRARY_SUFFIXES .so)
pkg_check_modules(libgit2 REQUIRED IMPORTED_TARGET libgit2)
pkg_check_modules(libcurl REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(libpq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
set(CMAKE_FIND_LIBRARY_SUFFIXES ${static_suffixes})

# Debian ships libfmt as a shared library only, and its header-only form costs four seconds in each source file, so the
# static build compiles the library's own inline header once.
if(CAPWRIGHT_STATIC)
  add_library(capwright_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/fmt_static.cc)
else()
  add_library(capwright_fmt INTERFACE)
  target_link_libraries(capwright_fmt INTERFACE fmt::fmt)
endif()
add_library(capwright::fmt ALIAS capwright_fmt)
