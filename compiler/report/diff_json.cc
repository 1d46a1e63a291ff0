// The differences as a JSON document with its own version number.
#include <nlohmann/json.hpp>

#include "report/diff_report.h"
#include "report/diff_words.h"
#include "report/json.h"
#include "report/json_stream.h"
#include "report/json_values.h"

namespace capwright::report {
namespace {

using diff::Change;

constexpr int kDiffVersion = 1;

void add_values(Json& json, bool secret, const diff::ShownValue& before, const diff::ShownValue& after) {
  if (before.exists) json["before"] = value_json(before, secret);
  if (after.exists) json["after"] = value_json(after, secret);
  if (secret) json["secret"] = true;
}

Json change_json(const diff::ChangeRecord& change) {
  Json json{{"path", change.path}, {"change", diff::change_name(change.kind)}};
  add_values(json, change.secret, change.before, change.after);
  if (change.line_before != 0) json["line_before"] = change.line_before;
  if (change.line_after != 0) json["line_after"] = change.line_after;
  add_text(json, "template", change.maker.template_place);
  add_text(json, "value", change.maker.value_place);
  if (change.follows) json["follows"] = true;
  return json;
}

Json object_json(const diff::ObjectRecord& object) {
  Json json{{"event", diff::event_name(object.event)}};
  add_text(json, "group", object.group);
  add_text(json, "kind", object.kind);
  add_text(json, "namespace", object.space);
  json["name"] = object.name;
  add_text(json, "name_before", object.name_before);
  add_text(json, "file_before", object.file_before);
  add_text(json, "file_after", object.file_after);
  if (!object.counts) json["counts"] = false;
  json["changes"] = Json::array();
  for (const diff::ChangeRecord& change : object.changes) json["changes"].push_back(change_json(change));
  return json;
}

std::string_view kind_name(diff::ClusterDiff::Kind kind) {
  switch (kind) {
    case diff::ClusterDiff::Kind::Added: return "added";
    case diff::ClusterDiff::Kind::Removed: return "removed";
    case diff::ClusterDiff::Kind::Changed: break;
  }
  return "changed";
}

std::string_view weight_name(diff::Weight weight) {
  switch (weight) {
    case diff::Weight::ClusterRemoved: return "cluster-removed";
    case diff::Weight::ObjectRemoved: return "object-removed";
    case diff::Weight::Renamed: return "renamed";
    case diff::Weight::Changed: return "changed";
    case diff::Weight::ObjectAdded: return "object-added";
    case diff::Weight::ClusterAdded: return "cluster-added";
  }
  return "";
}

Json names_json(const FleetDifferences& all, const std::vector<diff::Occurrence>& occurrences) {
  Json names = Json::array();
  std::uint32_t last = static_cast<std::uint32_t>(-1);
  for (const diff::Occurrence& at : occurrences) {
    if (at.cluster != last) names.push_back(all.clusters.name(at.cluster));
    last = at.cluster;
  }
  return names;
}

Json shape_json(const FleetDifferences& all, const diff::Family& family) {
  Json json{{"weight", weight_name(family.weight)}};
  add_text(json, "kind", family.kind);
  add_text(json, "name", family.name);
  add_text(json, "path", family.path);
  if (!is_whole(family)) json["change"] = diff::change_name(family.change);
  add_text(json, "template", family.maker.template_place);
  add_text(json, "value", family.maker.value_place);
  json["objects"] = family.objects;
  json["ways"] = Json::array();
  for (const diff::Variant& variant : family.variants) {
    Json way = Json::object();
    add_values(way, family.secret, variant.before, variant.after);
    way["clusters"] = names_json(all, variant.occurrences);
    json["ways"].push_back(std::move(way));
  }
  return json;
}

}  // namespace

void write_diff_json(const FleetDifferences& differences, const Write& write) {
  JsonStream json(write);
  json.member("version", kDiffVersion);
  json.member("before", differences.before);
  json.member("after", differences.after);
  json.member("compared", differences.compared);
  json.member("failed", differences.failed);
  json.member("ignored", differences.ignored);
  json.begin_list("shapes");
  for (const diff::Family& family : diff::families_of(differences.clusters)) json.item(shape_json(differences, family));
  json.end_list();
  json.begin_list("clusters");
  for (const diff::ClusterRecord& cluster : differences.clusters) {
    if (!cluster.differs) continue;
    Json entry{{"name", cluster.cluster}, {"event", kind_name(cluster.kind)}, {"objects", Json::array()}};
    for (const diff::ObjectRecord& object : cluster.objects) entry["objects"].push_back(object_json(object));
    json.item(entry);
  }
  json.end_list();
  json.member("not_compared", differences.not_compared);
  json.member("findings", Json::parse(as_json(differences.faults), nullptr, false)["findings"]);
  json.end();
}

}  // namespace capwright::report
