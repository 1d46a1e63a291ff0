// The same steps as for the repository of the working directory, without the state of this process.
#include "workflow/base_project.h"

#include <cerrno>

#include "pipeline/own_addons.h"

namespace capwright::workflow {
namespace {

Config with_existing_folders(FileSystem& fs, const Workspace& workspace, Config config) {
  std::erase_if(config.values, [&](const std::string& folder) {
    FileStat stat;
    return fs.stat(workspace.io_path(folder), stat).code == ENOENT;
  });
  config.values_places.clear();
  return config;
}

}  // namespace

std::unique_ptr<BaseProject> open_base(FileSystem& fs, const Workspace& workspace, const Project& now,
                                       ValuesFolders folders) {
  auto base = std::make_unique<BaseProject>();
  const Limits& limits = now.options().limits;
  Stage stage{base->sources, base->sink, base->arena, base->origins, limits};
  const std::string name(kConfigName);
  FileStat stat;
  Config config;
  const bool has_config = !fs.stat(workspace.io_path(name), stat) && stat.type != FileType::Directory;
  if (has_config) config = read_config(fs, workspace, name, "", stage);
  if (!config.own_templates) config.catalogue.own_addons = read_own_addons(fs, workspace, config.catalogue, stage);
  if (base->sink.failed()) return base;
  const std::string shown = config.output == "." ? "" : config.output + "/";
  const std::string output = workspace.io_path(config.output);
  const bool is_optional = folders == ValuesFolders::Optional;
  base->clusters =
      find_values_files(fs, workspace, is_optional ? with_existing_folders(fs, workspace, config) : config, base->sink);
  base->tree = std::make_unique<OutputTree>(fs, output.empty() ? "." : output, shown);
  if (!base->tree->open(OutputTree::Access::Read, base->sink) || base->sink.failed()) return base;
  ProjectOptions options = now.options();
  if (options.extra.fs == nullptr) {
    options.extra.fs = &now.fs();
    options.extra.workspace = now.workspace();
  }
  base->project = std::make_unique<Project>(fs, workspace, std::move(config), std::move(options));
  base->tree->allow(base->project->outputs());
  return base;
}

}  // namespace capwright::workflow
