// POST …/plan: what publishing the values would do to machines.
#include "plan/gate.h"
#include "portal/cluster_request.h"
#include "portal/handlers.h"
#include "portal/problem.h"
#include "report/plan_report.h"
#include "workflow/comparison.h"
#include "workflow/planned_fleet.h"

namespace capwright::portal {

// The project is opened for this request alone: a comparison adds its findings to it.
Response plan(const Call& call) {
  const Purpose purpose = call.caller.may(Action::Secrets) ? Purpose::Encrypt : Purpose::Render;
  Response refused;
  const auto request = cluster_request(call, purpose, true, refused);
  if (request == nullptr) return refused;
  const std::map<std::string, std::string, std::less<>> edits{{request->file.path, request->file.text}};
  workflow::OpenRequest wanted = call.checkout.request_of(purpose);
  wanted.edits = &edits;
  const auto open = workflow::open_project(wanted);
  workflow::ComparisonRequest compared;
  if (open->project != nullptr) compared.targets = {open->project->workspace().io_path(request->file.path)};
  compared.jobs = 1;
  workflow::Comparison sides(compared, *open);
  if (!sides.prepare(diff::Traces::Control)) return repository_problem(sides.faults(nullptr));
  const plan::Gate gate;
  workflow::PlannedFleet planned(gate, sides.registry(), open->project.get(), open->limits);
  const auto visit = [&](std::size_t, const diff::ClusterDiff& diff, const diff::LoadedPair& pair) {
    planned.visit(diff, pair);
  };
  const diff::FleetResult result =
      diff::compare_fleet(sides.pairs(), {sides.registry(), {}, false, nullptr}, compared.jobs, visit);
  report::FleetPlan plan = planned.finish(result, sides.before(), sides.after());
  sides.also_report(planned.warnings());
  const report::Findings& faults = sides.faults(&result);
  if (result.fails_now()) {
    return problem(request->values.is_map() ? ProblemKind::InvalidValues : ProblemKind::MalformedValues,
                   "the values have errors", errors_json(faults, request->values, request->file.path));
  }
  for (const diff::MadeCluster& made : result.made) {
    if (auto wrong = wrong_name(*request, made.name)) return std::move(*wrong);
  }
  plan.faults = faults.all();
  return {200, "application/json", report::plan_as_json(plan)};
}

}  // namespace capwright::portal
