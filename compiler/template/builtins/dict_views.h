// Iterates over and fills dicts, for methods, filters (`items`, `dictsort`) and functions (`dict`, `namespace`).
#pragma once
#include <cstdint>
#include <span>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

enum class DictPart : std::uint8_t { Keys, Values, Items };

// One pass over a Map's keys, values or (key, value) tuples; reports a change of its size during the pass.
Iterator* iterate_dict(Runtime&, const Value& map, DictPart part);

// dict.update(): from a mapping or an iterable of pairs, or from named arguments. False if an error is reported.
bool update_dict(Runtime&, const Value& map, const Value& other);
bool update_dict(Runtime&, const Value& map, std::span<const KeywordArgument> others);

}  // namespace capwright::jinja
