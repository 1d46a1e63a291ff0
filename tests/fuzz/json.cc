// JSON: what we accept another parser accepts too, and what we write reads back the same.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "fuzz/trial.h"
#include "yaml/read.h"
#include "yaml/write.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

constexpr ReadOptions kJson{ScalarRules::Core, TextSyntax::Json};

bool is_json(std::string_view input) {
  try {
    return !nlohmann::json::parse(input).is_discarded();
  } catch (const nlohmann::json::out_of_range&) {
    return true;  // `1e400`: well-formed, only too large for it
  } catch (const nlohmann::json::parse_error&) {
    return false;
  }
}

// `1e400` reads as infinity, as in Python, and JSON can't say that.
bool is_finite(const Value& value) {
  if (value.is(Kind::Float)) return std::isfinite(value.as_float());
  if (value.is(Kind::List)) return std::all_of(value.items().begin(), value.items().end(), is_finite);
  if (!value.is(Kind::Map)) return true;
  return std::all_of(value.entries().begin(), value.entries().end(), [](const Entry& e) { return is_finite(e.value); });
}

void write_back(const Value& value, const JsonStyle& style, Trial& trial) {
  const FileId place = trial.sources.files().front();
  MappedText written;
  const EmitStatus result = write_json(value, style, {0, {place, 0, 0}}, trial.limits, written);
  if (result == EmitStatus::TooLong) return;
  expect(result == EmitStatus::Done, "JSON can be written as JSON");
  check_text(written, {}, trial);
  if (written.size() > trial.limits.input_bytes) return;
  const Value again = read_yaml_text(written.text(), {place, 0, 0}, OriginId::None, trial.stage, kJson);
  expect(!again.is_error() && json_equal(value, again), "what was written reads back the same");
}

void run(std::string_view input, Trial& trial) {
  const FileId file = trial.sources.add("values.json", std::string(input));
  const Value value = read_yaml(file, trial.stage, kJson);
  expect(value.is_error() == trial.sink.failed(), "a document with faults is an Error, others are not");
  check_value(value, trial);
  if (value.is_error()) return;
  expect(is_json(input), "what we take for JSON is JSON");
  trial.account += canonical_json(value);
  if (!is_finite(value)) return;
  JsonStyle pretty;
  pretty.indent = 2;
  pretty.sort_keys = true;
  pretty.ensure_ascii = false;
  write_back(value, {}, trial);
  write_back(value, pretty, trial);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
