// An identity provider: its keys, which are read again when they may have changed, and what its tokens must say.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "oidc/id_token.h"

namespace capwright::oidc {

// The text of the key set, from a file or the provider. Empty: it can't be read; `why` has the reason.
using ReadKeys = std::function<std::optional<std::string>(std::string& why)>;

// Several threads may use it.
class Issuer {
 public:
  Issuer(Expectations expected, ReadKeys read) : expected_(std::move(expected)), read_(std::move(read)) {}

  // At the start. False: there are no keys; `why` has the reason.
  bool load(std::int64_t now, std::string& why);

  // Keys should be read first: they are old, or don't have the token's.
  struct NeedsKeys {};
  using Answer = std::variant<Claims, Rejection, NeedsKeys>;
  // With `may_read`, it reads keys when it has to, which may take seconds; at most once a minute, so that tokens with
  // invented keys can't make the server ask the provider all the time.
  Answer check(std::string_view token, std::int64_t now, bool may_read);

 private:
  std::shared_ptr<const KeySet> keys(std::int64_t now);
  bool begin_reading(std::int64_t now, bool may_read, bool& is_due);

  const Expectations expected_;
  const ReadKeys read_;
  std::mutex mutex_;  // guards the following members
  std::shared_ptr<const KeySet> keys_;
  std::int64_t read_at_ = 0, tried_at_ = 0;  // seconds since 1970 in UTC
};

}  // namespace capwright::oidc
