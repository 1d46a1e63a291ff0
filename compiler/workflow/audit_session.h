// The common start of the audit commands: opens the repository, its configuration, the database with the rows, and
// commits that can be rendered.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "audit/recorder.h"
#include "git/repository.h"
#include "workflow/base_project.h"
#include "workflow/open_project.h"
#include "workflow/stop.h"

namespace capwright::workflow {

struct AuditSession {
  Sink sink;  // errors of Git
  std::unique_ptr<OpenProject> open;
  std::unique_ptr<git::Repository> repository;
  std::string folder;  // of the configuration, relative to the repository's root
  audit::Place place;
};

// Fills an empty `session`. A stop without messages: errors are in its sink, or in the project's. `writes`: creates the
// folder of a database file.
std::optional<Stop> open_audit(const RepositoryOptions& repository, bool writes, AuditSession& session);

// The database of a repository. Empty if the configuration is invalid or the folder can't be created; then `why` has
// the reason.
std::optional<audit::Place> audit_place(OpenProject& open, const git::Repository& repository, bool writes,
                                        std::string& why);

// A commit whose values can be rendered.
struct CommittedProject {
  std::unique_ptr<git::CommitFiles> files;
  std::unique_ptr<BaseProject> base;  // its project isn't null
};
std::optional<CommittedProject> open_commit(AuditSession& session, const git::ObjectId& commit, Sink& sink);

}  // namespace capwright::workflow
