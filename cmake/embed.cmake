# capwright_embed(<target> FILES <file>...): compiles files into <target> as the table of compiler/embedded/embedded.h.
#
# The generated source names each file in an `.incbin` directive, so the assembler copies the bytes as they are: nothing
# is escaped, 10 MB cost no compile time, and nothing but the compiler is needed. It lists the files, not their text, so
# it changes only when a file comes or goes; OBJECT_DEPENDS assembles it again when their text does.
function(capwright_embed target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES")
  list(SORT arg_FILES COMPARE STRING)
  set(bytes "")
  set(symbols "")
  set(table "")
  set(count 0)
  foreach(file IN LISTS arg_FILES)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${file})
    string(APPEND bytes "label ${count}\n.incbin \"${file}\"\n")
    string(APPEND symbols "extern const char capwright_embedded_${count}[];\n")
    math(EXPR next "${count} + 1")
    string(APPEND table "      {\"${path}\", between(capwright_embedded_${count}, capwright_embedded_${next})},\n")
    set(count ${next})
  endforeach()
  string(APPEND bytes "label ${count}\n")
  string(APPEND symbols "extern const char capwright_embedded_${count}[];\n")

  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_files.cc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded_files.cc.in ${source} @ONLY)
  # Not in a unity source, which would lose the dependencies.
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${arg_FILES}" SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${source})
endfunction()
