// Telling what is wrong with the paths of rendered files, where it was written.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_set.h"
#include "value/stage.h"

namespace capwright {

// A path inside rendered text.
struct PathPlace {
  const MappedText& rendered;
  std::uint32_t begin, end;
  Stage& stage;
  const RenderTrace* trace;

  std::string_view path() const { return std::string_view(rendered.text()).substr(begin, end - begin); }
  // For messages: secrets are masked.
  std::string shown() const;
};

// Reports the first rule that the path breaks; true when there is none.
bool check_path(const PathPlace& place, std::string_view directory);

// Reports files that are one on some system, or one of which would have to be a folder for another. The later one goes.
// `places[i]` is where the path of `files[i]` stands.
void drop_clashing_files(std::vector<RenderedFile>& files, const std::vector<PathPlace>& places);

}  // namespace capwright
