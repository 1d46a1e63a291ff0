// Who may do what: bearer tokens with their scopes.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha.h"
#include "value/stage.h"

namespace capwright::portal {

enum class Action : std::uint8_t { Render, Validate, Plan, Schemas, Audit, Publish, Secrets };

// "render"
std::string_view action_name(Action action);

// A token, or the anonymous caller.
struct Caller {
  std::string name;                   // for logs
  std::vector<std::string> clusters;  // globs of names
  std::uint32_t actions = 0;          // a bit for each

  bool may(Action action) const { return (actions >> static_cast<unsigned>(action) & 1U) != 0; }
  bool may_use(std::string_view cluster) const;
};

class Access {
 public:
  // The tokens of a file that the stage has read. Errors are reported there.
  static Access read(FileId file, Stage& stage);
  // Every request has all actions but `secrets` and `publish`, without a token.
  static Access anonymous();

  // The caller of a request with this header `Authorization`; null: none.
  const Caller* caller(std::string_view authorization) const;
  // Whether any caller has the action.
  bool grants(Action action) const;
  bool is_anonymous() const { return anonymous_.has_value(); }

 private:
  std::map<Sha256, Caller> tokens_;  // by the digest of the token
  std::optional<Caller> anonymous_;
};

}  // namespace capwright::portal
