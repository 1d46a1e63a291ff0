// Converts the data of a publication to rows.
#include "cli/publish_audit.h"

#include <fmt/format.h>

#include "audit/recorder.h"
#include "diag/catalog/publish.h"

namespace capwright::cli {

bool AuditRows::record(const publish::Publication& publication, Sink& sink) {
  std::vector<const CompiledCluster*> clusters;
  for (const publish::RenderedCluster& cluster : *publication.clusters) clusters.push_back(cluster.compiled);
  std::vector<audit::GoneCluster> gone;
  for (const publish::GoneCluster& cluster : *publication.gone)
    gone.push_back({cluster.name, cluster.template_set, cluster.template_set_version});
  const audit::Publication row{hex(publication.source),
                               hex(publication.commit),
                               publication.remote,
                               publication.branch,
                               fmt::format("{} <{}>", publication.who.name, publication.who.email),
                               publication.host,
                               publication.when,
                               publication.tool_version};
  std::string why;
  if (audit::record(place_, row, {clusters, gone}, why)) return true;
  sink.report(diag::publication_not_recorded, Span(), short_hex(publication.commit), why)
      .advise("run the command again to add the rows; nothing is pushed twice");
  return false;
}

}  // namespace capwright::cli
