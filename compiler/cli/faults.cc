// Machine-readable results keep standard output for themselves.
#include "cli/faults.h"

#include <algorithm>

#include "pipeline/compile_cluster.h"

namespace capwright::cli {

int show_faults(workflow::OpenProject& open, Console& console) {
  report::Findings findings;
  workflow::add_own_findings(open, findings);
  console.show(findings);
  return exit_code(findings);
}

int show_faults(const CompiledCluster& cluster, Console& console) {
  report::Findings findings;
  if (cluster.set != nullptr && cluster.set->sink.failed())
    findings.add(cluster.set->sink.diagnostics(), cluster.set->sources, {}, "");
  else findings.add(cluster);
  console.show(findings);
  return exit_code(findings);
}

int show_faults(const Sink& sink, Console& console) {
  const SourceSet none;
  report::Findings findings;
  findings.add(sink.diagnostics(), none, {}, "");
  console.show(findings, true);
  return kUsageError;
}

int show_faults(const workflow::Stop& stop, workflow::OpenProject& open, Console& console) {
  for (const std::string& message : stop.messages) console.fail(message);
  if (!stop.messages.empty()) return kUsageError;
  return std::max<int>(show_faults(open, console), stop.is_about_input ? kFindings : kUsageError);
}

bool show_faults(workflow::Comparison& sides, const diff::FleetResult* result, Console& console) {
  if (!sides.refusal().empty()) console.fail(sides.refusal());
  const report::Findings& faults = sides.faults(result);
  console.show(faults, true);
  const auto all = faults.all();
  return std::none_of(all.begin(), all.end(), [&](const report::Finding& finding) {
    const bool is_rendered = result != nullptr && !finding.revision.empty();
    return finding.diagnostic->severity == Severity::Error && !is_rendered;
  });
}

CommonOptions for_findings(CommonOptions common) {
  common.is_for_people = common.format == Format::Text;
  common.format = Format::Text;
  common.form = "text";
  common.report_files.clear();
  return common;
}

}  // namespace capwright::cli
