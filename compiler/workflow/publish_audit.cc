// Converts the data of a publication to rows.
#include "workflow/publish_audit.h"

#include <fmt/format.h>

#include "audit/recorder.h"
#include "diag/catalog/publish.h"

namespace capwright::workflow {

AuditedPublication::AuditedPublication(const publish::Publication& publication)
    : row{hex(publication.source),
          hex(publication.commit),
          publication.remote,
          publication.branch,
          fmt::format("{} <{}>", publication.who.name, publication.who.email),
          publication.host,
          publication.when,
          publication.tool_version} {
  for (const publish::RenderedCluster& cluster : *publication.clusters) clusters.push_back(cluster.compiled);
  for (const publish::GoneCluster& cluster : *publication.gone)
    gone.push_back({cluster.name, cluster.template_set, cluster.template_set_version});
}

bool AuditRows::record(const publish::Publication& publication, Sink& sink) {
  const AuditedPublication audited(publication);
  std::string why;
  if (audit::record(place_, audited.row, audited.fleet(), why)) return true;
  sink.report(diag::publication_not_recorded, Span(), short_hex(publication.commit), why)
      .advise("run the command again to add the rows; nothing is pushed twice");
  return false;
}

}  // namespace capwright::workflow
