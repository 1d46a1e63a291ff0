// Expressions, one a part, over data that reaches every kind of value: each is refused with a place, or it ends within
// its budget with a value or with a failure that points into it.
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>

#include "cel/program.h"
#include "fuzz/trial.h"
#include "yaml/read.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

constexpr std::uint64_t kBudget = 20'000;

constexpr std::string_view kSchema = R"({
  type: object,
  properties: {
    name: {type: string}, count: {type: integer}, ratio: {type: number}, on: {type: boolean},
    when: {type: string, format: date-time}, for: {type: string, format: duration}, raw: {type: string, format: byte},
    port-name: {type: string}, note: {type: string, nullable: true}, any: {x-kubernetes-preserve-unknown-fields: true},
    surge: {x-kubernetes-int-or-string: true}, labels: {type: object, additionalProperties: {type: string}},
    zones: {type: array, x-kubernetes-list-type: set, items: {type: string}},
    taints: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [key],
             items: {type: object, properties: {key: {type: string}, value: {type: integer}}}}}})";

constexpr std::string_view kSelf = R"({name: general, count: 3, ratio: 0.5, on: true, when: "2026-01-02T03:04:05Z",
  for: 1h, raw: aGk=, port-name: https, note: null, any: {b: [1, x]}, surge: 25%, labels: {a-b: c, tier: front},
  zones: [az1, az2], taints: [{key: a, value: 1}, {key: b}]})";

void check_place(cel::Range where, std::string_view expression) {
  expect(where.begin <= where.end && where.end <= expression.size(), "a place lies in the expression");
}

void evaluate(const cel::Program& program, std::span<const cel::Binding> bindings, Trial& trial) {
  const cel::Result result = program.evaluate(bindings, trial.arena, kBudget);
  const bool spent = result.failure.has_value() && result.failure->over_budget;
  expect(result.cost <= kBudget || spent, "an evaluation ends when its budget is spent");
  expect(result.failure.has_value() == result.value.is_error(), "what fails says where");
  trial.account += fmt::format("{} {}\n", cel::to_text(result.value), result.cost);
  if (result.failure) {
    check_place(result.failure->where, program.text());
    expect(!result.failure->message.empty() && is_utf8(result.failure->message), "what fails says why, in UTF-8");
    for (const cel::Operand& operand : result.failure->operands) check_place(operand.where, program.text());
  }
  for (const cel::Operand& reason : program.reasons(bindings, trial.arena)) {
    check_place(reason.where, program.text());
    trial.account += cel::to_text(reason.value) + "\n";
  }
}

void try_expression(std::string_view text, const cel::Environment& environment, std::span<const cel::Binding> bindings,
                    Trial& trial) {
  const cel::Compiled compiled = cel::compile(text, environment);
  expect((compiled.program == nullptr) == !compiled.issues.empty(), "what doesn't compile says why");
  for (const cel::Issue& issue : compiled.issues) {
    check_place({issue.begin, issue.end}, text);
    expect(is_utf8(issue.message) && is_utf8(issue.help), "issues are UTF-8");
    trial.account += issue.message + "\n";
  }
  if (compiled.program != nullptr) evaluate(*compiled.program, bindings, trial);
}

Value read(std::string_view text, Trial& trial) {
  return read_yaml(trial.sources.add("data.yaml", std::string(text)), trial.stage, {ScalarRules::Kubernetes});
}

void run(std::string_view input, Trial& trial) {
  const Value self = read(kSelf, trial);
  const cel::Binding bindings[] = {{"self", self}, {"oldSelf", self}};
  const cel::Schema* schema = cel::read_schema(read(kSchema, trial), cel::SchemaRole::Plain, trial.arena);
  cel::Environment typed = cel::rule_environment(*schema, false, trial.arena);
  typed.result.reset();
  cel::Environment untyped;
  untyped.variables = {{.name = "self"}, {.name = "oldSelf"}};
  for (std::string_view part : parts_of(input)) {
    if (part.ends_with('\n')) part.remove_suffix(1);
    try_expression(part, typed, bindings, trial);
    try_expression(part, untyped, bindings, trial);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
