// The expressions of all tables have the same variables.
#include "admission/expression.h"

namespace capwright::admission {
namespace {

cel::Environment environment() {
  cel::Environment names;
  for (const char* name : {"self", "oldSelf", "object", "oldObject"}) names.variables.push_back({.name = name});
  return names;
}

}  // namespace

const cel::Program* Expression::Shared::program() const {
  std::call_once(once, [this] { compiled = cel::compile(text, environment()); });
  return compiled.program.get();
}

cel::Result Expression::evaluate(std::span<const cel::Binding> bindings, Arena& arena) const {
  const cel::Program* program = shared_->program();
  if (program != nullptr) return program->evaluate(bindings, arena);
  cel::Result none;
  none.failure.emplace().message = "the expression is none";
  return none;
}

std::vector<std::string> Expression::faults() const {
  std::vector<std::string> faults;
  if (!exists() || shared_->program() != nullptr) return faults;
  for (const cel::Issue& issue : shared_->compiled.issues) faults.push_back(shared_->text + ": " + issue.message);
  return faults;
}

}  // namespace capwright::admission
