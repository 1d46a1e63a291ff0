// Reads the file again: a Config doesn't keep this section.
#include "workflow/publish_settings.h"

#include <filesystem>

#include "embedded/embedded.h"
#include "pipeline/read_source.h"
#include "pipeline/repository_bounds.h"
#include "source/real_system.h"
#include "yaml/read.h"

namespace capwright::workflow {

publish::Settings publish_settings(const OpenProject& open, const RepositoryOptions& repository) {
  if (open.project->config().file == FileId::None) return {};
  OwnStage own(open.limits);
  const std::string name =
      repository.config ? std::filesystem::path(*repository.config).filename().string() : std::string(kConfigName);
  const auto file = read_source(open.project->fs(), open.project->workspace(), name, Span(), own.stage);
  publish::Settings settings = file ? publish::read_settings(read_yaml(*file, own.stage)) : publish::Settings();
  const std::string& folder = open.project->workspace().prefix;
  settings.config_path = folder_in_git(open.project->fs(), folder.empty() ? "." : folder) + name;
  return settings;
}

publish::Place place_of_process() {
  return {host_name(), process_id(), minutes_east(real_seconds()), std::string(embedded::version())};
}

}  // namespace capwright::workflow
