// Hands a cluster's frozen values to the template engine.
#include "pipeline/render_cluster.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "diag/catalog/layers.h"
#include "diag/suggest.h"
#include "value/stage.h"
#include "values/addon_catalogue.h"

namespace capwright {
namespace {

constexpr std::string_view kImageTags = "image_tags", kDelivery = "delivery";

// 35 for "1.35"; 0 for other texts.
int number_of_minor(std::string_view minor) {
  int number = 0;
  const std::string_view digits = minor.substr(std::min(minor.find('.') + 1, minor.size()));
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// The tags of a minor version. An image without a tag of its own has the newest one before: a tag that isn't in the
// catalogue may not exist. `exact` images have none then, because their users choose a better one themselves.
std::vector<Entry> tags_of(const Value& images, std::string_view minor) {
  std::vector<Entry> tags;
  const Value& exact = *images.find("exact");
  const auto is_exact = [&](const Entry& tag) {
    return std::any_of(exact.items().begin(), exact.items().end(),
                       [&](const Value& name) { return name.text() == tag.key.text(); });
  };
  for (const Entry& listed : images.find("minors")->entries()) {
    const std::string_view of = listed.key.text();
    if (number_of_minor(of) > number_of_minor(minor)) break;  // they are in order
    for (const Entry& tag : listed.value.entries()) {
      if (of != minor && is_exact(tag)) continue;
      const auto known =
          std::find_if(tags.begin(), tags.end(), [&](const Entry& each) { return each.key.text() == tag.key.text(); });
      if (known == tags.end()) tags.push_back(tag);
      else *known = tag;
    }
  }
  return tags;
}

// What templates of a set see: the values, what the catalogue knows of the cluster's version of Kubernetes, and the
// tool that applies the tree.
Value context_of(const TemplateSet& set, const TemplateInput& given, Stage& stage) {
  const Value& values = given.values;
  if (set.plain || !values.is(Kind::Map)) return values;
  std::vector<Entry> entries(values.entries().begin(), values.entries().end());
  if (set.images.is(Kind::Map) && values.find(kImageTags) == nullptr) {
    const Value tags = make_map(stage.arena, tags_of(set.images, values::kubernetes_minor(values)));
    entries.push_back({make_key(stage.arena, kImageTags), restamp(tags, set.origins, stage)});
  }
  if (values.find(kDelivery) == nullptr)
    entries.push_back({make_key(stage.arena, kDelivery), make_string(stage.arena, delivery_name(given.delivery))});
  return make_map(stage.arena, entries).with_origin(values.origin());
}

}  // namespace

jinja::RenderResult render_cluster(const TemplateSet& set, const TemplateInput& given, bool trace_control,
                                   Stage& stage) {
  if (set.envsubst) return render_envsubst(*set.envsubst, given.values, stage);
  const jinja::Template* main = set.find(set.main);
  if (main == nullptr) {
    const std::vector<std::string_view> names = set.names();
    const std::string suggestion = did_you_mean(set.main, names);
    stage.sink.report(diag::missing_main_template, Span(), set.main)
        .advise(suggestion.empty() ? "known: " + list_names(names, 20) : suggestion);
    return {};
  }
  return render_template(*main, set, given, trace_control, stage);
}

jinja::RenderResult render_template(const jinja::Template& parsed, const TemplateSet& set, const TemplateInput& given,
                                    bool trace_control, Stage& stage) {
  jinja::RenderInput input;
  input.main = &parsed;
  input.loader = &set;
  input.context = context_of(set, given, stage);
  input.trace_control = trace_control;
  return jinja::render(input, stage);
}

}  // namespace capwright
