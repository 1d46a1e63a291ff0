// What a portal builds its form from: schemas of values, and chart values of add-ons.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "diag/suggest.h"
#include "facts/built_in.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/read_source.h"
#include "portal/cluster_request.h"
#include "portal/handlers.h"
#include "portal/problem.h"
#include "report/json_values.h"
#include "values/editor_schema.h"
#include "yaml/read.h"

namespace capwright::portal {
namespace {

constexpr const char* kFlatKeys = "schemas/values/wizard.schema.json";

std::string editor_schema_of(const TemplateSet& set, values::ValuesFile file) {
  const BuiltInYaml flat(kFlatKeys);
  Arena arena;
  return report::as_pretty_json(values::editor_schema(set.schema_document, flat.content(), file, arena));
}

// The chart values of one add-on for one cluster; `open` was opened with it as its templated add-on.
Response chart_values(workflow::OpenProject& open, const std::string& values_path, const values::Addon& addon,
                      const ClusterRequest* request) {
  if (open.project == nullptr || open.sink.failed()) {
    report::Findings faults;
    workflow::add_own_findings(open, faults);
    return repository_problem(faults);
  }
  const auto cluster = compile_cluster(values_path, *open.project);
  if (!cluster->clean()) {
    report::Findings findings;
    findings.add(*cluster);
    return problem(ProblemKind::InvalidValues, "the values have errors",
                   request != nullptr ? errors_json(findings, request->values, values_path) : errors_json(findings));
  }
  if (request != nullptr) {
    if (auto wrong = wrong_name(*request, cluster->name)) return std::move(*wrong);
  }
  const std::string path = fmt::format("clusters/{}/addons/{}/values.yaml", cluster->name, addon.id);
  const RenderedFile* file = cluster->files.find(path);
  if (file == nullptr) {
    return problem(ProblemKind::NotFound,
                   fmt::format("template set `{}` renders no values of `{}`", cluster->set->id, addon.id));
  }
  CW_CHECK(!file->secret, "chart values with a secret in them are refused");
  return json_response(
      {{"version", 1}, {"cluster", cluster->name}, {"id", addon.id}, {"path", path}, {"values", file->body.text()}});
}

// By id or alias. Null: `refused` is the response.
const values::Addon* chart_of(std::string_view id, Project& project, Response& refused) {
  if (project.plain_folder()) {
    refused = problem(ProblemKind::NotFound, "this repository renders its own templates, which have no add-ons");
    return nullptr;
  }
  const values::AddonCatalogue& catalogue = project.template_set(project.names_of_sets().front())->catalogue;
  const values::Addon* addon = catalogue.find_or_alias(id);
  if (addon == nullptr) {
    const std::string suggestion = did_you_mean(id, catalogue.names());
    refused = problem(ProblemKind::NotFound,
                      fmt::format("unknown add-on `{}`{}{}", id, suggestion.empty() ? "" : "; ", suggestion));
    return nullptr;
  }
  if (addon->has_chart) return addon;
  refused = problem(ProblemKind::NotFound, fmt::format("add-on `{}` has no chart and no values", addon->id));
  return nullptr;
}

// The schema that `template.schema` names, as JSON.
Response own_schema(const workflow::OpenProject& open, std::string_view id) {
  const PlainFolder& folder = *open.project->plain_folder();
  if (id != kOwnTemplates || !folder.schema)
    return problem(ProblemKind::NotFound,
                   "this repository renders its own templates, and has no such schema of values");
  OwnStage own(open.limits);
  const auto file = read_source(open.project->fs(), open.project->workspace(), *folder.schema, Span(), own.stage);
  const Value schema = file ? read_yaml(*file, own.stage) : Value();
  if (own.sink.failed()) return problem(ProblemKind::Repository, "the schema of the values can't be read");
  return {200, "application/schema+json", report::as_pretty_json(schema)};
}

}  // namespace

// Callers without a token don't learn why.
Response ready(const Call& call) {
  if (call.checkout.open(Purpose::Render) == nullptr)
    return problem(ProblemKind::NotReady, "the repository can't be used; `capwright lint` in it shows why");
  return json_response({{"status", "ready"}});
}

Response values_schema(const Call& call) {
  workflow::OpenProject* const open = call.checkout.open(Purpose::Render);
  if (open == nullptr) return repository_problem(call.checkout.faults());
  const auto file = find_query_value(call.request.query, "for");
  if (file && *file != "values" && *file != "layer")
    return problem(ProblemKind::MalformedRequest, "`for` takes `values` or `layer`");
  if (open->project->plain_folder()) return own_schema(*open, call.id);
  const TemplateSet* set = open->project->template_set(call.id);
  if (set == nullptr || set->id != call.id) {
    return problem(ProblemKind::NotFound, fmt::format("unknown template set `{}`; known: {}", call.id,
                                                      list_names(open->project->names_of_sets(), 20)));
  }
  Response response{200, "application/schema+json", ""};
  if (!file) response.body = report::as_pretty_json(set->schema_document);
  else if (*file == "values") response.body = editor_schema_of(*set, values::ValuesFile::Cluster);
  else response.body = editor_schema_of(*set, values::ValuesFile::Layer);
  return response;
}

Response addon_defaults(const Call& call) {
  workflow::OpenProject* const open = call.checkout.open(Purpose::Render);
  if (open == nullptr) return repository_problem(call.checkout.faults());
  Response refused;
  const values::Addon* addon = chart_of(call.id, *open->project, refused);
  if (addon == nullptr) return refused;
  const std::string cluster = query_value(call.request.query, "cluster");
  if (cluster.empty())
    return problem(ProblemKind::MalformedRequest, "name a cluster, `?cluster=NAME`, or send its values with POST");
  if (!call.caller.may_use(cluster))
    return problem(ProblemKind::Forbidden, fmt::format("token `{}` isn't for this cluster", call.caller.name));
  const std::string path = call.checkout.known_path(cluster);
  if (path.empty()) return problem(ProblemKind::NotFound, "no values file defines this cluster");
  call.exchange.cluster = cluster;
  workflow::OpenRequest wanted = call.checkout.request_of(Purpose::Render);
  wanted.templated_addon = addon->id;
  const auto own = workflow::open_project(wanted);
  return chart_values(*own, path, *addon, nullptr);
}

Response addon_defaults_of_values(const Call& call) {
  Response refused;
  const auto request = cluster_request(call, Purpose::Render, false, refused);
  if (request == nullptr) return refused;
  const values::Addon* addon = chart_of(call.id, *request->project->project, refused);
  if (addon == nullptr) return refused;
  workflow::OpenRequest wanted = call.checkout.request_of(Purpose::Render);
  wanted.templated_addon = addon->id;
  const std::map<std::string, std::string, std::less<>> edits{{request->file.path, request->file.text}};
  wanted.edits = &edits;
  const auto own = workflow::open_project(wanted);
  return chart_values(*own, request->file.path, *addon, request.get());
}

}  // namespace capwright::portal
