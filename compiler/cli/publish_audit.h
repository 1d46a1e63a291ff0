// Converts a publication to audit rows.
#pragma once
#include "publish/audit.h"
#include "workflow/audit_session.h"

namespace capwright::cli {

class AuditRows final : public publish::Audit {
 public:
  explicit AuditRows(audit::Place place) : place_(std::move(place)) {}
  bool record(const publish::Publication& publication, Sink& sink) override;

 private:
  audit::Place place_;
};

}  // namespace capwright::cli
