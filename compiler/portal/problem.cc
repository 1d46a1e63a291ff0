// One table of kinds, which the OpenAPI document and docs/serve.md repeat.
#include "portal/problem.h"

#include <array>
#include <nlohmann/json.hpp>

namespace capwright::portal {
namespace {

using ProblemJson = nlohmann::ordered_json;

constexpr std::array<ProblemInfo, 23> kProblems{{
    {ProblemKind::Unauthorized, 401, "unauthorized", "A valid bearer token is required"},
    {ProblemKind::Forbidden, 403, "forbidden", "The token doesn't allow this"},
    {ProblemKind::NotFound, 404, "not-found", "The resource doesn't exist"},
    {ProblemKind::MethodNotAllowed, 405, "method-not-allowed", "The resource has no such method"},
    {ProblemKind::UnsupportedMediaType, 415, "unsupported-media-type", "The body has an unsupported media type"},
    {ProblemKind::MalformedRequest, 400, "malformed-request", "The request is malformed"},
    {ProblemKind::MalformedValues, 400, "malformed-values", "The body can't be parsed"},
    {ProblemKind::InvalidValues, 422, "invalid-values", "The values have errors"},
    {ProblemKind::TooLarge, 413, "too-large", "The request is too large"},
    {ProblemKind::Busy, 503, "busy", "The server has too many requests"},
    {ProblemKind::Repository, 500, "repository", "The repository of the server can't be used"},
    {ProblemKind::Internal, 500, "internal", "The server failed"},
    {ProblemKind::NotReady, 503, "not-ready", "The server can't answer requests"},
    {ProblemKind::RequestInProgress, 409, "request-in-progress", "The same request is still running"},
    {ProblemKind::Conflict, 409, "conflict", "The branch has changed"},
    {ProblemKind::ConsentRequired, 409, "consent-required", "The change affects machines and isn't allowed yet"},
    {ProblemKind::ProtectedBranch, 409, "protected-branch", "The host protects the branch"},
    {ProblemKind::PreconditionFailed, 412, "precondition-failed", "The values on the branch are others"},
    {ProblemKind::LintErrors, 422, "lint-errors", "The cluster has lint errors"},
    {ProblemKind::LimitExceeded, 422, "limit-exceeded", "The change exceeds a limit of the server"},
    {ProblemKind::KeyReused, 422, "key-reused", "The idempotency key belongs to another request"},
    {ProblemKind::Remote, 502, "remote", "The remote can't be used"},
    {ProblemKind::Locked, 503, "locked", "Another publication holds the lock"},
}};

std::string dump(const ProblemJson& document) {
  return document.dump(-1, ' ', false, ProblemJson::error_handler_t::replace);
}

}  // namespace

std::span<const ProblemInfo> all_problems() { return kProblems; }

Response problem(ProblemKind kind, std::string_view detail, ProblemJson errors) {
  const ProblemInfo& info = kProblems[static_cast<std::size_t>(kind)];
  ProblemJson document = {{"type", "/problems/" + std::string(info.id)},
                          {"title", info.title},
                          {"status", info.status},
                          {"detail", detail}};
  if (!errors.empty()) document["errors"] = std::move(errors);
  Response response{info.status, "application/problem+json", dump(document)};
  if (kind == ProblemKind::Unauthorized) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  const bool passes =
      kind == ProblemKind::Busy || kind == ProblemKind::RequestInProgress || kind == ProblemKind::Locked;
  if (passes) response.headers.emplace_back("Retry-After", "1");
  return response;
}

Response problem(ProblemKind kind, std::string_view detail) { return problem(kind, detail, ProblemJson()); }

Response json_response(const ProblemJson& document) { return {200, "application/json", dump(document)}; }

}  // namespace capwright::portal
