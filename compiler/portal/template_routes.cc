// GET …/cluster-templates: what a form offers before it has a schema.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "portal/cluster_request.h"
#include "portal/handlers.h"
#include "portal/problem.h"
#include "values/choose_addons.h"

namespace capwright::portal {
namespace {

using TemplateJson = nlohmann::ordered_json;

std::set<std::string_view> ids_of_sets(const Project& project) {
  std::set<std::string_view> ids;
  for (const std::string_view name : project.names_of_sets()) {
    if (project.known_set(name)->id == name) ids.insert(name);
  }
  return ids;
}

// The types of Kubernetes on which the set can install it.
std::vector<std::string> fitting_types(const values::Addon& addon, const TemplateSet& set) {
  std::vector<std::string> types;
  for (const std::string& type : set.kubernetes_types) {
    if (!values::find_incompatibility(addon, set.catalogue.provider, type)) types.push_back(type);
  }
  return types;
}

TemplateJson addons_json(const TemplateSet& set) {
  TemplateJson list = TemplateJson::array();
  for (const values::Addon& addon : set.catalogue.addons) {
    const auto types = fitting_types(addon, set);
    if (types.empty() || !addon.retired.empty()) continue;
    const bool is_implied = std::find(addon.implied_for.begin(), addon.implied_for.end(), set.catalogue.provider) !=
                            addon.implied_for.end();
    list.push_back({{"id", addon.id},
                    {"title", addon.entry.text_at("title")},
                    {"role", addon.role},
                    {"version", addon.entry.text_at("version")},
                    {"kubernetes_types", types},
                    {"needs", addon.needs},
                    {"implied", is_implied},
                    {"has_values", addon.has_chart}});
  }
  return list;
}

TemplateJson template_json(const TemplateSet& set, std::string_view id) {
  return {{"id", id},
          {"title", set.title},
          {"version", set.version},
          {"provider", set.provider},
          {"kubernetes_types", set.kubernetes_types},
          {"addons", set.plain ? TemplateJson::array() : addons_json(set)}};
}

TemplateJson caller_json(const Call& call) {
  TemplateJson actions = TemplateJson::array();
  for (const Action action : all_actions()) {
    if (call.caller.may(action)) actions.push_back(action_name(action));
  }
  return {{"name", call.caller.name}, {"actions", std::move(actions)}, {"clusters", call.caller.clusters}};
}

}  // namespace

Response templates(const Call& call) {
  workflow::OpenProject* const open = call.checkout.open(Purpose::Render);
  if (open == nullptr) return repository_problem(call.checkout.faults());
  Project& project = *open->project;
  TemplateJson list = TemplateJson::array();
  if (project.plain_folder()) {
    list.push_back(template_json(*project.plain_set(), kOwnTemplates));
    list.back()["has_schema"] = project.plain_folder()->schema.has_value();
  } else {
    for (const std::string_view id : ids_of_sets(project)) {
      const TemplateSet* set = project.template_set(id);
      if (set == nullptr || set->sink.failed()) continue;  // `capwright lint` reports its errors
      list.push_back(template_json(*set, id));
      list.back()["has_schema"] = true;
    }
  }
  return json_response({{"version", 1},
                        {"folder", call.checkout.folder()},
                        {"caller", caller_json(call)},
                        {"refused", refused_keys(project, call.caller)},
                        {"templates", std::move(list)}});
}

}  // namespace capwright::portal
