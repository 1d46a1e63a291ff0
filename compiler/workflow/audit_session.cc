// Reads the section `audit`, which no other code uses.
#include "workflow/audit_session.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

#include "audit/audit_settings.h"
#include "database/database.h"
#include "yaml/read.h"

namespace capwright::workflow {
namespace {

audit::Settings audit_settings_of(OpenProject& open) {
  const FileId file = open.project->config().file;
  if (file == FileId::None) return {};
  Sink known;  // its errors were reported when the configuration was read
  Stage stage{open.sources, known, open.arena, open.origins, open.limits};
  return audit::read_settings(read_yaml(file, stage));
}

// Checks a URL of `capwright.yaml` against the password in the environment.
std::string why_unsafe_here(const std::string& url) {
  const char* password = std::getenv("PGPASSWORD");
  const char* host = std::getenv("PGHOST");
  const std::string password_host = host != nullptr ? host : "";
  const std::string why = audit::why_unsafe(url, password != nullptr ? &password_host : nullptr);
  return why.empty() ? "" : fmt::format("can't open `audit.database`: {}", why);
}

std::string absolute_root(const Workspace& workspace) {
  std::error_code failed;
  return std::filesystem::weakly_canonical(workspace.prefix.empty() ? "." : workspace.prefix, failed).string();
}

}  // namespace

std::optional<audit::Place> audit_place(OpenProject& open, const git::Repository& repository, bool writes,
                                        std::string& why) {
  const audit::Settings settings = audit_settings_of(open);
  audit::Place place{settings.database, settings.store_files};
  if (audit::has_password(place.database)) {
    why = "`audit.database` contains a password in plain text; put it into PGPASSFILE or PGSERVICEFILE";
    return std::nullopt;
  }
  if (database::is_url(place.database)) {
    why = open.bounds ? why_unsafe_here(place.database) : "";
    return why.empty() ? std::optional(place) : std::nullopt;
  }
  const std::string configured = open.project->workspace().io_path(place.database);
  if (!place.database.empty() && open.bounds && !open.bounds->have(configured)) {
    why = fmt::format("`audit.database` points outside the repository: `{}`; pass `--allow-outside` to use it",
                      place.database);
    return std::nullopt;
  }
  place.database = place.database.empty() ? repository.shared_folder() + "/capwright/audit.db" : configured;
  const std::size_t slash = place.database.rfind('/');
  if (!writes || slash == std::string::npos || slash == 0) return place;
  const std::string folder = place.database.substr(0, slash);
  const IoError error = make_dirs(open.files, folder);
  if (!error) return place;
  why = fmt::format("{} can't be made: {}", folder, describe(error));
  return std::nullopt;
}

std::optional<Stop> open_audit(const RepositoryOptions& repository, bool writes, AuditSession& session) {
  session.open = open_project({.repository = repository,
                               .values = {},
                               .plain = std::nullopt,
                               .writes = false,
                               .output = std::nullopt,
                               .encrypts = writes});
  if (session.open->project == nullptr) return Stop();
  const std::string root = absolute_root(session.open->project->workspace());
  session.repository = git::open_repository(root, session.sink);
  if (session.repository == nullptr) return Stop();
  session.folder = session.repository->path_below_root(root).value_or("");
  std::string why;
  auto place = audit_place(*session.open, *session.repository, writes, why);
  if (!place) return Stop::because(why);
  session.place = std::move(*place);
  return std::nullopt;
}

std::optional<CommittedProject> open_commit(AuditSession& session, const git::ObjectId& commit, Sink& sink) {
  CommittedProject committed;
  committed.files = session.repository->files(commit, session.folder, sink);
  if (committed.files == nullptr) return std::nullopt;
  committed.base = open_base(*committed.files, Workspace(), *session.open->project);
  if (committed.base->project != nullptr) return committed;
  for (const Diagnostic& each : committed.base->sink.diagnostics()) sink.add(*each.info, Span(), each.message);
  return std::nullopt;
}

}  // namespace capwright::workflow
