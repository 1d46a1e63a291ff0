// `capwright rules`: the lint rules as a table.
#include "lint/rules.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/console.h"

namespace capwright::cli {
namespace {

std::string as_table() {
  std::size_t widest = 0;
  for (const lint::Rule* rule : lint::all_rules()) widest = std::max(widest, rule->name.size());
  std::string text;
  for (const lint::Rule* rule : lint::all_rules()) {
    text += fmt::format("{}  {:<{}}  {:<7}  {}\n", rule->code, rule->name, widest,
                        report::severity_name(rule->severity), lint::summary_of(*rule));
  }
  return text;
}

std::string as_json() {
  nlohmann::ordered_json rules = nlohmann::ordered_json::array();
  for (const lint::Rule* rule : lint::all_rules()) {
    rules.push_back({{"code", rule->code},
                     {"name", rule->name},
                     {"severity", report::severity_name(rule->severity)},
                     {"since", rule->since},
                     {"kinds", rule->kinds},
                     {"summary", lint::summary_of(*rule)}});
  }
  return nlohmann::ordered_json{{"version", 1}, {"rules", rules}}.dump(2) + "\n";
}

}  // namespace

int run_rules(const RulesOptions& options) {
  Console console(options.common);
  console.print(options.common.format == Format::Json ? as_json() : as_table());
  return console.flush() ? kClean : kUsageError;
}

}  // namespace capwright::cli
