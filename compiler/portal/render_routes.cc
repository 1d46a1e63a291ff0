// POST …/render and …/validate.
#include <nlohmann/json.hpp>

#include "portal/cluster_request.h"
#include "portal/handlers.h"
#include "portal/problem.h"
#include "secrets/redact.h"

namespace capwright::portal {
namespace {

using RenderJson = nlohmann::ordered_json;

// A readable secret is only for callers that may see secrets; encrypted files hold none. Without the programs that
// encrypt, a file that would be encrypted is readable here, and so redacted.
bool is_redacted(const RenderedFile& file, bool reveals) { return file.secret && !file.encrypted && !reveals; }

RenderJson rendered_json(const CompiledCluster& compiled, const ClusterRequest& request, bool reveals) {
  RenderJson files = RenderJson::object(), redacted = RenderJson::array();
  for (const RenderedFile& file : compiled.files.files()) {
    const bool hides = is_redacted(file, reveals);
    if (hides) redacted.push_back(file.path);
    files[file.path] = hides ? secrets::redact(file) : file.body.text();
  }
  report::Findings findings;
  findings.add(compiled);
  return {{"version", 1},
          {"cluster", compiled.name},
          {"template_set", compiled.set->id},
          {"template_set_version", compiled.set->version},
          {"files", std::move(files)},
          {"redacted", std::move(redacted)},
          {"findings", errors_json(findings, request.values, request.file.path)}};
}

}  // namespace

Response render(const Call& call) {
  const std::string redact = query_value(call.request.query, "redact");
  if (!redact.empty() && redact != "true" && redact != "false")
    return problem(ProblemKind::MalformedRequest, "`redact` takes `true` or `false`");
  const bool reveals = call.caller.may(Action::Secrets) && redact != "true";
  const Purpose purpose = reveals ? Purpose::Encrypt : Purpose::Render;
  Response refused;
  const auto request = cluster_request(call, purpose, true, refused);
  if (request == nullptr) return refused;
  const auto compiled = call.checkout.render(request->file, purpose);
  if (compiled == nullptr) return repository_problem(call.checkout.faults());
  if (auto response = refusal(*request, *compiled)) return std::move(*response);
  return json_response(rendered_json(*compiled, *request, reveals));
}

Response validate(const Call& call) {
  Response refused;
  const auto request = cluster_request(call, Purpose::Lint, true, refused);
  if (request == nullptr) return refused;
  const auto linted = call.checkout.lint(request->file);
  if (linted == nullptr) return repository_problem(call.checkout.faults());
  if (auto wrong = wrong_name(*request, linted->name); wrong && linted->is_clean) return std::move(*wrong);
  report::Findings findings;
  findings.add(linted->findings->diagnostics(), linted->findings->sources(), linted->findings->redactor(), "");
  RenderJson errors = errors_json(findings, request->values, request->file.path);
  if (!request->values.is_map())
    return problem(ProblemKind::MalformedValues, "the body has no values", std::move(errors));
  const bool is_valid = linted->is_clean && findings.count(Severity::Error) == 0;
  return json_response(
      {{"version", 1}, {"cluster", request->cluster}, {"valid", is_valid}, {"findings", std::move(errors)}});
}

}  // namespace capwright::portal
