// The stages of a compilation, one call each, in the order of the picture in compiler/README.md, and the points after
// which data no longer changes. Stages return results; only this file puts them into the cluster.
#include "pipeline/compile_cluster.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "diag/catalog/files.h"
#include "diag/catalog/tree.h"
#include "files/file_set.h"
#include "files/history.h"
#include "files/output_tree.h"
#include "files/previous.h"
#include "patch/apply.h"
#include "pipeline/check_yaml.h"
#include "pipeline/fleet_names.h"
#include "pipeline/hidden_values.h"
#include "pipeline/layers.h"
#include "pipeline/load_values.h"
#include "pipeline/own_resources.h"
#include "pipeline/render_cluster.h"
#include "pipeline/restate_errors.h"
#include "pipeline/stamp.h"
#include "rotation/keep.h"
#include "rotation/pin.h"
#include "rotation/rotate.h"
#include "rotation/tombstones.h"
#include "secrets/encryption.h"
#include "secrets/lines.h"
#include "secrets/policy.h"
#include "text/kubectl.h"
#include "value/stage.h"

namespace capwright {
namespace {

Stage stage_of(CompiledCluster& cluster, const Project& project) {
  return {cluster.sources, cluster.sink, cluster.arena, cluster.origins, project.options().limits};
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& added) {
  all.insert(all.end(), added.begin(), added.end());
}

// Whether both sides of Previous are equal, as for most clusters, so that the files are read only once.
bool is_committed(const PreviousCluster& written, const std::string& cluster, const RenderHistory& history) {
  const auto is_intact = [](const PreviousFile& file) { return file.state == PreviousFile::State::Intact; };
  return written.index && std::all_of(written.files.begin(), written.files.end(), is_intact) &&
         history.has_index(cluster, index_text(*written.index));
}

// A commit with conflict markers has no readable names of earlier templates. If the tree is resolved, it counts;
// otherwise the render would drop templates that machines use.
void check_conflicts(const CompiledCluster& cluster, const OutputTree& tree, Previous& previous, Sink& sink) {
  const bool is_readable = previous.committed && previous.committed->conflicted.empty();
  if (is_readable) return;
  if (previous.written.conflicted.empty()) {
    if (previous.written.index) previous.committed.reset();
    return;
  }
  const std::string folder = tree.shown_path("clusters/" + cluster.name);
  sink.report(diag::conflict_in_commit, Span(), folder + "/" + previous.written.conflicted.front())
      .note("the earlier templates that it lists would be lost, and machines may use them")
      .advise(fmt::format(
          "restore it from a commit before the merge, `git checkout COMMIT -- {}`, then run `capwright render`",
          shell_word(folder)));
}

// The earlier state of a cluster, from the tree and its history. A plain folder continues nothing. To forget removal
// entries, the commit's own files count: its index may list a file that the commit lacks.
Previous previous_of(const CompiledCluster& cluster, const OutputTree* tree, bool forgets, Sink& sink) {
  if (tree == nullptr || cluster.set->plain) return {};
  Previous previous{read_previous(*tree, cluster.name, sink)};
  if (tree->history() != nullptr && (forgets || !is_committed(previous.written, cluster.name, *tree->history()))) {
    previous.committed = tree->history()->previous(cluster.name, sink);
    check_conflicts(cluster, *tree, previous, sink);
  }
  // A merge may have removed the index from the tree.
  if (!previous.written.index && previous.committed) previous.written = *previous.committed;
  return previous;
}

void check_pin(const CompiledCluster& cluster, const PreviousCluster& previous, const ProjectOptions& options,
               Sink& sink) {
  if (!previous.index || options.upgrade_set) return;
  const TemplateSet& set = *cluster.set;
  rotation::check_pin(*previous.index, {cluster.stamp, set.built_in, !set.rotated.empty()}, cluster.name, sink);
}

// The stages that name objects and list removed ones, which continue the earlier render.
struct Continuation {
  const std::string& name;  // of the cluster
  const TemplateSet* set;
  const Value& values;
  Project& project;
  const Previous& previous;
  RenderTrace& trace;
  Stage& stage;

  FileSet rotate_names(FileSet files, const rotation::ReadManifests& manifests) const {
    if (set->rotated.empty() && existing_names().is(Kind::Null)) return files;
    return rotation::rotate_names(std::move(files), manifests,
                                  {set->rotated, trace, previous.generations(), existing_names()}, stage);
  }

  Value existing_names() const {
    const Value* names = set->plain ? nullptr : values.find("existing_names");
    return names == nullptr ? Value() : *names;
  }

  FileSet keep_generations(FileSet files) const {
    if (!previous.generations().index || set->rotated.empty()) return files;
    const Config& config = project.config();
    const rotation::KeepOptions options{previous.written, config.retain, project.options().force, existing_names(),
                                        config.delivery == Delivery::Flux};
    return rotation::keep_generations(std::move(files), previous.generations(), options, trace, stage);
  }

  FileSet add_tombstones(FileSet files, const rotation::ReadManifests& first) const {
    if (set->plain || !project.config().writes_tombstones()) return files;
    // Under its first name, an object with an existing one would look like another object, and the existing one
    // removed.
    const bool has_first_names = existing_names().is(Kind::Null);
    const CheckedYaml named = has_first_names ? CheckedYaml() : check_rendered_yaml(files, nullptr, trace, stage);
    const rotation::ReadManifests& manifests = has_first_names ? first : named.manifests;
    const rotation::EarlierObjects earlier{
        previous.generations(), previous.written, project.options().forget_removed,
        [&](std::string_view space, std::string_view object) { return other_owner(name, space, object, project); }};
    return rotation::add_tombstones(std::move(files), manifests, earlier, trace, stage);
  }
};

// A template that prints nothing has no place in the output, so the error about it is moved to its file.
void place_missing_files(const TemplateSet& set, Sink& sink) {
  const jinja::Template* main = set.find(set.main);
  if (main == nullptr || sink.diagnostics().empty()) return;
  Diagnostic& last = sink.diagnostics().back();
  if (last.info == &diag::no_file_rendered.info && !last.where.known()) last.where = {main->file, 0, 0};
}

// The parsed files. `has_broken`: one of them isn't YAML, which has to be reported.
rotation::ReadManifests check_files(CompiledCluster& cluster, const ProjectOptions& options, bool has_broken,
                                    Stage& stage) {
  check_secret_policy(cluster.files, cluster.secret_form, {options.ci, options.inside_work_tree},
                      cluster.secrets.places, stage);
  const bool only_new = cluster.set->plain && !options.keeps_manifests && !has_broken;
  CheckedYaml checked =
      check_rendered_yaml(cluster.files, only_new ? &cluster.set->shapes : nullptr, cluster.trace, stage);
  append(cluster.secrets.places, checked.secrets);
  return std::move(checked.manifests);
}

// Runs the stages in order. The first one that reports an error is the last one that runs: no other place asks.
template <class... Stages>
void run_while_clean(const CompiledCluster& cluster, const Stages&... stages) {
  static_cast<void>(((cluster.clean() && (stages(), true)) && ...));
}

}  // namespace

std::unique_ptr<CompiledCluster> compile_cluster(const std::string& values_path, Project& project,
                                                 const OutputTree* tree, bool trace_control) {
  auto cluster = load_cluster(values_path, project);
  finish_cluster(*cluster, project, tree, trace_control);
  return cluster;
}

std::unique_ptr<CompiledCluster> load_cluster(const std::string& values_path, Project& project) {
  auto cluster = std::make_unique<CompiledCluster>();
  const Breadcrumb crumb(values_path);
  Stage stage = stage_of(*cluster, project);
  LoadedValues loaded = load_values(values_path, project, stage);
  cluster->values_path = values_path;
  cluster->name = std::move(loaded.name);
  cluster->set = loaded.set;
  cluster->values = loaded.values;
  cluster->unchecked = loaded.unchecked;
  cluster->layers = std::move(loaded.layers);
  cluster->secrets = std::move(loaded.secrets);
  cluster->own = std::move(loaded.own);
  run_while_clean(*cluster, [&] {
    const TemplateSet& set = *cluster->set;
    cluster->secret_form = secret_form_of(cluster->values, cluster->origins, set.plain);
    cluster->stamp = make_stamp(cluster->sources, cluster->secrets.places, set, project.config());
  });
  // Together with the values that it lacks: collecting them would be in vain.
  if (cluster->sink.failed() && cluster->unchecked.is(Kind::Map)) {
    const ProjectOptions& options = project.options();
    check_plain_form(secret_form_of(cluster->unchecked, cluster->origins, false),
                     {options.ci, options.inside_work_tree}, stage);
  }
  if (!cluster->secrets.complete && cluster->sink.failed())
    append(cluster->secrets.places, unread_secrets(cluster->sources, project.secret_names()));
  // From here on the values are frozen.
  return cluster;
}

void finish_cluster(CompiledCluster& cluster, Project& project, const OutputTree* tree, bool trace_control) {
  const Breadcrumb crumb(cluster.values_path);
  const ProjectOptions& options = project.options();
  const TemplateSet* const set = cluster.set;
  const Delivery delivery = project.config().delivery;
  Stage stage = stage_of(cluster, project);
  FileSet& files = cluster.files;
  RenderTrace& trace = cluster.trace;
  std::size_t findings_before = 0;
  bool silent = false;
  Previous previous;
  MappedText text;
  rotation::ReadManifests manifests;
  const Continuation earlier{cluster.name, set, cluster.values, project, previous, trace, stage};
  const Encryption encryption{cluster.values,      cluster.secret_form,     previous.written, project.fs(),
                              project.workspace(), project.config().output, options.programs, project.sops(),
                              options.encrypts,    options.reencrypt};
  run_while_clean(
      cluster,  //
      [&] { previous = previous_of(cluster, tree, options.forget_removed, stage.sink); },
      [&] { check_pin(cluster, previous.written, options, stage.sink); },
      [&] {
        findings_before = stage.sink.diagnostics().size();
        jinja::RenderResult rendered = render_cluster(*set, {cluster.values, delivery}, trace_control, stage);
        text = std::move(rendered.text);
        trace = std::move(rendered.trace);
        append(cluster.secrets.texts, rendered.secret_texts);
        explain_nulls(findings_before, cluster.layers, stage);
        if (cluster.values.is(Kind::Map) && cluster.values.find("cluster_name") == nullptr)
          explain_missing_name(findings_before, cluster.name, cluster.values_path, stage.sink);
      },
      [&] {  // each of these reports its errors, so that one run shows them all
        const std::size_t errors = stage.sink.error_count();
        files = split_files(text, cluster.name, stage, &trace, set->plain ? &set->outputs : nullptr);
        place_missing_files(*set, stage.sink);
        files = add_resources(std::move(files), cluster.own.resources,
                              {*set, cluster.values, delivery, trace_control, trace, cluster.secrets.texts}, stage);
        // A file that isn't the cluster's is missing here, and patches of its objects would match nothing.
        const Value patches = stage.sink.error_count() == errors ? cluster.own.patches : Value();
        patch::Patched patched = patch::apply_patches(std::move(files), patches, set->plain, trace, stage);
        report_hidden_values({cluster.values, cluster.values_path, *set, project}, patched.hidden, stage);
        cluster.removed = std::move(patched.removed);
        files = std::move(patched.files);
        manifests = check_files(cluster, options, patched.has_broken, stage);
        files = earlier.rotate_names(std::move(files), manifests);
      },
      [&] { files = seal_secrets(std::move(files), encryption, stage); },
      [&] {
        // A render with findings that no comment suppresses must not count as up to date: the next run must report them
        // again. Findings about the tree, from here on, are reported once.
        const auto findings = std::span<const Diagnostic>(stage.sink.diagnostics()).subspan(findings_before);
        silent = count_accepted(findings, stage.sources) == findings.size();
        files = earlier.keep_generations(std::move(files));
      },
      [&] { files = earlier.add_tombstones(std::move(files), manifests); },
      [&] { files = encrypt_secrets(std::move(files), encryption, stage); },
      // From here on the bytes are frozen: later stages only read them.
      [&] { cluster.stamp = sealed(std::move(cluster.stamp), files, silent); });
  if (options.keeps_manifests) cluster.manifests = std::move(manifests);
}

}  // namespace capwright
