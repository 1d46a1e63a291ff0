// Earlier generations of rotated templates: a machine set that is on its way out still makes machines from the old one,
// so its manifest stays in the tree until newer generations displace it.
#pragma once
#include <cstdint>
#include <string_view>

#include "files/file_set.h"
#include "files/previous.h"
#include "value/stage.h"

namespace capwright::rotation {

// In the cluster's folder, beside the others: Argo CD doesn't look into folders there.
inline constexpr std::string_view kRetiredFile = "retired-templates.yaml";

struct KeepOptions {
  std::uint32_t generations = 1;  // that are kept of each template
  bool force = false;             // go on although the retired file was edited
};

// `files` with the retired file, if anything is kept, and with rotation() saying what. Only a changed spec retires the
// generation before; one that is back in use is retired no more. Templates that are rendered no more leave nothing. So
// the same values and the result as `previous` give the same result. What can't be kept is a warning.
FileSet keep_generations(FileSet files, const PreviousCluster& previous, KeepOptions, RenderTrace&, Stage&);

}  // namespace capwright::rotation
