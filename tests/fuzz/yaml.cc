// YAML values and manifests: reading never loses a place, and what we write reads back the same.
#include <cstddef>
#include <cstdint>

#include "fuzz/trial.h"
#include "yaml/byte_checks.h"
#include "yaml/common_yaml.h"
#include "yaml/read.h"
#include "yaml/write.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

constexpr std::size_t kMostInside = 8;

// A plain scalar on one line is its own source text; `*name`, `!tag` and `&anchor` are how such a place may differ.
void check_plain_scalars(const Value& value, const Trial& trial) {
  if (value.is(Kind::List)) {
    for (const Value& item : value.items()) check_plain_scalars(item, trial);
  } else if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) {
      check_plain_scalars(entry.key, trial);
      check_plain_scalars(entry.value, trial);
    }
  }
  if (!value.is(Kind::String) || value.style() != ScalarStyle::Plain) return;
  const std::string_view written = trial.sources.text(trial.origins[value.origin()].span);
  const bool folded = written.find_first_of("\r\n") != std::string_view::npos;
  if (written.find_first_of("*!&") == 0 || folded) return;
  expect(written == value.text(), "a plain scalar stands in its file as it reads");
}

void read_one(FileId file, ScalarRules rules, Trial& trial) {
  const std::size_t errors = trial.sink.error_count();
  const Value value = read_yaml(file, trial.stage, {rules, TextSyntax::Yaml});
  expect(value.is_error() == (trial.sink.error_count() != errors),
         "a document with faults is an Error, others are not");
  check_value(value, trial);
  if (rules == ScalarRules::Core) check_plain_scalars(value, trial);
}

// Raw add-on YAML, which is read where it stands.
void read_inside(const Value& value, std::size_t& budget, Trial& trial) {
  if (budget == 0) return;
  if (value.is(Kind::List)) {
    for (const Value& item : value.items()) read_inside(item, budget, trial);
  } else if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) read_inside(entry.value, budget, trial);
  } else if (value.is(Kind::String) && value.text().size() > 2) {
    --budget;
    check_value(read_yaml_inside(value, trial.stage), trial);
  }
}

void read_stream(FileId file, Trial& trial) {
  std::uint32_t end = 0;
  for (const YamlDocument& document :
       read_yaml_documents(file, trial.stage, {ScalarRules::Kubernetes, TextSyntax::Yaml})) {
    expect(document.span.begin >= end && document.span.begin <= document.span.end, "documents follow each other");
    expect(document.span.end <= trial.sources.text(file).size(), "a document lies in its file");
    end = document.span.end;
    check_value(document.value, trial);
  }
}

// Line breaks of YAML 1.1, as which we write them, and characters of 1.2, as which we read them.
bool has_old_breaks(std::string_view text) {
  for (const std::string_view c : {"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
    if (text.find(c) != std::string_view::npos) return true;
  }
  return false;
}

// dump(read(dump(value))) is dump(value), by the rules that `to_yaml` follows.
void write_back(FileId file, YamlStyle style, Trial& trial) {
  const ReadOptions python{ScalarRules::Python, TextSyntax::Yaml};
  Trial fresh;
  const FileId copy = fresh.sources.add("copy.yaml", std::string(trial.sources.text(file)));
  const Value value = read_yaml(copy, fresh.stage, python);
  if (value.is_error()) return;
  MappedText written;
  if (write_yaml(value, style, {0, {copy, 0, 0}}, fresh.limits, written) != EmitStatus::Done) return;
  check_text(written, {}, fresh);
  if (written.size() > fresh.limits.input_bytes || has_old_breaks(written.text())) return;
  const Value again = read_yaml_text(written.text(), {copy, 0, 0}, OriginId::None, fresh.stage, python);
  expect(!again.is_error(), "what was written is YAML");
  MappedText rewritten;
  expect(write_yaml(again, style, {0, {copy, 0, 0}}, fresh.limits, rewritten) == EmitStatus::Done,
         "it can be written again");
  expect(rewritten.text() == written.text(), "what was written reads back the same");
  trial.account += written.text();
}

bool is_placed(const yaml::Event& event) {
  using Kind = yaml::Event::Kind;
  return event.flow || event.kind == Kind::Scalar || event.kind == Kind::Alias || event.kind == Kind::ListStart;
}

// What the fast lane reads, the library reads alike; it may refuse what is right, such as an empty item at its key's
// column.
void compare_lanes(FileId file, Trial& trial) {
  yaml::Reading reading{trial.sources.text(file), yaml::Places::of_file(file), trial.stage, {}};
  const std::uint32_t start = yaml::check_bytes(reading);
  if (start == yaml::kUnreadable) return;
  const auto lane = yaml::read_common_yaml(reading.text, start, trial.limits.depth, trial.arena);
  if (!lane) return;
  const auto library = yaml::library_yaml_events(reading, start);
  for (const yaml::Event& event : *lane) {
    const yaml::Event other = library->next();
    if (other.kind == yaml::Event::Kind::Fault) return;
    expect(event.kind == other.kind && event.style == other.style && event.flow == other.flow, "events are the same");
    expect(event.text == other.text && event.anchor == other.anchor && event.tag == other.tag, "texts are the same");
    const bool same_place = event.begin == other.begin && event.end == other.end;
    expect(!is_placed(event) || same_place, "places are the same");
  }
  const yaml::Event end = library->next();
  expect(end.kind == yaml::Event::Kind::StreamEnd || end.kind == yaml::Event::Kind::Fault, "neither reads more");
}

void run(std::string_view input, Trial& trial) {
  const FileId file = trial.sources.add("values.yaml", std::string(input));
  compare_lanes(file, trial);
  read_one(file, ScalarRules::Core, trial);
  read_one(file, ScalarRules::Python, trial);
  read_stream(file, trial);
  std::size_t budget = kMostInside;
  read_inside(read_yaml(file, trial.stage, {ScalarRules::Core, TextSyntax::Yaml}), budget, trial);
  YamlStyle narrow{YamlStyle::Flow::Leaves};
  narrow.width = 20;
  narrow.sort_keys = false;
  write_back(file, {}, trial);
  write_back(file, narrow, trial);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
