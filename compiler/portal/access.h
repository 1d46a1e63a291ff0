// Who may do what: bearer tokens with their scopes, of a file or of an identity provider.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/sha.h"
#include "oidc/issuer.h"
#include "portal/caller.h"
#include "portal/identities.h"
#include "value/stage.h"

namespace capwright::portal {

class Access {
 public:
  // The tokens of a file that the stage has read. Errors are reported there.
  static Access read(FileId file, Stage& stage);
  // Every request has all actions but `secrets` and `publish`, without a token.
  static Access anonymous();

  // Tokens of this provider belong to the subjects of the file.
  void trust(std::shared_ptr<oidc::Issuer> issuer) { issuer_ = std::move(issuer); }
  bool has_subjects() const { return !subjects_.empty(); }

  struct Found {
    std::shared_ptr<const Caller> caller;  // null: none
    bool needs_keys = false;               // the provider's keys have to be read first
  };
  // The caller of a request with this header `Authorization`. `now`: seconds since 1970 in UTC. `may_wait`: reads keys.
  Found find(std::string_view authorization, std::int64_t now, bool may_wait) const;
  // The same for tokens of the file. Null: none.
  const Caller* caller(std::string_view authorization) const;
  // Whether any caller has the action.
  bool grants(Action action) const;
  bool is_anonymous() const { return anonymous_.has_value(); }

 private:
  std::map<Sha256, Caller> tokens_;  // by the digest of the token
  std::optional<Caller> anonymous_;
  std::vector<SubjectRule> subjects_;
  std::shared_ptr<oidc::Issuer> issuer_;  // null: none
};

}  // namespace capwright::portal
