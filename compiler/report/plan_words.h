// Phrases that all formats of a plan share.
#pragma once
#include <string>
#include <vector>

#include "report/plan_report.h"

namespace capwright::report {

// "UPGRADE control plane v1.33.4 → v1.34.2", "ROLL pool <cluster>-md-0, <cluster>-md-1: 2 ways"; at most `most` names.
std::string group_title(const plan::Group& group, std::size_t most);

// "ROLL pool prod-a-general", for one action.
std::string action_title(const plan::Action& action);

// "DELETE and CREATE cluster in another namespace a → b", for ClusterPlan::move.
std::string move_title(const plan::Action& move);

// "3 machines", "3 to 10 machines"; empty if there are none, or if the verb has no machines.
std::string machines_of(plan::Verb verb, const plan::MachineCount& machines);

// "<cluster>-md-0: 3 machines of 1 pool in 2 clusters: a, b and 5 more"; at most `most` names. The subject comes first
// if the variants of the group have different ones.
std::string places_text(const FleetPlan& plan, const plan::Group& group, const plan::Variant& variant,
                        std::size_t most);

// "~ KubeadmControlPlane spec.version: v1.33.4 → v1.34.2", values truncated to about `most` bytes. "" without a field.
std::string reason_text(const plan::Reason& reason, std::size_t most);

// "by templates/capo/cluster.yaml.j2:31, from layers/fleet.yaml:4"; empty if unknown.
std::string maker_text(const diff::ShownMaker& maker);

// "delete it after the commit: kubectl delete …", one line for each of at most `most` commands of a variant, and the
// number of further ones.
std::vector<std::string> command_lines(const FleetPlan& plan, const plan::Variant& variant, std::size_t most);
std::vector<std::string> command_lines(const plan::Action& action);

// "2 of 3 clusters change; 5 of 40 machines are replaced".
std::string plan_summary(const FleetPlan& plan);

}  // namespace capwright::report
