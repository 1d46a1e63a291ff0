// The table `publish_requests`.
#include <charconv>

#include "audit/store.h"

namespace capwright::audit {
namespace {

constexpr const char* kFind =
    "SELECT fingerprint, state, holder, held_until, pushed_onto, answer FROM publish_requests WHERE id = $1";
constexpr const char* kAdd =
    "INSERT INTO publish_requests (id, fingerprint, caller, cluster, state, holder, held_until, pushed_onto, answer, "
    "requested_at) VALUES ($1, $2, $3, $4, 'running', $5, $6, '', '', $7)";
constexpr const char* kTake = "UPDATE publish_requests SET holder = $1, held_until = $2 WHERE id = $3";
constexpr const char* kPushed =
    "UPDATE publish_requests SET state = 'pushing', pushed_onto = $1 WHERE id = $2 AND state = 'running'";
constexpr const char* kDone =
    "UPDATE publish_requests SET state = 'done', answer = $1 WHERE id = $2 AND state <> 'done'";
constexpr const char* kForget = "DELETE FROM publish_requests WHERE id = $1 AND holder = $2 AND state = 'running'";

enum Column : std::size_t { Fingerprint, State, Holder, HeldUntil, PushedOnto, Answer };

bool is_over(const database::Cell& until, std::int64_t now) {
  const std::string text = until.value_or("");
  std::int64_t seconds = 0;
  return std::from_chars(text.data(), text.data() + text.size(), seconds).ec != std::errc() || seconds < now;
}

}  // namespace

// In a transaction.
bool Store::take(const RequestClaim& claim, RequestState& state, std::string& why) {
  const auto rows = connection_->run(kFind, {claim.id}, why);
  if (!rows) return false;
  if (rows->empty()) {
    return run(kAdd,
               {claim.id, claim.fingerprint, claim.caller, claim.cluster, claim.holder, std::to_string(claim.until),
                std::to_string(claim.now)},
               why);
  }
  const database::Row& row = rows->front();
  state.pushed_onto = row[PushedOnto].value_or("");
  state.answer = row[Answer].value_or("");
  if (row[Fingerprint] != claim.fingerprint) state.kind = RequestState::Kind::Other;
  else if (row[State] == "done") state.kind = RequestState::Kind::Done;
  else if (row[Holder] != claim.holder && !is_over(row[HeldUntil], claim.now)) state.kind = RequestState::Kind::Held;
  else return run(kTake, {claim.holder, std::to_string(claim.until), claim.id}, why);
  return true;
}

std::optional<RequestState> Store::claim(const RequestClaim& claim, std::string& why) {
  RequestState state;
  const bool is_read = connection_->begin(why) && end(take(claim, state, why), why);
  return is_read ? std::optional(state) : std::nullopt;
}

bool Store::note_push(const RequestClaim& claim, const std::string& pushed_onto, std::string& why) {
  return run(kPushed, {pushed_onto, claim.id}, why);
}

bool Store::finish(const RequestClaim& claim, const std::vector<ClusterRender>& renders, const std::string& answer,
                   std::string& why) {
  return connection_->begin(why) && end(insert(renders, why) && run(kDone, {answer, claim.id}, why), why);
}

bool Store::release(const RequestClaim& claim, std::string& why) { return run(kForget, {claim.id, claim.holder}, why); }

}  // namespace capwright::audit
