// Reads the files as manifests again: only then are all forms of secrets known.
#include <map>

#include "lint/facts/catalogue.h"
#include "lint/facts/credential_places.h"
#include "workflow/comparison.h"

namespace capwright::workflow {

std::vector<Span> readable_secrets(const diff::Side& side) {
  std::vector<Span> places;
  const Limits limits;
  const lint::Context context{limits, nullptr, lint::catalogue_date(), {}, false};
  lint::Cluster cluster(side.cluster(), context);
  std::map<FileId, FileId> sources;
  for (const diff::SideFile& file : side.files()) {
    if (file.source == FileId::None || file.rendered != nullptr) continue;
    cluster.add_borrowed_manifest(file.path, side.text(file), lint::TargetKind::Named);
    sources.emplace(cluster.files().back().source, file.source);
  }
  for (Span place : lint::redactor_of(cluster).places) {
    const auto found = sources.find(place.file);
    if (found == sources.end()) continue;
    place.file = found->second;
    places.push_back(place);
  }
  return places;
}

}  // namespace capwright::workflow
