// Runs the rules of a kind on an object.
#pragma once
#include "admission/rules.h"
#include "admission/subject.h"

namespace capwright::admission {

// Refuses in `subject` what the rules don't allow, in their order.
void run_rules(std::span<const Rule> rules, Subject& subject);

// The object as the mutating webhooks write it.
Value filled_in(std::span<const Default> defaults, const Value& object, Arena&);

// The object in the version that the webhooks work on, as far as the rules look at it.
Value moved(std::span<const Move> moves, const Value& object, Arena&);

// Refuses durations and bootstrap tokens that are none: the server can't even read such an object. False when there is
// one. `rules`: null where the kind has none.
bool check_texts(const KindRules* rules, std::span<const Move> moves, Subject& written);

// Refuses references whose kind no release has: the server can't convert such an object when it stores it.
void check_references(std::span<const Move> moves, Subject& written);

}  // namespace capwright::admission
