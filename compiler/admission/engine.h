// Runs the rules of a kind on an object.
#pragma once
#include "admission/rule_table.h"
#include "admission/subject.h"

namespace capwright::admission {

// Reports in `subject` the values that violate the rules, in order.
void run_rules(std::span<const Rule> rules, Subject& subject);

// Returns the object with the defaults of the mutating webhooks.
Value filled_in(std::span<const Default> defaults, const Value& object, Arena&);

// Converts the object to the version that the webhooks use, as far as the rules need it.
Value moved(std::span<const Move> moves, const Value& object, Arena&);

// Reports invalid durations and bootstrap tokens: the server can't even decode such an object. Returns false if there
// are any. `rules`: null if the kind has none.
bool check_texts(const KindRules* rules, std::span<const Move> moves, Subject& written);

// Reports references to kinds that no release has: the server can't convert such an object for storage.
void check_references(std::span<const Move> moves, Subject& written);

}  // namespace capwright::admission
