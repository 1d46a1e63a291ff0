// A schema and an instance, separated by a line `=====`: whatever a schema says, checking ends and names places.
#include "schema/schema.h"

#include <cstddef>
#include <cstdint>

#include "fuzz/trial.h"
#include "secrets/taint.h"
#include "yaml/read.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

void run(std::string_view input, Trial& trial) {
  const std::vector<std::string_view> parts = parts_of(input);
  const Value document = read_yaml(trial.sources.add("schema.yaml", std::string(parts[0])), trial.stage);
  if (document.is_error()) return;
  const auto schema = schema::compile(document, trial.stage);
  expect(schema != nullptr, "a schema is never null");
  if (parts.size() < 2) return;
  Value value = read_yaml(trial.sources.add("values.yaml", std::string(parts[1])), trial.stage);
  if (value.is_error()) return;
  value = schema::apply_defaults(*schema, secrets::mark_secrets(*schema, value, trial.stage), trial.stage);
  check_value(value, trial);
  const std::size_t errors = trial.sink.error_count();
  const bool valid = schema::validate(*schema, value, trial.stage);
  expect(valid == (trial.sink.error_count() == errors), "an instance is valid when nothing is reported");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
