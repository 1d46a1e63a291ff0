// Files of the repository's own rules: found, read, checked and compiled.
#pragma once
#include <string>
#include <vector>

#include "lint/own/own_rule.h"
#include "pipeline/config.h"
#include "source/file_system.h"
#include "value/stage.h"

namespace capwright::lint::own {

// Where rules are when `lint.rules` doesn't say.
inline constexpr std::string_view kDefaultRules = "lint-rules/*.yaml";

// The schemas of the files, as they are built in.
inline constexpr std::string_view kRuleSchema = "schemas/rules/rule.schema.json";
inline constexpr std::string_view kPolicySchema = "schemas/rules/policy.schema.json";
inline constexpr std::string_view kBindingSchema = "schemas/rules/binding.schema.json";

// The files that the configuration names, sorted, relative to the root. A glob that no file fits is reported, and so
// is one that leads out of the repository, unless they may be `anywhere`.
std::vector<std::string> find_rule_files(FileSystem& fs, const Workspace& workspace, const LintConfig& config,
                                         Stage& stage, bool anywhere = false);

// The rules in those files, sorted by code. Every fault is reported; the rules are of use only when there was none. The
// Stage has to outlive them.
Rules read_rules(FileSystem& fs, const Workspace& workspace, const std::vector<std::string>& files, Stage& stage);

}  // namespace capwright::lint::own
