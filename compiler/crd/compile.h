// Compiles the text of a digest to the Schema that objects are validated against.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "crd/program.h"
#include "value/stage.h"

namespace capwright::crd {

// `digest` is the JSON of a digest's file; its strings must outlive the Schema. Null if it is invalid; then `fault`
// says why. Definitions may refer only to earlier ones, so that no schema contains itself.
std::unique_ptr<Schema> compile_digest(const Value& digest, PatternSet& patterns, std::string& fault);

// The errors of a digest's text: invalid JSON, an invalid digest, rules that don't compile. Empty if it is valid.
std::vector<std::string> digest_faults(const std::string& text);

}  // namespace capwright::crd
