# Headers that many sources include, compiled once: a third of a build from nothing. Not with ccache, which shares objects
# between build folders and can't do so with precompiled headers; so that build also shows an include that is missing.
# g++ generates other code with them, so `./dev package` turns them off: its bytes don't depend on ccache.

# capwright_precompile_headers(<name> <header>...): headers of compiler/, or others in angle brackets, beside what nearly
# every source includes of other people's.
function(capwright_precompile_headers name)
  if(CCACHE OR NOT CAPWRIGHT_PRECOMPILE)
    return()
  endif()
  set(library capwright_precompiled_${name})
  set(empty ${CMAKE_CURRENT_BINARY_DIR}/${library}.cc)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_library(${library} OBJECT ${empty})
  target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR}/compiler)
  target_link_libraries(${library} PRIVATE capwright::fmt capwright_flags)
  add_dependencies(${library} capwright_declared)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/compiler/ REGEX "^[^<]")
  target_precompile_headers(${library} PRIVATE <algorithm> <array> <functional> <map> <memory> <optional> <span> <string>
                            <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h> ${ARGN})
  capwright_options_of_precompiled(${library})
endfunction()

# capwright_use_precompiled(<target> <name>): the target's sources start from these headers.
function(capwright_use_precompiled target name)
  if(CCACHE OR NOT CAPWRIGHT_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM capwright_precompiled_${name})
  capwright_options_of_precompiled(${target})
endfunction()

function(capwright_options_of_precompiled target)
  # All users of the headers need the same flags, also those without threads.
  target_compile_options(${target} PRIVATE -pthread)
  # Warnings about std::string's own code, which g++ 12 then takes for ours (GCC bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
                                             -Wno-stringop-overread -Wno-dangling-pointer -Wno-use-after-free)
  endif()
endfunction()
