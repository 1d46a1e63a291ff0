// `capwright rules test`: checks the findings of the repository's own rules on their examples.
#include <algorithm>
#include <fmt/format.h>

#include "cli/console.h"
#include "cli/faults.h"
#include "cli/rules_options.h"
#include "lint/own/run.h"
#include "report/diff_words.h"
#include "workflow/lint_rules.h"
#include "workflow/session.h"

namespace capwright::cli {
namespace {

// "fail  ORG001  team-label  1 of 3 examples".
std::string line_of(const lint::own::Rule& rule, std::size_t failed, std::size_t widest) {
  const std::size_t count = rule.examples.size();
  const auto line = [&](std::string_view result, std::string_view how) {
    return fmt::format("{:<4}  {:<8}  {:<{}}  {}\n", result, rule.code, rule.name, widest, how);
  };
  if (count == 0) return line("none", "no examples");
  const std::string examples = report::counted(count, "example");
  return failed == 0 ? line("ok", examples) : line("fail", fmt::format("{} of {}", failed, examples));
}

}  // namespace

int run_rules_test(const RulesOptions& options) {
  Console console(options.common);
  workflow::Session session({options.common, {}, std::nullopt, false, std::nullopt});
  workflow::OpenProject* const open = &session.open();
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  const lint::own::Rules rules = workflow::load_own_rules(*open, options.files);
  if (open->sink.failed()) return std::max<int>(show_faults(*open, console), kUsageError);
  if (rules.empty()) return console.fail("no rules to test; set `lint.rules`");
  Stage stage{open->sources, open->sink, open->arena, open->origins, open->limits};
  const lint::Context context = session.setup().context(*open->project, true);
  std::size_t widest = 0, examples = 0, failures = 0;
  for (const lint::own::Rule& rule : rules) widest = std::max(widest, rule.name.size());
  for (const lint::own::Rule& rule : rules) {
    const std::size_t failed = lint::own::check_examples(rule, context, stage);
    examples += rule.examples.size();
    failures += failed;
    if (!options.common.quiet) console.print_beside(line_of(rule, failed, widest));
  }
  report::Findings findings;
  workflow::add_own_findings(*open, findings);
  if (failures != 0 && !options.common.quiet) console.print_beside("\n");
  console.show_as_result(findings);
  if (!console.flush()) return kUsageError;
  console.say(fmt::format("{}, {}, {} failed", report::counted(rules.size(), "rule"),
                          report::counted(examples, "example"), failures));
  return failures == 0 ? kClean : kFindings;
}

}  // namespace capwright::cli
