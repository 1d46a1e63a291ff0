// Tokens are looked up by their digest. The time of a look-up depends on the digest's bytes, from which the token can't
// be computed, so no comparison in constant time is needed.
#include "portal/access.h"

#include <algorithm>
#include <array>

#include "facts/built_in.h"
#include "schema/schema.h"
#include "text/glob.h"
#include "yaml/read.h"

namespace capwright::portal {
namespace {

constexpr const char* kTokensSchema = "schemas/config/tokens.schema.json";
constexpr std::array<std::string_view, 7> kActions{"render", "validate", "plan",   "schemas",
                                                   "audit",  "publish",  "secrets"};

std::uint32_t bit_of(Action action) { return 1U << static_cast<unsigned>(action); }

std::uint8_t nibble(char c) { return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10); }

// The schema has checked that the text is 64 lower-case digits.
Sha256 digest_of(std::string_view hex) {
  Sha256 digest{};
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<std::uint8_t>(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
  return digest;
}

// Of a header `Authorization`. Empty: it has no bearer token.
std::string_view token_of(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() <= kScheme.size()) return {};
  for (std::size_t i = 0; i < kScheme.size(); ++i) {
    const char c = authorization[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != kScheme[i]) return {};
  }
  return authorization.substr(kScheme.size());
}

Caller scopes_of(const Value& token) {
  Caller caller;
  caller.name = token.text_at("name");
  for (const Value& action : token.find("actions")->items()) {
    for (std::size_t i = 0; i < kActions.size(); ++i) {
      if (action.text() == kActions[i]) caller.actions |= 1U << i;
    }
  }
  const Value* clusters = token.find("clusters");
  if (clusters == nullptr) caller.clusters = {"*"};
  else
    for (const Value& glob : clusters->items()) caller.clusters.emplace_back(glob.text());
  return caller;
}

}  // namespace

std::span<const Action> all_actions() {
  static constexpr std::array kAll{Action::Render, Action::Validate, Action::Plan,   Action::Schemas,
                                   Action::Audit,  Action::Publish,  Action::Secrets};
  return kAll;
}

std::string_view action_name(Action action) { return kActions[static_cast<std::size_t>(action)]; }

bool Caller::may_use(std::string_view cluster) const {
  for (const std::string& glob : clusters) {
    if (glob_matches(glob, cluster)) return true;
  }
  return false;
}

bool Caller::may_use_all() const { return std::find(clusters.begin(), clusters.end(), "*") != clusters.end(); }

Access Access::read(FileId file, Stage& stage) {
  Access access;
  const Value document = read_yaml(file, stage);
  if (stage.sink.failed()) return access;
  const FileId schema_file = stage.sources.add(kTokensSchema, std::string(built_in_text(kTokensSchema)));
  if (!schema::validate(*schema::compile(read_yaml(schema_file, stage), stage), document, stage)) return access;
  if (const Value* tokens = document.find("tokens")) {
    for (const Value& token : tokens->items())
      access.tokens_.insert_or_assign(digest_of(token.text_at("sha256")), scopes_of(token));
  }
  if (const Value* subjects = document.find("subjects")) {
    for (const Value& subject : subjects->items()) {
      SubjectRule& rule = access.subjects_.emplace_back(SubjectRule{scopes_of(subject), {}});
      for (const auto& claim : subject.find("claims")->entries())
        rule.claims.emplace(claim.key.text(), claim.value.text());
    }
  }
  return access;
}

Access Access::anonymous() {
  Access access;
  Caller caller{"anonymous", {"*"}, 0};
  for (const Action action : {Action::Render, Action::Validate, Action::Plan, Action::Schemas, Action::Audit})
    caller.actions |= bit_of(action);
  access.anonymous_ = std::move(caller);
  return access;
}

bool Access::grants(Action action) const {
  return std::any_of(tokens_.begin(), tokens_.end(), [&](const auto& token) { return token.second.may(action); }) ||
         std::any_of(subjects_.begin(), subjects_.end(), [&](const auto& rule) { return rule.caller.may(action); });
}

const Caller* Access::caller(std::string_view authorization) const {
  if (anonymous_) return &*anonymous_;
  const std::string_view token = token_of(authorization);
  const auto known = token.empty() ? tokens_.end() : tokens_.find(sha256(token));
  return known == tokens_.end() ? nullptr : &known->second;
}

Access::Found Access::find(std::string_view authorization, std::int64_t now, bool may_wait) const {
  if (const Caller* known = caller(authorization))
    return {std::shared_ptr<const Caller>(std::shared_ptr<const Caller>(), known)};
  const std::string_view token = token_of(authorization);
  if (issuer_ == nullptr || !oidc::looks_like_token(token)) return {};
  const oidc::Issuer::Answer answer = issuer_->check(token, now, may_wait);
  if (std::holds_alternative<oidc::Issuer::NeedsKeys>(answer)) return {nullptr, true};
  const auto* claims = std::get_if<oidc::Claims>(&answer);
  return {claims != nullptr ? caller_of(*claims, subjects_) : nullptr};
}

}  // namespace capwright::portal
