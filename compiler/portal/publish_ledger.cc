// Rows and response are one transaction.
#include "portal/publish_ledger.h"

#include <fmt/format.h>

#include "audit/recorder.h"
#include "diag/catalog/tree.h"
#include "workflow/publish_audit.h"

namespace capwright::portal {

publish::Ledger::Claim DatabaseLedger::claim(std::optional<git::ObjectId>& pushed_onto, Sink& sink) {
  std::string why;
  const auto state = store_.claim(claim_, why);
  if (!state) {
    fail(why, sink);
    return Claim::Failed;
  }
  pushed_onto = git::parse_object_id(state->pushed_onto);
  answer_ = state->answer;
  switch (state->kind) {
    case audit::RequestState::Kind::Taken: return Claim::Taken;
    case audit::RequestState::Kind::Held: return Claim::Busy;
    case audit::RequestState::Kind::Other: return Claim::Another;
    case audit::RequestState::Kind::Done: break;
  }
  return Claim::Finished;
}

bool DatabaseLedger::note_push(const std::optional<git::ObjectId>& tip, Sink& sink) {
  std::string why;
  return (tip && store_.note_push(claim_, git::hex(*tip), why)) || fail(why, sink);
}

bool DatabaseLedger::finish(const publish::Publication& publication, Sink& sink) {
  workflow::AuditedPublication audited(publication);
  audited.row.who = fmt::format("{} via {}", claim_.caller, audited.row.who);
  std::string why;
  const auto rows = audit::new_rows(store_, audited.row, audited.fleet(), keeps_text_, why);
  answer_ = make_answer_(publication);
  return (rows && store_.finish(claim_, *rows, answer_, why)) || fail(why, sink);
}

void DatabaseLedger::release() {
  std::string ignored;  // the holder may claim it again
  store_.release(claim_, ignored);
}

bool DatabaseLedger::fail(const std::string& why, Sink& sink) {
  has_failed_ = true;
  sink.report(diag::io_failed, Span(), "the audit database", "written", why);
  return false;
}

}  // namespace capwright::portal
