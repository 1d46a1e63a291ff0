// A pattern and a text, separated by a line `=====`: every dialect and flag either refuses it or finds groups in it.
#include "text/regex.h"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>

#include "fuzz/trial.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

void check_match(const RegexMatch& match, std::string_view text, std::size_t groups, Trial& trial) {
  expect(match.size() == groups + 1, "a match has all groups");
  expect(match[0].took_part(), "a match has a place");
  for (const RegexGroup& group : match) {
    if (!group.took_part()) continue;
    expect(group.begin <= group.end && group.end <= text.size(), "a group lies in the text");
    trial.account += fmt::format("{}-{} ", group.begin, group.end);
  }
}

void try_pattern(std::string_view pattern, std::string_view text, const RegexOptions& options, Trial& trial) {
  RegexFault fault;
  const auto regex = Regex::compile(pattern, options, fault);
  if (!regex) {
    expect(!fault.message.empty() && fault.offset <= pattern.size(), "a refusal has a reason and a place");
    trial.account += fmt::format("{} {}\n", fault.offset, fault.message);
    return;
  }
  const auto first = regex->find(text);
  expect(first.has_value() == regex->matches(text), "what matches is found");
  if (first) check_match(*first, text, regex->group_count(), trial);
  std::size_t end = 0;
  for (const RegexMatch& match : regex->find_all(text)) {
    check_match(match, text, regex->group_count(), trial);
    expect(match[0].begin >= end, "matches don't overlap");
    end = match[0].end;
  }
}

void run(std::string_view input, Trial& trial) {
  const std::vector<std::string_view> parts = parts_of(input);
  std::string_view pattern = parts[0];
  if (pattern.ends_with('\n')) pattern.remove_suffix(1);
  const std::string_view text = parts.size() < 2 ? pattern : parts[1];
  try_pattern(pattern, text, {}, trial);
  try_pattern(pattern, text, {.dialect = RegexDialect::Python}, trial);
  try_pattern(pattern, text, {RegexDialect::Python, true, true, true}, trial);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
