// GET …/audit: rows of publications, for the clusters of the token.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "audit/row.h"
#include "audit/store.h"
#include "database/database.h"
#include "portal/cluster_request.h"
#include "portal/handlers.h"
#include "portal/problem.h"
#include "workflow/audit_session.h"

namespace capwright::portal {
namespace {

constexpr std::uint32_t kUsualRows = 20, kMostRows = 1000;

// Null: `refused` is the response, which is a success without rows if nothing was recorded yet.
std::unique_ptr<audit::Store> open_store(const Call& call, Response& refused) {
  workflow::AuditSession session;
  const auto stop = workflow::open_audit(call.checkout.request_of(Purpose::Render).repository, false, session);
  if (stop) {
    report::Findings faults;
    if (session.open->project == nullptr) workflow::add_own_findings(*session.open, faults);
    faults.add(session.sink.diagnostics(), session.open->sources, {}, "");
    refused = repository_problem(faults);
    return nullptr;
  }
  FileStat stat;
  const std::string& where = session.place.database;
  if (!database::is_url(where) && session.open->files.stat(where, stat)) {
    refused = json_response({{"version", 1}, {"renders", nlohmann::ordered_json::array()}});
    return nullptr;
  }
  std::string why;
  auto store = audit::Store::open(where, database::Access::Read, why);
  if (store == nullptr) refused = problem(ProblemKind::Repository, "the audit database can't be used");
  return store;
}

std::optional<std::uint32_t> read_limit(const std::optional<std::string>& text) {
  if (!text) return kUsualRows;
  std::uint32_t limit = 0;
  const auto [rest, error] = std::from_chars(text->data(), text->data() + text->size(), limit);
  const bool is_number = error == std::errc() && rest == text->data() + text->size();
  return is_number && limit >= 1 && limit <= kMostRows ? std::optional(limit) : std::nullopt;
}

}  // namespace

Response audit_rows(const Call& call) {
  const auto limit = read_limit(find_query_value(call.request.query, "limit"));
  if (!limit) return problem(ProblemKind::MalformedRequest, fmt::format("`limit` takes 1 to {}", kMostRows));
  const std::string cluster = query_value(call.request.query, "cluster");
  if (!cluster.empty() && !call.caller.may_use(cluster))
    return problem(ProblemKind::Forbidden, fmt::format("token `{}` isn't for this cluster", call.caller.name));
  Response refused;
  const auto store = open_store(call, refused);
  if (store == nullptr) return refused;
  audit::Query query;
  if (!cluster.empty()) query.clusters = {cluster};
  const auto& scope = call.caller.clusters;
  const bool sees_all = std::find(scope.begin(), scope.end(), "*") != scope.end();
  if (sees_all || !cluster.empty()) query.most = *limit;
  std::string why;
  const auto rows = store->find(query, why);
  if (!rows) return problem(ProblemKind::Repository, "the audit database can't be read");
  nlohmann::ordered_json renders = nlohmann::ordered_json::array();
  for (const audit::ClusterRender& row : *rows) {
    if (renders.size() < *limit && call.caller.may_use(row.cluster)) renders.push_back(audit::row_json(row));
  }
  return json_response({{"version", 1}, {"renders", std::move(renders)}});
}

Response audit_row(const Call& call) {
  Response refused;
  const auto store = open_store(call, refused);
  const auto nothing = [] { return problem(ProblemKind::NotFound, "the audit has no row with this id"); };
  if (store == nullptr) return refused.status == 200 ? nothing() : refused;
  audit::Query query;
  query.id = call.id;
  query.whole = true;
  std::string why;
  const auto rows = store->find(query, why);
  if (!rows) return problem(ProblemKind::Repository, "the audit database can't be read");
  if (rows->size() != 1 || !call.caller.may_use(rows->front().cluster)) return nothing();
  return json_response(audit::whole_row_json(rows->front()));
}

}  // namespace capwright::portal
