// An executable template: parsed, names resolved, immutable, shared by all threads.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "source/source.h"
#include "template/resolve/scopes.h"
#include "template/resolve/template_references.h"
#include "template/syntax/ast.h"
#include "template/syntax/options.h"

namespace capwright::jinja {

struct Template {
  std::string name;  // as in include, import and extends
  FileId file = FileId::None;
  Options options;  // the ones it was parsed with
  Body body;
  const Function* root = nullptr;
  std::span<const Block* const> blocks;  // all of them, nested ones too, in source order; names differ
  bool extends = false;                  // has an `extends` somewhere
  References references;

  // The block of this template with that name; null if there is none.
  const Block* block(std::string_view block_name) const;

  Arena arena;  // owns all of the above
};

}  // namespace capwright::jinja
