// `capwright migrate` for the templates of a repository: its sets, and its plain folder.
#pragma once
#include <string>
#include <vector>

#include "workflow/migrate_files.h"

namespace capwright::workflow {

struct MigratedTemplates {
  MigratedFiles files;  // templates with edits; their documents are kinds of objects that they print
  std::string error;    // why there are no edits; empty: none
};

// Migrates what the clusters of `values_paths` render with templates of the repository; writes nothing. Reports into
// `findings`: fields that can't be migrated, and objects that stay because new names would replace machines. Returns an
// error instead of edits if a cluster can't be rendered.
MigratedTemplates migrate_templates(const RepositoryOptions& repository, const std::vector<std::string>& values_paths,
                                    const migrate::Goal& goal, bool may_replace_machines, OpenProject& findings);

}  // namespace capwright::workflow
