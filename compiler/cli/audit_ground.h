// What the commands of the audit begin with: the repository, its configuration, the database that keeps the rows, and
// commits of it as they can be rendered.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "audit/recorder.h"
#include "cli/base_project.h"
#include "cli/open_project.h"
#include "git/repository.h"

namespace capwright::cli {

struct AuditGround {
  std::unique_ptr<OpenProject> open;
  std::unique_ptr<git::Repository> repository;
  std::string folder;  // of the configuration, from the repository's root
  audit::Place place;
};

// Nothing: reported to the console. `writes`: the folder of a file of rows is made.
std::optional<AuditGround> open_audit(const CommonOptions& common, bool writes, Console& console);

// Where the rows of a repository are kept. Nothing: the configuration can't be used, or the folder can't be made, and
// `why` says it.
std::optional<audit::Place> audit_place(OpenProject& open, const git::Repository& repository, bool writes,
                                        std::string& why);

// A commit whose values can be rendered.
struct CommittedProject {
  std::unique_ptr<git::CommitFiles> files;
  std::unique_ptr<BaseProject> base;  // its project is not null
};
std::optional<CommittedProject> open_commit(AuditGround& ground, const git::ObjectId& commit, Sink& sink);

}  // namespace capwright::cli
