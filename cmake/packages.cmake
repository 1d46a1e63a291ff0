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

# Debian ships libfmt as a shared library only, and its header-only form costs four seconds in each source file, so the
# static build compiles the library's own inline header once.
if(CAPWRIGHT_STATIC)
  add_library(capwright_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/fmt_static.cc)
else()
  add_library(capwright_fmt INTERFACE)
  target_link_libraries(capwright_fmt INTERFACE fmt::fmt)
endif()
add_library(capwright::fmt ALIAS capwright_fmt)
