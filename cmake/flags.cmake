# Compiler and linker flags. The warnings are for our own code only and come with the target `capwright_flags`; whatever
# changes the meaning of code (sanitizers, static linking) is set for everything.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The objects of all build folders are the same but for the folder's name in debug information: share them.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=true ${CCACHE})
endif()

# -Wno-maybe-uninitialized: g++ 12 warns of empty std::optional values that are never read.
add_library(capwright_flags INTERFACE)
target_compile_options(capwright_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                                 $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
                                                 $<$<BOOL:${CAPWRIGHT_WERROR}>:-Werror>)

if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

# By default, arm64 has an unsigned `char` and rounds a * b + c once; x86-64 has neither. The same input gives the same bytes.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  add_compile_options(-fsigned-char -ffp-contract=off)
endif()

# Paths of the machine that builds must not reach the binary (CW_CHECK prints __FILE__).
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)

if(CAPWRIGHT_SANITIZE)
  add_compile_options(-fsanitize=${CAPWRIGHT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CAPWRIGHT_SANITIZE})
  # g++ warns of the fences in Boost's headers, which the thread sanitizer doesn't see.
  if(CAPWRIGHT_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan)
  endif()
  # A fault of these shows as a signal or to the address sanitizer anyway, and they are a quarter of the compiler's time.
  # The fuzz targets have them.
  if(NOT CAPWRIGHT_FUZZ AND CAPWRIGHT_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
  endif()
endif()
if(CAPWRIGHT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(CAPWRIGHT_STATIC)
  # Static, but still loaded at a random address: the program reads input of strangers. -fPIE rather than CMake's -fPIC
  # for libraries, which would keep public functions from being inlined.
  add_compile_options(-fPIE)
  add_link_options(-static-pie)
endif()
