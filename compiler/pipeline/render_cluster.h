// The one call into the template engines.
#pragma once
#include "pipeline/template_set.h"
#include "template/eval/render.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// Renders the set's main template with frozen values; the text is empty (and the reason reported) if it fails.
// Templates of a set see `delivery`, the tool that applies the tree, unless the values have that key.
jinja::RenderResult render_cluster(const TemplateSet& set, const Value& values, Delivery delivery, bool trace_control,
                                   Stage&);

// The same for a template that isn't part of the set, but may include its files.
jinja::RenderResult render_template(const jinja::Template& parsed, const TemplateSet& set, const Value& values,
                                    Delivery delivery, bool trace_control, Stage&);

}  // namespace capwright
