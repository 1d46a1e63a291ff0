// Reports errors in the paths of rendered files, at their source.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_set.h"
#include "files/outputs.h"
#include "value/stage.h"

namespace capwright {

// A path inside rendered text.
struct PathPlace {
  const MappedText& rendered;
  std::uint32_t begin, end;
  Stage& stage;
  const RenderTrace* trace;

  std::string_view path() const { return std::string_view(rendered.text()).substr(begin, end - begin); }
  // For messages: secrets are redacted.
  std::string shown() const;
};

// Reports the first rule that the path violates; true if there is none. The path must be below the directory of
// `cluster`, or one that `outputs` allow; null: there are none.
bool check_path(const PathPlace& place, std::string_view cluster, const Outputs* outputs);

// Reports files that are the same on some system, or one of which would have to be a directory of another. Drops the
// later one. `places[i]` is the place of the path of `files[i]`.
void drop_clashing_files(std::vector<RenderedFile>& files, const std::vector<PathPlace>& places);

}  // namespace capwright
