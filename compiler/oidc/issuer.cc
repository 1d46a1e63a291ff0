// A provider publishes a new key before it uses it, and lists an old one until its last token has expired.
#include "oidc/issuer.h"

namespace capwright::oidc {
namespace {

constexpr std::int64_t kBetweenReads = 60, kUsualAge = 300, kMostAge = 86'400;  // seconds

}  // namespace

bool Issuer::load(std::int64_t now, std::string& why) {
  const auto text = read_(why);
  auto set = text ? KeySet::read(*text, why) : std::nullopt;
  if (!set) return false;
  const std::lock_guard lock(mutex_);
  keys_ = std::make_shared<const KeySet>(std::move(*set));
  read_at_ = tried_at_ = now;
  return true;
}

// Keys that couldn't be read again for a day may have been withdrawn since.
std::shared_ptr<const KeySet> Issuer::keys(std::int64_t now) {
  const std::lock_guard lock(mutex_);
  return now - read_at_ <= kMostAge ? keys_ : nullptr;
}

// Whether this thread is to read them. `is_due`: one thread should.
bool Issuer::begin_reading(std::int64_t now, bool may_read, bool& is_due) {
  const std::lock_guard lock(mutex_);
  is_due = now - tried_at_ >= kBetweenReads;
  if (is_due && may_read) tried_at_ = now;
  return is_due && may_read;
}

Issuer::Answer Issuer::check(std::string_view token, std::int64_t now, bool may_read) {
  Expectations expected = expected_;
  expected.now = now;
  const auto verify_now = [&]() -> std::variant<Claims, Rejection> {
    const auto known = keys(now);
    return known != nullptr ? verify(token, *known, expected) : Rejection::UnknownKey;
  };
  auto verified = verify_now();
  const auto* rejection = std::get_if<Rejection>(&verified);
  bool is_old = false;
  {
    const std::lock_guard lock(mutex_);
    is_old = now - read_at_ >= kUsualAge;
  }
  bool is_due = false;
  const bool wants_keys = is_old || (rejection != nullptr && *rejection == Rejection::UnknownKey);
  std::string ignored;  // the next attempt may succeed
  if (wants_keys && begin_reading(now, may_read, is_due) && load(now, ignored)) verified = verify_now();
  if (wants_keys && is_due && !may_read) return NeedsKeys();
  if (const auto* why = std::get_if<Rejection>(&verified)) return *why;
  return std::get<Claims>(std::move(verified));
}

}  // namespace capwright::oidc
