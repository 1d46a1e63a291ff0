// Whether a scalar of a wrong type lacks quotes, or has some that it shouldn't have.
#pragma once
#include "crd/finding.h"
#include "crd/program.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::crd {

// Says so in a finding about `value`, which was to be of type `wanted`: what to do, and whether quotes are all of it.
void judge_quotes(Type wanted, const Value& value, const Stage& stage, Finding& finding);

}  // namespace capwright::crd
