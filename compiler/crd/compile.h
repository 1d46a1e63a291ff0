// From the text of a digest to the Schema that objects are checked against.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "crd/program.h"
#include "value/stage.h"

namespace capwright::crd {

// `digest` is the JSON of a digest's file; its strings must outlive the Schema. Null when it is none; then `fault` says
// why. Definitions may only refer to those before them, so that no schema contains itself.
std::unique_ptr<Schema> compile_digest(const Value& digest, PatternSet& patterns, std::string& fault);

// What keeps the text of a digest from being used: no JSON, no digest, rules that don't compile. Empty: it is sound.
std::vector<std::string> digest_faults(const std::string& text);

}  // namespace capwright::crd
