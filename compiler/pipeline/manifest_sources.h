// `sources:` of capwright.yaml: manifests that capwright doesn't render.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "value/stage.h"

namespace capwright {

// Plain manifests, or the output of a command. All paths are relative to the root.
struct ManifestSource {
  std::string name;
  std::string path;                  // a file or folder; empty: the output of `command`
  std::vector<std::string> command;  // the program and its arguments
  std::vector<std::string> inputs;   // files and folders that the output is made from
  bool maps_markers = true, maps_fields = true;
  std::uint32_t seconds = 0;  // the time limit
  Span where;                 // in the run's sources

  bool is_command() const { return path.empty(); }
  // Whether the file belongs to it.
  bool has(std::string_view shown) const;
};

// "kustomize build overlays/prod-west", as a person types it.
std::string shown_command(const ManifestSource& source);

// From the configuration; reports entries that contradict themselves or each other.
std::vector<ManifestSource> read_manifest_sources(const Value& document, Stage& stage);

}  // namespace capwright
