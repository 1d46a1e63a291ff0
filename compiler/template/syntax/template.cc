// Look-ups in a finished template.
#include "template/syntax/template.h"

#include <algorithm>

namespace capwright::jinja {

const Block* Template::block(std::string_view block_name) const {
  const auto found = std::ranges::find_if(blocks, [&](const Block* b) { return b->name.text == block_name; });
  return found == blocks.end() ? nullptr : *found;
}

}  // namespace capwright::jinja
