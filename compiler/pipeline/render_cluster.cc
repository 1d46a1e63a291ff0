// Hands a cluster's frozen values to the template engine.
#include "pipeline/render_cluster.h"

#include <utility>

#include "diag/catalog.h"
#include "diag/suggest.h"
#include "template/eval/render.h"

namespace capwright {

MappedText render_cluster(CompiledCluster& cluster, Stage& stage, bool trace_control) {
  const jinja::Template* main = cluster.set->find(cluster.set->main);
  if (main == nullptr) {
    const std::vector<std::string_view> names = cluster.set->names();
    const std::string suggestion = did_you_mean(cluster.set->main, names);
    stage.sink.report(diag::missing_main_template, Span(), cluster.set->main)
        .advise(suggestion.empty() ? "known are " + list_names(names, 20) : suggestion);
    return {};
  }
  jinja::RenderInput input;
  input.main = main;
  input.loader = cluster.set;
  input.context = cluster.values;
  input.trace_control = trace_control;
  jinja::RenderResult result = jinja::render(input, stage);
  cluster.trace = std::move(result.trace);
  cluster.secret_texts.insert(cluster.secret_texts.end(), result.secret_texts.begin(), result.secret_texts.end());
  return std::move(result.text);
}

}  // namespace capwright
