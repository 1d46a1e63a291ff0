// `capwright rules`: the lint rules as a table, built-in ones first, then those of the repository. `rules test`
// checks the findings of the latter on their examples.
#include "lint/engine/rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "lint/fixes/fixes.h"
#include "lint/own/run.h"
#include "report/diff_words.h"
#include "workflow/lint_rules.h"
#include "workflow/session.h"

namespace capwright::cli {
namespace {

struct RulesOptions {
  CommonOptions common;
  bool test = false;               // `rules test`
  std::vector<std::string> files;  // files of rules; empty: those of the configuration
};

std::string as_table(const lint::own::Rules& own) {
  std::size_t widest = 0, widest_code = 0;
  const auto widen = [&](std::string_view code, std::string_view name) {
    widest_code = std::max(widest_code, code.size());
    widest = std::max(widest, name.size());
  };
  for (const lint::Rule* rule : lint::all_rules()) widen(rule->code, rule->name);
  for (const lint::own::Rule& rule : own) widen(rule.code, report::printable(rule.name));
  std::string text;
  const auto add = [&](std::string_view code, std::string_view name, Severity severity, const std::string& summary) {
    text += fmt::format("{:<{}}  {:<{}}  {:<7}  {}\n", code, widest_code, name, widest, report::severity_name(severity),
                        summary);
  };
  for (const lint::Rule* rule : lint::all_rules()) {
    const std::string_view fix = lint::fix_words(rule->fixes);
    add(rule->code, rule->name, rule->severity,
        lint::summary_of(*rule) + (fix.empty() ? "" : fmt::format(" [{}]", fix)));
  }
  for (const lint::own::Rule& rule : own)
    add(rule.code, report::printable(rule.name), rule.severity, report::printable(lint::summary_of(rule.page)));
  return text;
}

std::string as_json(const lint::own::Rules& own) {
  nlohmann::ordered_json rules = nlohmann::ordered_json::array();
  for (const lint::Rule* rule : lint::all_rules()) {
    rules.push_back({{"code", rule->code},
                     {"name", rule->name},
                     {"severity", report::severity_name(rule->severity)},
                     {"since", rule->since},
                     {"kinds", rule->kinds},
                     {"fix", lint::fix_words(rule->fixes)},
                     {"summary", lint::summary_of(*rule)}});
  }
  for (const lint::own::Rule& rule : own) {
    rules.push_back({{"code", rule.code},
                     {"name", rule.name},
                     {"severity", report::severity_name(rule.severity)},
                     {"kinds", rule.kinds},
                     {"summary", lint::summary_of(rule.page)},
                     {"own", true}});
  }
  return nlohmann::ordered_json{{"version", 1}, {"rules", rules}}.dump(2) + "\n";
}

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

int run_rules(const RulesOptions& options) {
  if (options.test) return run_rules_test(options);
  Console console(options.common);
  const auto open = workflow::open_project({options.common, {}, std::nullopt, false, std::nullopt});
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  const lint::own::Rules own = workflow::load_own_rules(*open);
  if (open->sink.failed()) return std::max<int>(show_faults(*open, console), kUsageError);
  return console.finish(options.common.format == Format::Json ? as_json(own) : as_table(own));
}

class RulesCommand final : public CommandWith<RulesOptions> {
 public:
  void add_options(CLI::App& app) override {
    CLI::App* test = app.add_subcommand("test", "Check the repository's own rules against their examples");
    test->add_option("file", options_.files, "Files of rules (default: those of `lint.rules`)")->type_name("FILE");
    test->callback([this] { options_.test = true; });
    add_common(app, options_.common, {"text", "concise", "json"});
    add_common(*test, options_.common);
  }
  int run() override { return run_rules(options_); }

 protected:
  std::string contradiction() const override {
    if (options_.test) return {};
    if (!options_.common.report_files.empty())
      return fmt::format("`capwright rules` can't write a file; use `capwright rules > {}`",
                         options_.common.report_files.front().path);
    return {};
  }
};

}  // namespace

const CommandInfo rules_command{"rules",
                                "List the lint rules",
                                make_command<RulesCommand>,
                                {{"List the rules with their codes", "capwright rules"},
                                 {"Test the repository's own rules", "capwright rules test"}}};

}  // namespace capwright::cli
