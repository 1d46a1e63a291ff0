// From nodes to places.
#include "lint/finding.h"

namespace capwright::lint {

Place Place::of(const Node& node) {
  const Document* document = node.document();
  if (document == nullptr) return {};
  return {document->cluster, document->file, node.span(), document->cluster->object_of(*document), node.path()};
}

Finding& Report::add(Place place, std::string_view pattern, std::string message) {
  Finding& finding = findings_.emplace_back();
  finding.info = &info_;
  finding.severity = info_.severity;
  finding.place = std::move(place);
  finding.message = std::move(message);
  finding.pattern = pattern;
  return finding;
}

}  // namespace capwright::lint
