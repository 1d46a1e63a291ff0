// Bringing files of the repository into a run's sources, with one clear diagnostic when the world refuses.
#pragma once
#include <optional>
#include <string>

#include "pipeline/config.h"
#include "source/file_system.h"
#include "value/stage.h"

namespace capwright {

// Reads `shown` (relative to the workspace's root) up to Limits::input_bytes. `asked_at`: the place that names it.
std::optional<FileId> read_source(FileSystem&, const Workspace&, const std::string& shown, Span asked_at, Stage&);

// The same, but silent when there is no such file.
std::optional<FileId> read_optional_source(FileSystem&, const Workspace&, const std::string& shown, Span asked_at,
                                           Stage&);

}  // namespace capwright
