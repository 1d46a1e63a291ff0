// What every publication of an open repository needs.
#pragma once
#include "publish/settings.h"
#include "publish/world.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

// `publish:` of the repository's configuration, which was found right when the project was opened.
publish::Settings publish_settings(const OpenProject& open, const RepositoryOptions& repository);

// The process that publishes.
publish::Place place_of_process();

}  // namespace capwright::workflow
