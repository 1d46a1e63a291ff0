// Converts a publication to audit rows.
#pragma once
#include "cli/audit_ground.h"
#include "publish/audit.h"

namespace capwright::cli {

class AuditRows final : public publish::Audit {
 public:
  explicit AuditRows(audit::Place place) : place_(std::move(place)) {}
  bool record(const publish::Publication& publication, Sink& sink) override;

 private:
  audit::Place place_;
};

}  // namespace capwright::cli
