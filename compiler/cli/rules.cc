// `capwright rules`: the lint rules as a table, built-in ones first, then those of the repository.
#include "lint/engine/rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/rules_options.h"
#include "cli/shared_options.h"
#include "lint/fixes/fixes.h"
#include "workflow/lint_rules.h"

namespace capwright::cli {
namespace {

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
