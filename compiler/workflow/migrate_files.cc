// Documents are migrated one by one, so a file of many objects takes time by its length.
#include "workflow/migrate_files.h"

#include <fmt/format.h>
#include <utility>

#include "crd/program.h"
#include "crd/registry.h"
#include "crd/validate.h"
#include "diag/catalog/migrate.h"
#include "files/text_diff.h"
#include "report/printable.h"
#include "source/real_fs.h"
#include "workflow/edited_files.h"
#include "workflow/fixed_files.h"
#include "yaml/read.h"

namespace capwright::workflow {
namespace {

std::string object_words(const migrate::MigratedDocument& document) {
  return document.name.empty() ? document.kind : fmt::format("{} `{}`", document.kind, document.name);
}

// The property of a schema at a path; its node is null if the schema doesn't have it.
crd::Property property_at(const crd::Node* node, const migrate::FieldPath& path) {
  Arena arena;
  crd::Property found;
  found.node = node;
  for (const std::string& step : path) {
    if (found.node == nullptr) break;
    const crd::Node& around = *found.node;
    const bool is_item = migrate::is_item(step);
    const crd::Property* property = is_item ? nullptr : around.table.find(make_key(arena, step));
    found.required = property != nullptr && property->required;
    if (property != nullptr) found.node = property->node;
    else found.node = is_item ? around.items : around.additional;
  }
  return found;
}

bool refuses_empty(const crd::Registry& registry, const migrate::ApiType& type, const migrate::FieldPath& path) {
  const std::string api_version = fmt::format("{}/{}", type.group, type.version);
  const crd::KindVersion* version = registry.find(api_version, type.kind);
  const crd::Schema* schema = version == nullptr ? nullptr : registry.schema(*version);
  const crd::Property property = property_at(schema == nullptr ? nullptr : schema->root, path);
  const crd::Node* node = property.node;
  if (node == nullptr || property.required) return false;
  const bool map = node->properties_size != nullptr && node->properties_size->min > 0;
  const bool list = node->items_size != nullptr && node->items_size->min > 0;
  return map || list || (node->strings != nullptr && node->strings->min_length > 0);
}

// What a schema says about the only object of a text; the webhooks of providers convert it first, so they don't count.
crd::Verdict verdict_on(std::string_view text, const crd::Registry& registry, const Limits& limits) {
  OwnStage own(limits);
  const FileId file = own.sources.add_borrowed("", text);
  const auto documents = read_yaml_documents(file, own.stage, {ScalarRules::Kubernetes, TextSyntax::Yaml});
  if (own.sink.failed() || documents.size() != 1) return {};
  return crd::validate({.object = documents.front().value}, registry, own.stage);
}

bool is_yaml(std::string_view text, const Limits& limits) {
  OwnStage own(limits);
  read_yaml_documents(own.sources.add_borrowed("", text), own.stage, {ScalarRules::Kubernetes, TextSyntax::Yaml});
  return !own.sink.failed();
}

class FileMigration {
 public:
  FileMigration(OpenProject& open, const crd::Registry* registry, const migrate::Goal& goal)
      : open_(open), registry_(registry), goal_(goal) {}

  MigratedFile run(const lint::Manifest& manifest) {
    result_.shown = manifest.path;
    result_.before = manifest.text;
    for (const std::string_view part : migrate::documents_of(result_.before)) {
      migrate::MigratedDocument document = migrate::migrate_document(part, goal_, open_.limits);
      result_.after += document.text;
      for (const migrate::Undecided& left : document.undecided) report(document, left);
      if (document.undecided.empty()) report_refusal(document, part);
      if (document.changed || !document.undecided.empty()) result_.documents.push_back(std::move(document));
      offset_ += static_cast<std::uint32_t>(part.size());
    }
    return std::move(result_);
  }

 private:
  Span place(std::uint32_t begin, std::uint32_t end) {
    if (file_ == FileId::None) file_ = open_.sources.add(result_.shown, result_.before);
    return {file_, offset_ + begin, offset_ + end};
  }

  void report(const migrate::MigratedDocument& document, const migrate::Undecided& left) {
    Diagnostic& diagnostic = open_.sink.report(diag::undecided_field, place(left.begin, left.end),
                                               migrate::shown(left.path), object_words(document), left.reason);
    if (!left.choices.empty()) diagnostic.advise(fmt::format("{}", fmt::join(left.choices, "; or ")));
  }

  void report_refusal(const migrate::MigratedDocument& document, std::string_view before) {
    const bool has_new_version = document.changed && document.from != document.to;
    if (registry_ == nullptr || !has_new_version) return;
    using Outcome = crd::Verdict::Outcome;
    const crd::Verdict now = verdict_on(document.text, *registry_, open_.limits);
    if (now.outcome != Outcome::Refused || now.findings.empty()) return;
    if (verdict_on(before, *registry_, open_.limits).outcome == Outcome::Refused) return;
    const crd::Finding& first = now.findings.front();
    open_.sink.report(diag::refused_after_migration, place(document.version_at, document.version_at),
                      object_words(document), document.to, fmt::format("`{}`: {}", first.path, first.message));
  }

  OpenProject& open_;
  const crd::Registry* registry_;
  const migrate::Goal& goal_;
  MigratedFile result_;
  FileId file_ = FileId::None;
  std::uint32_t offset_ = 0;  // of the current document
};

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
  if (registry == nullptr) return goal;
  goal.refuses_empty = [registry](const migrate::ApiType& type, const migrate::FieldPath& path) {
    return refuses_empty(*registry, type, path);
  };
  return goal;
}

MigratedFiles migrate_files(Session& session, const std::vector<lint::Manifest>& manifests, const migrate::Goal& goal) {
  OpenProject& open = session.open();
  const crd::Registry* registry = session.setup().schemas.registry.get();
  MigratedFiles result;
  for (const lint::Manifest& manifest : manifests) {
    std::string reason;
    if (manifest.path.ends_with(".json")) reason = "it is JSON";
    else if (is_rendered(manifest.path, open)) reason = "capwright rendered it; migrate its templates";
    else if (is_encrypted(manifest.text)) reason = "`sops` encrypted it";
    else if (!is_yaml(manifest.text, open.limits)) reason = "it isn't valid YAML; `capwright lint` shows why";
    if (!reason.empty()) {
      result.skipped.push_back(fmt::format("`{}` is skipped: {}", report::printable(manifest.path), reason));
      continue;
    }
    MigratedFile file = FileMigration(open, registry, goal).run(manifest);
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
