// Look-ups by name, from the outside in.
#include "template/eval/context.h"

#include "value/map_index.h"

namespace capwright::jinja {

GivenValues::GivenValues(const Value& context, const Value& globals) : context_{context, {}}, globals_{globals, {}} {
  for (Source* source : {&context_, &globals_}) {
    if (source->map.is(Kind::Map)) source->thawed.assign(source->map.entries().size(), kMissing);
  }
}

Value GivenValues::find_in(Source& source, Runtime& runtime, const Identifier& name) {
  if (!source.map.is(Kind::Map)) return kMissing;
  const Map& map = *source.map.map_rep();
  const Entry* entry = find_entry(map, name.text, name.hash);
  if (entry == nullptr) return kMissing;
  Value& thawed = source.thawed[static_cast<std::size_t>(entry - map.entries)];
  if (is_missing(thawed)) thawed = runtime.thaw(entry->value);
  return thawed;
}

Value GivenValues::find(Runtime& runtime, const Identifier& name, bool globals_only) {
  if (!globals_only) {
    const Value found = find_in(context_, runtime, name);
    if (!is_missing(found)) return found;
  }
  return find_in(globals_, runtime, name);
}

void GivenValues::add_names(std::vector<std::string_view>& names) const {
  for (const Source* source : {&context_, &globals_}) {
    if (!source->map.is(Kind::Map)) continue;
    for (const Entry& entry : source->map.entries()) names.push_back(entry.key.text());
  }
}

BlockChain* find_blocks(const Context& context, std::string_view name) {
  for (BlockChain* chain = context.blocks; chain != nullptr; chain = chain->next) {
    if (chain->name == name) return chain;
  }
  return nullptr;
}

}  // namespace capwright::jinja
