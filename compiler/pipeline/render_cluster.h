// The one call into the template engines.
#pragma once
#include "pipeline/template_set.h"
#include "template/eval/render.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// What templates see. Those of a set also see `delivery`, the tool that applies the tree, unless the values have that
// key.
struct TemplateInput {
  const Value& values;  // frozen
  Delivery delivery;
};

// Renders the set's main template; the text is empty (and the reason reported) if it fails.
jinja::RenderResult render_cluster(const TemplateSet& set, const TemplateInput& given, bool trace_control, Stage&);

// The same for a template that isn't part of the set, but may include its files.
jinja::RenderResult render_template(const jinja::Template& parsed, const TemplateSet& set, const TemplateInput& given,
                                    bool trace_control, Stage&);

}  // namespace capwright
