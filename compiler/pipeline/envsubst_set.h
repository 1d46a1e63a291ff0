// Template sets in the language of clusterctl: `language: envsubst` in template.yaml.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "envsubst/envsubst.h"
#include "template/eval/render.h"
#include "value/stage.h"

namespace capwright {

// The main template of such a set, and where its variables get their values.
struct EnvsubstTemplate {
  struct Variable {
    std::string name;
    std::string path;  // of the value, such as `openstack.region`
    Span where;        // in template.yaml; empty: the path follows from the name
  };
  FileId file = FileId::None;
  envsubst::Template parsed;
  std::vector<Variable> variables;  // all of the template's, sorted by name
};

// Parses `file` with the entry `variables` of the manifest, which may be missing. A variable that it doesn't list has
// the path that variables of clusterctl's options have in our values, otherwise its name in lower case. Reports errors.
EnvsubstTemplate read_envsubst_template(FileId file, const Value& manifest, Stage&);

// Substitutes with frozen values. If the template has no `# FILE:` line, all of its text is `cluster.yaml`.
jinja::RenderResult render_envsubst(const EnvsubstTemplate&, const Value& values, Stage&);

}  // namespace capwright
