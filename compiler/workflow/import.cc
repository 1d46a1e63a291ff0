// The result is built up in the order of trust: values, then patches, resources and names. Each step is rendered.
#include "workflow/import.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>

#include "admission/providers.h"
#include "cel/named_format.h"
#include "diag/catalog/patches.h"
#include "diff/compare.h"
#include "plan/plan_cluster.h"
#include "workflow/import_align.h"
#include "workflow/import_values.h"

namespace capwright::workflow {
namespace {

std::string shown(std::string_view kind, std::string_view name) { return fmt::format("{} {}", kind, name); }

class ClusterImporter {
 public:
  ClusterImporter(Session& session, ImportedManifests& manifests, const ImportedCluster& cluster, ProbeMemory& memory)
      : session_(session),
        manifests_(manifests),
        given_(cluster),
        cluster_(cluster),
        search_(session, cluster_, manifests.rules(), memory, arena_) {
    result_.name = cluster.name;
  }

  ClusterImport run() && {
    result_.error = search_.start();
    if (result_.error.empty()) convert();
    if (result_.error.empty()) {
      search_.improve();
      search_.shorten();
      const ClusterImport found = result_;
      while (!finish()) result_ = found;
    }
    result_.renders = search_.renders();
    return std::move(result_);
  }

 private:
  // The search compares objects in one version only.
  void convert() {
    Trial& best = search_.best();
    Conversions conversions = convert_objects(session_, *best.side, cluster_, arena_);
    result_.error = std::move(conversions.undecided);
    given_ = cluster_;
    if (!conversions.done.empty()) best = search_.render(Value(best.values));
    result_.converted = std::move(conversions.done);
    if (result_.error.empty()) result_.error = other_version(*best.alignment);
  }

  // Returns false if it removed a value that a patch would hide: then call it again.
  bool finish() {
    Trial& best = search_.best();
    const std::size_t added = keep_annotations(*best.alignment);
    if (added != 0) best = search_.render(Value(best.values));
    annotations_ += added;
    account(*best.alignment, FieldFate::Patched);
    result_.fields[FieldFate::Rendered] -= annotations_;
    for (const AlignedPair& pair : best.alignment->pairs()) {
      if (pair.imported == nullptr) result_.removed.push_back(shown(pair.rendered->kind, pair.rendered->name));
    }
    Value values = best.values;
    const auto add = [&](const char* key, const Value& list) {
      if (!list.items().empty()) values = with_value(values, {{key}}, list, arena_);
    };
    add("patches", patches_for(*best.alignment, arena_));
    result_.files = resources_for(*best.alignment, cluster_.name);
    std::vector<Value> paths;
    for (const auto& [path, text] : result_.files) {
      session_.edit(path, text);
      paths.push_back(make_string(arena_, path));
    }
    add("resources", make_list(arena_, paths));
    Trial patched = search_.render(values);
    if (patched.alignment == nullptr) return fail(patched);
    if (remove_hidden(*patched.side)) return false;
    const Value names = existing_names_for(*patched.alignment, arena_);
    result_.existing_names = names.items().size();
    add("existing_names", names);
    Trial final = names.items().empty() ? std::move(patched) : search_.render(values);
    if (final.alignment == nullptr) return fail(final);
    account(*final.alignment, FieldFate::Lost);
    result_.examples = examples_in(search_, final);
    result_.files[search_.path()] = with_comments(values_text(values, arena_), result_.examples);
    result_.values = copy_of(values, manifests_.arena());
    prove(*final.side);
    return true;
  }

  // A value that leads to fewer differences, but whose own text a patch replaces, would be reported (K516). Without it,
  // the patches say more. Returns whether one was removed.
  bool remove_hidden(const diff::Side& patched) {
    Trial& best = search_.best();
    for (const Diagnostic& diagnostic : patched.compiled()->sink.diagnostics()) {
      if (diagnostic.info != &diag::hidden_value.info) continue;
      TreePath path = hidden_key(diagnostic);
      if (is_fixed_key(workflow::text_of(path)) || find_at(best.values, path) == nullptr) continue;
      // Without the key, what is around it would go, too, and the manifests have that: only a field of it is missing.
      const auto removes = [](const std::string& note) { return note.find(" removes ") != std::string::npos; };
      const bool is_required = diagnostic.help && diagnostic.help->find("; or remove `") == std::string::npos;
      if (is_required && std::ranges::any_of(diagnostic.notes, removes)) continue;
      Trial shorter = search_.render(without(best.values, path, arena_));
      // What is around it may need it, as an item of a list needs its keys.
      while (shorter.alignment == nullptr && path.size() > 2) {
        path.pop_back();
        shorter = search_.render(without(best.values, path, arena_));
      }
      if (shorter.alignment == nullptr) continue;
      best = std::move(shorter);
      return true;
    }
    return false;
  }

  // The objects get the annotations of the templates that Argo CD reads: sync waves, and protection from deletion.
  // Without them, an imported Cluster would be the only one that is deleted without a confirmation. Returns how many.
  std::size_t keep_annotations(const Alignment& alignment) {
    const std::string_view kept = manifests_.rules().text_at("kept_annotations");
    std::size_t added = 0;
    for (const AlignedPair& pair : alignment.pairs()) {
      if (pair.rendered == nullptr || pair.imported == nullptr) continue;
      const Value* rendered = find_at(pair.rendered->value, {{"metadata"}, {"annotations"}});
      if (rendered == nullptr || !rendered->is(Kind::Map)) continue;
      Value& value = cluster_.objects[static_cast<std::size_t>(pair.imported - cluster_.objects.data())].value;
      for (const Entry& entry : rendered->entries()) {
        const TreePath path{{"metadata"}, {"annotations"}, {std::string(entry.key.text())}};
        if (!entry.key.text().starts_with(kept) || find_at(value, path) != nullptr) continue;
        value = with_value(value, path, copy_of(entry.value, arena_), arena_);
        ++added;
      }
    }
    return added;
  }

  // A patch can't change the version of an object, and no table leads back to an older one. Empty: all are equal.
  static std::string other_version(const Alignment& alignment) {
    for (const AlignedPair& pair : alignment.pairs()) {
      if (pair.rendered == nullptr || pair.imported == nullptr) continue;
      const std::string_view from = pair.imported->value.text_at("apiVersion");
      const std::string_view to = pair.rendered->value.text_at("apiVersion");
      if (from != to)
        return fmt::format("{} is in {}, which can't be converted; export it in {}, which capwright renders",
                           shown(pair.imported->kind, pair.imported->name), from, to);
    }
    return {};
  }

  bool fail(const Trial& trial) {
    result_.error = trial.error;
    result_.files.clear();
    return true;
  }

  // Differences before the patches are what patches and resources say; differences after them are lost.
  void account(const Alignment& alignment, FieldFate fate) {
    const auto add = [&](std::string object, std::string path, std::size_t fields, FieldFate how) {
      result_.accounts.push_back({std::move(object), std::move(path), fields, how});
      result_.fields[how] += fields;
    };
    std::size_t total = 0, explained = 0;
    for (const AlignedPair& pair : alignment.pairs()) {
      if (pair.imported == nullptr) continue;
      const std::size_t fields = leaves_of(pair.imported->value);
      total += fields;
      const FieldFate whole = fate == FieldFate::Patched ? FieldFate::Resource : fate;
      if (pair.rendered == nullptr) add(shown(pair.imported->kind, pair.imported->name), "", fields, whole);
      if (pair.rendered == nullptr) explained += fields;
      if (fate == FieldFate::Patched && pair.imported->dropped != 0)
        add(shown(pair.imported->kind, pair.imported->name), "", pair.imported->dropped, FieldFate::Dropped);
    }
    for (const FieldDifference& difference : alignment.differences()) {
      const bool is_extra = difference.imported == nullptr;
      const std::size_t fields = is_extra ? 0 : leaves_of(*difference.imported);
      const ImportedObject& object = *difference.pair->imported;
      add(shown(object.kind, object.name), workflow::text_of(difference.path), fields, fate);
      explained += fields;
    }
    if (fate == FieldFate::Patched) result_.fields[FieldFate::Rendered] = total - std::min(explained, total);
  }

  // Both sides have only objects: manifests don't contain the values of charts, and Secrets aren't imported.
  void prove(const diff::Side& rendered) {
    std::string old_text, new_text;
    for (const ImportedObject& object : given_.objects) old_text += "---\n" + yaml_of(object.value);
    for (const diff::Object& object : rendered.objects()) {
      if (!object.kind.empty() && !object.is_secret()) new_text += "---\n" + yaml_of(object.value);
    }
    diff::Side before(cluster_.name, session_.open().limits), after(cluster_.name, session_.open().limits);
    before.add_file("objects.yaml", std::move(old_text));
    after.add_file("objects.yaml", std::move(new_text));
    before.read_all();
    after.read_all();
    const crd::Registry* registry = session_.setup().schemas.registry.get();
    diff::CompareOptions options;
    options.registry = registry;
    const diff::ClusterDiff diff = diff::compare(&before, &after, options);
    const admission::Providers webhooks{admission::built_in_rules()};
    const Delivery delivery = session_.open().project->config().delivery;
    result_.plan = plan::plan_cluster(diff, &before, &after, {registry, &webhooks, delivery});
  }

  Session& session_;
  ImportedManifests& manifests_;
  ImportedCluster given_;    // as the API server serves it in the rendered versions
  ImportedCluster cluster_;  // with the annotations that the templates add
  Arena arena_;              // of the search alone: it makes some megabytes of candidates
  ValuesSearch search_;
  std::size_t annotations_ = 0;  // those that keep_annotations() added
  ClusterImport result_;
};

ClusterImport import_cluster(Session& session, ImportedManifests& manifests, const ImportedCluster& cluster,
                             ProbeMemory& memory) {
  const bool is_label = cel::find_format("dns1123Label")->faults(cluster.name).empty();
  if (!is_label) {
    ClusterImport result;
    result.name = cluster.name;
    result.error = "its name isn't a DNS label";
    return result;
  }
  return ClusterImporter(session, manifests, cluster, memory).run();
}

// Creates the parents of `path` one by one, so that no link is followed, and writes the file.
IoError write_below(FileSystem& fs, const std::string& root, const std::string& path, const std::string& text) {
  Dir folder;
  if (const IoError error = folder.open(fs, root.empty() ? "." : root)) return error;
  std::string_view rest = path;
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    const std::string_view part = rest.substr(0, slash);
    const IoError made = fs.make_dir(folder / part, kDirectoryMode);
    if (made && made.code != EEXIST) return made;
    Dir below;
    if (const IoError error = below.open(fs, folder / part)) return error;
    folder = std::move(below);
    rest.remove_prefix(slash + 1);
  }
  return replace_file(fs, folder / rest, text);
}

}  // namespace

std::string_view fate_name(FieldFate fate) {
  switch (fate) {
    case FieldFate::Rendered: return "values";
    case FieldFate::Patched: return "patch";
    case FieldFate::Resource: return "resource";
    case FieldFate::Dropped: return "dropped";
    case FieldFate::Lost: return "lost";
  }
  return "";
}

bool ClusterImport::is_proven() const {
  const auto is_harmless = [](const plan::Action& action) {
    return action.verb == plan::Verb::InPlace || action.verb == plan::Verb::NoOp;
  };
  return error.empty() && std::all_of(plan.actions.begin(), plan.actions.end(), is_harmless);
}

std::int64_t ClusterImport::replaced() const {
  std::int64_t machines = 0;
  for (const plan::Action& action : plan.actions) {
    const bool replaces =
        action.verb == plan::Verb::Roll || action.verb == plan::Verb::Upgrade || action.verb == plan::Verb::Delete;
    if (replaces) machines += action.machines.most.value_or(action.machines.least);
  }
  return machines;
}

std::vector<ClusterImport> import_clusters(Session& session, ImportedManifests& manifests) {
  ProbeMemory memory;
  std::vector<ClusterImport> imports;
  for (const auto& [name, cluster] : manifests.clusters())
    imports.push_back(import_cluster(session, manifests, cluster, memory));
  return imports;
}

std::optional<Stop> write_import(Session& session, const std::vector<ClusterImport>& imports,
                                 const ImportedLayer& layer, bool force) {
  OpenProject& open = session.open();
  const std::string& root = open.project->workspace().prefix;
  std::map<std::string_view, std::string_view> files;
  if (!layer.text.empty()) files.emplace(layer.path, layer.text);
  for (const ClusterImport& each : imports) files.insert(each.files.begin(), each.files.end());
  for (const auto& [path, text] : files) {
    if (!force && open.files.exists(root + std::string(path)))
      return Stop::because(fmt::format("`{}` exists\nhelp: `--force` overwrites it", path));
  }
  for (const auto& [path, text] : files) {
    if (const IoError error = write_below(open.files, root, std::string(path), std::string(text)))
      return Stop::because(fmt::format("`{}` can't be written: {}", path, describe(error)));
  }
  return std::nullopt;
}

}  // namespace capwright::workflow
