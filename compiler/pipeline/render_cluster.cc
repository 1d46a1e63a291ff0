// Hands a cluster's frozen values to the template engine.
#include "pipeline/render_cluster.h"

#include <string_view>
#include <utility>
#include <vector>

#include "diag/catalog/layers.h"
#include "diag/suggest.h"
#include "template/eval/render.h"
#include "value/restamp.h"
#include "values/catalogue.h"

namespace capwright {
namespace {

constexpr std::string_view kImageTags = "image_tags";

// What templates of a set see: the values, and what the catalogue knows of the cluster's version of Kubernetes.
Value context_of(const CompiledCluster& cluster, Stage& stage) {
  const Value& values = cluster.values;
  if (!values.is(Kind::Map) || !cluster.set->image_tags.is(Kind::Map) || values.find(kImageTags) != nullptr)
    return values;
  const Value* tags = cluster.set->image_tags.find(values::kubernetes_minor(values));
  std::vector<Entry> entries(values.entries().begin(), values.entries().end());
  entries.push_back({make_key(stage.arena, kImageTags),
                     tags == nullptr ? make_map(stage.arena, {}) : restamp(*tags, cluster.set->origins, stage)});
  return make_map(stage.arena, entries).with_origin(values.origin());
}

}  // namespace

MappedText render_cluster(CompiledCluster& cluster, Stage& stage, bool trace_control) {
  const jinja::Template* main = cluster.set->find(cluster.set->main);
  if (main == nullptr) {
    const std::vector<std::string_view> names = cluster.set->names();
    const std::string suggestion = did_you_mean(cluster.set->main, names);
    stage.sink.report(diag::missing_main_template, Span(), cluster.set->main)
        .advise(suggestion.empty() ? "known: " + list_names(names, 20) : suggestion);
    return {};
  }
  jinja::RenderInput input;
  input.main = main;
  input.loader = cluster.set;
  input.context = context_of(cluster, stage);
  input.trace_control = trace_control;
  jinja::RenderResult result = jinja::render(input, stage);
  cluster.trace = std::move(result.trace);
  cluster.secret_texts.insert(cluster.secret_texts.end(), result.secret_texts.begin(), result.secret_texts.end());
  return std::move(result.text);
}

}  // namespace capwright
