// Shown paths are relative to the root of the repository.
#include "files/workspace.h"

#include <filesystem>

namespace capwright {

std::string Workspace::io_path(std::string_view shown) const {
  return shown.starts_with('/') ? std::string(shown) : prefix + std::string(shown);
}

std::string Workspace::shown_path(std::string_view typed) const {
  if (typed.starts_with('/')) return std::string(typed);
  return std::filesystem::path(below + std::string(typed)).lexically_normal().string();
}

}  // namespace capwright
