// `capwright migrate` for manifests: files, folders and standard input.
#pragma once
#include <string>
#include <vector>

#include "lint/engine/lint.h"
#include "migrate/document.h"
#include "workflow/session.h"

namespace capwright::workflow {

struct MigratedFile {
  std::string shown, opened;  // paths
  std::string before, after;
  std::vector<migrate::MigratedDocument> documents;  // that changed, or have undecided fields
};

struct MigratedFiles {
  std::vector<MigratedFile> files;  // that have such documents
  std::size_t unchanged = 0;
  std::vector<std::string> skipped;  // a line each: "`a.yaml` is skipped: capwright rendered it"
};

// What objects become: the version or kind that `to` names, otherwise the version that the targeted releases store.
// Loads the schemas of the session, which the goal refers to.
migrate::Goal goal_of(Session& session, const std::string& to);

// Migrates manifests; writes nothing. Files that capwright rendered, or that sops encrypted, are skipped. Reports into
// the project's sink: undecided fields, and objects that only the old version accepts.
MigratedFiles migrate_files(Session& session, const std::vector<lint::Manifest>& manifests, const migrate::Goal& goal);

// Writes all files, or none if an error can be foreseen. Returns the error, or an empty text.
std::string write_migrated(const MigratedFiles& files);
// A human-readable diff. Redacts texts at keys that a template set marks as secret.
std::string diff_of(const MigratedFiles& files, OpenProject& open);

}  // namespace capwright::workflow
