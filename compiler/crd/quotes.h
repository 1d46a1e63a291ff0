// Detects missing or extra quotes around a scalar of the wrong type.
#pragma once
#include "crd/finding.h"
#include "crd/program.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::crd {

// Adds to a finding about `value`, which must be of type `wanted`, the advice on quotes, and whether quotes are the
// whole fix.
void judge_quotes(Type wanted, const Value& value, const Stage& stage, Finding& finding);

}  // namespace capwright::crd
