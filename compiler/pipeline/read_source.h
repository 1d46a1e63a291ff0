// Reads files of the repository into a run's sources, with one diagnostic for each failure.
#pragma once
#include <optional>
#include <string>

#include "pipeline/config.h"
#include "source/file_system.h"
#include "value/stage.h"

namespace capwright {

// Reads `shown` (relative to the workspace's root) up to Limits::input_bytes. `asked_at`: the place that names the
// file.
std::optional<FileId> read_source(FileSystem&, const Workspace&, const std::string& shown, Span asked_at, Stage&);

// The same, but doesn't report a missing file.
std::optional<FileId> read_optional_source(FileSystem&, const Workspace&, const std::string& shown, Span asked_at,
                                           Stage&);

}  // namespace capwright
