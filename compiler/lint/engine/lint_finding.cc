// Converts nodes to places.
#include "lint/engine/lint_finding.h"

#include <algorithm>

namespace capwright::lint {

Place Place::of(const Node& node) {
  const Document* document = node.document();
  if (document == nullptr) return {};
  return {document->cluster, document->file, node.span(), document->cluster->object_of(*document), node.path()};
}

Finding& Finding::fix(Replacement part, Safety safety, std::string title) {
  if (!repair) repair = Repair{std::move(title), safety, {}};
  repair->safety = std::max(repair->safety, safety);
  repair->parts.push_back(std::move(part));
  return *this;
}

Finding& Finding::fix(const Node& scalar, std::string text, Safety safety, std::string title) {
  return fix(Replacement{Replacement::What::Text, Place::of(scalar), scalar.written(), std::move(text)}, safety,
             std::move(title));
}

Finding& Finding::fix_plain(const Node& scalar, std::string text, Safety safety, std::string title) {
  return fix(Replacement{Replacement::What::Plain, Place::of(scalar), scalar.written(), std::move(text)}, safety,
             std::move(title));
}

Finding& Finding::fix_key(const Node& member, std::string key, Safety safety, std::string title) {
  Place where = Place::of(member);
  where.span = member.key_span();
  return fix(Replacement{Replacement::What::Key, std::move(where), std::string(member.key()), std::move(key)}, safety,
             std::move(title));
}

Finding& Finding::fix_source(Span span, std::string text, Safety safety, std::string title) {
  Place where{place.cluster, nullptr, span, nullptr, {}};
  return fix(Replacement{Replacement::What::Source, std::move(where), {}, std::move(text)}, safety, std::move(title));
}

Finding& Report::add(Place place, std::string_view pattern, std::string message) {
  Finding& finding = findings_.emplace_back();
  finding.info = &info_;
  finding.severity = info_.severity;
  finding.place = std::move(place);
  finding.message = std::move(message);
  finding.pattern = pattern;
  finding.rests_on_others = finding.place.cluster != nullptr && finding.place.cluster->has_looked_around();
  return finding;
}

}  // namespace capwright::lint
