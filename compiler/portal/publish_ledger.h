// A request to publish in the audit database.
#pragma once
#include <functional>
#include <string>
#include <utility>

#include "audit/store.h"
#include "publish/once.h"

namespace capwright::portal {

class DatabaseLedger final : public publish::Ledger {
 public:
  // Makes the response of a request that is done.
  using Answer = std::function<std::string(const publish::Publication&)>;

  // `store` outlives it. `keeps_text`: of rendered files, in rows.
  DatabaseLedger(audit::Store& store, audit::RequestClaim claim, bool keeps_text, Answer answer)
      : store_(store), claim_(std::move(claim)), keeps_text_(keeps_text), make_answer_(std::move(answer)) {}

  Claim claim(std::optional<git::ObjectId>& pushed_onto, Sink& sink) override;
  bool note_push(const std::optional<git::ObjectId>& tip, Sink& sink) override;
  bool finish(const publish::Publication& publication, Sink& sink) override;
  void release() override;

  // Of a request that is done.
  const std::string& answer() const { return answer_; }
  // Whether the database couldn't be used.
  bool has_failed() const { return has_failed_; }

 private:
  bool fail(const std::string& why, Sink& sink);

  audit::Store& store_;
  const audit::RequestClaim claim_;
  const bool keeps_text_;
  const Answer make_answer_;
  std::string answer_;
  bool has_failed_ = false;
};

}  // namespace capwright::portal
