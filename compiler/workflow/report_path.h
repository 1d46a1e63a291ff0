// Where a report may be written: a pipeline writes it into the checkout of a change, which can have links.
#pragma once
#include <optional>
#include <string>

#include "workflow/requests.h"

namespace capwright::workflow {

// Why a file that the user named isn't written: as it is spelled, it is in the repository of the working directory, but
// a link leads out of it. Empty: it may be written.
std::optional<std::string> why_not_written(const RepositoryOptions& repository, const std::string& path);

}  // namespace capwright::workflow
