// Lookup by path; the table is sorted.
#include "facts/built_in.h"

#include <algorithm>
#include <string>

#include "base/check.h"
#include "embedded/embedded.h"
#include "yaml/read.h"

namespace capwright {

std::string_view built_in_text(std::string_view path) {
  const auto files = embedded::files();
  const auto found =
      std::lower_bound(files.begin(), files.end(), path,
                       [](const embedded::File& file, std::string_view wanted) { return file.path < wanted; });
  CW_CHECK(found != files.end() && found->path == path, "a file that the program relies on is built in");
  return found->text;
}

BuiltInYaml::BuiltInYaml(std::string_view path) {
  Stage stage{sources_, faults_, arena_, origins_, limits_};
  content_ = read_yaml(sources_.add(std::string(path), std::string(built_in_text(path))), stage);
  CW_CHECK(!faults_.failed(), "a catalogue is well-formed YAML");
}

}  // namespace capwright
