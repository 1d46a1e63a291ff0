// Converts a publication to audit rows.
#pragma once
#include "publish/audit.h"
#include "workflow/audit_session.h"

namespace capwright::workflow {

// What audit::record() and audit::new_rows() take. The clusters point into the publication.
struct AuditedPublication {
  explicit AuditedPublication(const publish::Publication& publication);

  audit::Publication row;
  std::vector<const CompiledCluster*> clusters;
  std::vector<audit::GoneCluster> gone;

  audit::Fleet fleet() const { return {clusters, gone}; }
};

class AuditRows final : public publish::Audit {
 public:
  explicit AuditRows(audit::Place place) : place_(std::move(place)) {}
  bool record(const publish::Publication& publication, Sink& sink) override;

 private:
  audit::Place place_;
};

}  // namespace capwright::workflow
