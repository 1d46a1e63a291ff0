// The plan as a JSON document with its own version number.
#include <nlohmann/json.hpp>

#include "report/json.h"
#include "report/json_stream.h"
#include "report/json_values.h"
#include "report/plan_report.h"

namespace capwright::report {
namespace {

constexpr int kPlanVersion = 1;

// `NAME` is the certain number; `NAME_known` and `NAME_most` state whether and how many more are possible.
void add_count(Json& json, const std::string& name, const plan::MachineCount& count) {
  json[name] = count.least;
  if (count.is_exact()) return;
  json[name + "_known"] = false;
  if (count.most) json[name + "_most"] = *count.most;
}

Json reason_json(const plan::Reason& reason) {
  Json json = Json::object();
  add_text(json, "kind", reason.object);
  add_text(json, "name", reason.name);
  const diff::ChangeRecord& change = reason.change;
  add_text(json, "path", change.path);
  if (change.before.exists) json["before"] = value_json(change.before, change.secret);
  if (change.after.exists) json["after"] = value_json(change.after, change.secret);
  add_text(json, "template", change.maker.template_place);
  add_text(json, "value", change.maker.value_place);
  add_text(json, "note", reason.note);
  add_text(json, "source", reason.source);
  return json;
}

Json action_json(const plan::Action& action) {
  Json json{{"action", plan::verb_name(action.verb)}, {"target", plan::target_name(action.target.kind)}};
  add_text(json, "kind", action.target.object);
  add_text(json, "namespace", action.target.space);
  add_text(json, "name", action.target.name);
  add_count(json, "machines", action.machines);
  add_text(json, "from", action.from);
  add_text(json, "to", action.to);
  add_text(json, "by", action.by);
  add_text(json, "template", action.maker.template_place);
  add_text(json, "value", action.maker.value_place);
  if (!action.first.empty()) json["first"] = action.first;
  if (!action.commands.empty()) json["commands"] = action.commands;
  if (action.successor) {
    Json successor = Json::object();
    add_text(successor, "kind", action.successor->object);
    add_text(successor, "namespace", action.successor->space);
    add_text(successor, "name", action.successor->name);
    json["successor"] = std::move(successor);
  }
  if (action.is_part_of_move) json["moved"] = true;
  json["reasons"] = Json::array();
  for (const plan::Reason& reason : action.reasons) json["reasons"].push_back(reason_json(reason));
  return json;
}

Json move_json(const plan::Action& move) {
  Json json{{"from", move.from}, {"to", move.to}};
  add_count(json, "machines", move.machines);
  json["reasons"] = Json::array();
  for (const plan::Reason& reason : move.reasons) json["reasons"].push_back(reason_json(reason));
  return json;
}

}  // namespace

void write_plan_json(const FleetPlan& plan, const Write& write) {
  Json head{{"version", kPlanVersion},
            {"before", plan.before},
            {"after", plan.after},
            {"compared", plan.compared},
            {"failed", plan.failed}};
  plan::MachineCount replaced;
  for (const plan::ClusterPlan& cluster : plan.clusters) replaced += plan::replaced_by(cluster);
  add_count(head, "machines", plan.machines);
  add_count(head, "replaced", replaced);
  head["not_allowed"] = plan.broken;
  JsonStream document(write);
  for (const auto& [key, value] : head.items()) document.member(key, value);
  document.begin_list("clusters");
  for (const plan::ClusterPlan& cluster : plan.clusters) {
    Json json{{"name", cluster.cluster}};
    add_count(json, "machines", cluster.machines);
    if (cluster.move) json["move"] = move_json(*cluster.move);
    json["actions"] = Json::array();
    for (const plan::Action& action : cluster.actions) json["actions"].push_back(action_json(action));
    document.item(json);
  }
  document.end_list();
  document.member("not_compared", plan.not_compared);
  std::vector<Finding> findings(plan.faults.begin(), plan.faults.end());
  findings.insert(findings.end(), plan.findings.begin(), plan.findings.end());
  document.member("findings", Json::parse(as_json(findings), nullptr, false)["findings"]);
  document.end();
}

std::string plan_as_json(const FleetPlan& plan) {
  return written_by([&](const Write& write) { write_plan_json(plan, write); });
}

}  // namespace capwright::report
