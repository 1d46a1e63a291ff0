// Callers with tokens of an identity provider: which claims have which scopes.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "oidc/issuer.h"
#include "portal/caller.h"

namespace capwright::portal {

// An entry of `subjects`.
struct SubjectRule {
  Caller caller;                              // its name is that of the rule
  std::map<std::string, std::string> claims;  // each is this text, or a list with it
};

// The caller of the first rule that the claims match, named "RULE/SUBJECT". Null: none.
std::shared_ptr<const Caller> caller_of(const oidc::Claims& claims, const std::vector<SubjectRule>& rules);

}  // namespace capwright::portal
