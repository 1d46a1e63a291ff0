// Documents are migrated one by one, so a file of many objects takes time by its length.
#include "workflow/migrate_files.h"

#include <fmt/format.h>
#include <utility>

#include "diag/catalog/migrate.h"
#include "files/text_diff.h"
#include "report/printable.h"
#include "source/real_fs.h"
#include "workflow/edited_files.h"
#include "workflow/fixed_files.h"

namespace capwright::workflow {
namespace {

std::string object_words(const migrate::MigratedDocument& document) {
  return document.name.empty() ? document.kind : fmt::format("{} `{}`", document.kind, document.name);
}

}  // namespace

migrate::Goal goal_of(Session& session, const std::string& to) {
  session.load_schemas();
  migrate::Goal goal;
  const bool is_version = to.size() > 1 && to[0] == 'v' && to[1] >= '0' && to[1] <= '9';
  (is_version ? goal.version : goal.kind) = to;
  const crd::Registry* registry = session.setup().schemas.registry.get();
  goal.stored = [registry](std::string_view group, std::string_view kind) -> std::string_view {
    if (registry == nullptr) return {};
    for (const crd::KindVersion& version : registry->versions(group, kind)) {
      if (version.storage) return version.version;
    }
    return {};
  };
  return goal;
}

MigratedFile migrate_text(OpenProject& open, std::string shown, std::string text, const migrate::Goal& goal) {
  MigratedFile result;
  result.shown = std::move(shown);
  result.before = std::move(text);
  FileId file = FileId::None;
  std::uint32_t offset = 0;
  for (const std::string_view part : migrate::documents_of(result.before)) {
    migrate::MigratedDocument document = migrate::migrate_document(part, goal, open.limits);
    result.after += document.text;
    for (const migrate::Undecided& left : document.undecided) {
      if (file == FileId::None) file = open.sources.add(result.shown, result.before);
      Diagnostic& diagnostic =
          open.sink.report(diag::undecided_field, Span{file, offset + left.begin, offset + left.end},
                           migrate::shown(left.path), object_words(document), left.reason);
      if (!left.choices.empty()) diagnostic.advise(fmt::format("{}", fmt::join(left.choices, "; or ")));
    }
    if (document.changed || !document.undecided.empty()) result.documents.push_back(std::move(document));
    offset += static_cast<std::uint32_t>(part.size());
  }
  return result;
}

MigratedFiles migrate_files(OpenProject& open, const std::vector<lint::Manifest>& manifests,
                            const migrate::Goal& goal) {
  MigratedFiles result;
  for (const lint::Manifest& manifest : manifests) {
    std::string reason;
    if (manifest.path.ends_with(".json")) reason = "it is JSON";
    else if (is_rendered(manifest.path, open)) reason = "capwright rendered it; migrate its templates";
    else if (is_encrypted(manifest.text)) reason = "`sops` encrypted it";
    if (!reason.empty()) {
      result.skipped.push_back(fmt::format("`{}` is skipped: {}", report::printable(manifest.path), reason));
      continue;
    }
    MigratedFile file = migrate_text(open, manifest.path, manifest.text, goal);
    file.opened = open.project->workspace().io_path(manifest.path);
    if (file.documents.empty()) ++result.unchanged;
    else result.files.push_back(std::move(file));
  }
  return result;
}

std::string write_migrated(const MigratedFiles& files) {
  std::vector<FixedFile> fixed;
  for (const MigratedFile& file : files.files) {
    if (file.before != file.after) fixed.push_back({file.shown, file.opened, file.before, file.after});
  }
  RealFs real;
  return write_fixed_files(real, fixed);
}

std::string diff_of(const MigratedFiles& files, OpenProject& open) {
  const SecretNames names = open.project->secret_names();
  std::string all;
  for (const MigratedFile& file : files.files) {
    const std::string name = report::printable(file.shown);
    const std::string before = without_secrets(file.before, names), after = without_secrets(file.after, names);
    all += unified_diff({name, before}, {name + " (migrated)", after}, {.most_lines = 0});
  }
  return all;
}

}  // namespace capwright::workflow
