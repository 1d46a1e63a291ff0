// Hands a cluster's frozen values to the template engine.
#include "pipeline/render_cluster.h"

#include <string_view>
#include <vector>

#include "diag/catalog/layers.h"
#include "diag/suggest.h"
#include "value/restamp.h"
#include "values/addon_catalogue.h"

namespace capwright {
namespace {

constexpr std::string_view kImageTags = "image_tags";

// What templates of a set see: the values, and what the catalogue knows of the cluster's version of Kubernetes.
Value context_of(const TemplateSet& set, const Value& values, Stage& stage) {
  if (!values.is(Kind::Map) || !set.image_tags.is(Kind::Map) || values.find(kImageTags) != nullptr) return values;
  const Value* tags = set.image_tags.find(values::kubernetes_minor(values));
  std::vector<Entry> entries(values.entries().begin(), values.entries().end());
  entries.push_back({make_key(stage.arena, kImageTags),
                     tags == nullptr ? make_map(stage.arena, {}) : restamp(*tags, set.origins, stage)});
  return make_map(stage.arena, entries).with_origin(values.origin());
}

}  // namespace

jinja::RenderResult render_cluster(const TemplateSet& set, const Value& values, bool trace_control, Stage& stage) {
  const jinja::Template* main = set.find(set.main);
  if (main == nullptr) {
    const std::vector<std::string_view> names = set.names();
    const std::string suggestion = did_you_mean(set.main, names);
    stage.sink.report(diag::missing_main_template, Span(), set.main)
        .advise(suggestion.empty() ? "known: " + list_names(names, 20) : suggestion);
    return {};
  }
  jinja::RenderInput input;
  input.main = main;
  input.loader = &set;
  input.context = context_of(set, values, stage);
  input.trace_control = trace_control;
  return jinja::render(input, stage);
}

}  // namespace capwright
