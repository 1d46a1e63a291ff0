// What a repository adds to the output of a template set, without a copy of its templates: `patches` and `resources`.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "source/source.h"
#include "template/syntax/template.h"
#include "value/value.h"

namespace capwright {

// A file of `resources`.
struct OwnResource {
  std::string path;  // in the tree: `clusters/prod/quota.yaml`
  FileId file = FileId::None;
  std::shared_ptr<const jinja::Template> parsed;  // null: it is used as it is
  Span named;                                     // where `resources` names it
};

struct OwnObjects {
  Value patches;  // a List as apply_patches() takes it, or Null
  std::vector<OwnResource> resources;
};

}  // namespace capwright
