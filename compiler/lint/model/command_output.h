// Manifests that a command printed, and the files that it made them from.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace capwright::lint {

struct CommandOutput {
  struct Input {
    std::string path;  // as shown
    std::string text;
  };
  std::string shown;                 // "kustomize build overlays/prod-west"
  std::vector<std::string> command;  // the program and its arguments
  std::vector<Input> inputs;         // by path
  bool by_markers = true;            // places are found by comments and annotations of the output
  bool by_search = true;             // and by the object and the field
};

// The path of an output in reports, which treat `<prod-west>` as text without a file.
inline std::string output_path(std::string_view source) { return "<" + std::string(source) + ">"; }

}  // namespace capwright::lint
