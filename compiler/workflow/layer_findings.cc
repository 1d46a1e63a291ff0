// Reports layers that apply to no cluster, at the `when` that excludes them.
#include "workflow/layer_findings.h"

#include <algorithm>
#include <fmt/format.h>

#include "diag/catalog/repository.h"
#include "diag/suggest.h"
#include "pipeline/other_layers.h"
#include "yaml/read.h"

namespace capwright::workflow {
namespace {

// The place of a rule's `when`, or another part of it, in the configuration that the project has read.
Span place_of(const Value& document, std::size_t number, const Stage& stage) {
  const Value* layers = document.is(Kind::Map) ? document.find("layers") : nullptr;
  if (layers == nullptr || !layers->is(Kind::List) || number >= layers->items().size()) return {};
  const Value& layer = layers->items()[number];
  const Value* when = layer.is(Kind::Map) ? layer.find("when") : nullptr;
  const Value* provider = when != nullptr && when->is(Kind::Map) ? when->find("provider") : nullptr;
  const Value* shown = provider;
  if (shown == nullptr) shown = when != nullptr ? when : &layer;
  return stage.origins[shown->origin()].span;
}

void report_unused(const OpenProject& open, const LayerRule& rule, Span where, Sink& sink) {
  Diagnostic& finding = sink.report(diag::unused_layer, where, rule.file);
  FileStat stat;
  if (open.project->fs().stat(open.project->workspace().io_path(rule.file), stat))
    finding.note(fmt::format("`{}` doesn't exist either", rule.file));
  const std::string meant = rule.provider.empty() || open.project->known_set(rule.provider) != nullptr
                                ? ""
                                : did_you_mean(rule.provider, open.project->names_of_sets());
  if (!meant.empty()) finding.advise(meant);
  else if (rule.provider.empty()) finding.advise("correct `path`, a glob of values files from the root");
  else
    finding.advise(
        "set `provider` in the values files or in a layer before this one, correct the `when`, or remove the layer");
}

}  // namespace

void report_unused_layers(OpenProject& open, const std::vector<std::string>& values_paths) {
  Project& project = *open.project;
  const Config& config = project.config();
  if (values_paths.empty() || config.layers.empty() || config.file == FileId::None) return;
  const auto means = [&](std::string_view asked, std::string_view stated) {
    const KnownSet* set = project.known_set(stated);
    return set != nullptr && (asked == set->id || asked == set->provider);
  };
  const LayerRequest request{
      {}, &project.options().extra, project.plain_set() != nullptr, project.layer_decryption(), means};
  const auto unused =
      unused_layers(values_paths, request, {project.fs(), project.workspace(), config, project.options().limits});
  if (unused.empty()) return;
  Sink ignored;  // it was read without errors before
  Stage stage{open.sources, ignored, open.arena, open.origins, open.limits};
  const Value document = read_yaml(config.file, stage);
  for (const LayerRule* rule : unused) {
    const auto number = static_cast<std::size_t>(rule - config.layers.data());
    report_unused(open, *rule, place_of(document, number, stage), open.sink);
  }
}

}  // namespace capwright::workflow
