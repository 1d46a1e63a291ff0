// capwright-spec [--bless] FILE.md runs a spec file; capwright-spec --rule FOLDER NAME runs the cases of a lint rule.
// $CAPWRIGHT names the program that `console` blocks start.
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <utility>
#include <vector>

#include "support/run_case.h"
#include "support/run_cel.h"
#include "support/run_diff.h"
#include "support/run_lint.h"
#include "support/spec_file.h"
#include "support/transcript.h"

namespace capwright::spec {
namespace {

std::vector<Mismatch> run_consoles(const Case& test) {
  std::vector<Mismatch> mismatches;
  for (const Block& block : test.blocks) {
    if (block.info != "console") continue;
    const char* program = std::getenv("CAPWRIGHT");
    if (program == nullptr) return {{&block, block.text, "set CAPWRIGHT to the program to run"}};
    if (std::optional<std::string> actual = run_transcript(test, block, program)) {
      mismatches.push_back({&block, std::move(*actual), "the commands print something else"});
    }
  }
  return mismatches;
}

std::vector<Mismatch> run_any(const Case& test) {
  if (test.find("console") != nullptr) return run_consoles(test);
  if (is_lint_case(test)) return run_lint_case(test);
  if (is_diff_case(test)) return run_diff_case(test);
  return test.find("cel") != nullptr ? run_cel(test) : run_case(test);
}

void show(const SpecFile& spec, const Case& test, const Mismatch& mismatch) {
  const std::size_t line = mismatch.block != nullptr ? mismatch.block->line : test.line;
  std::cout << spec.path.string() << ':' << line << ": " << test.title << "\n  " << mismatch.why << '\n';
  if (mismatch.block == nullptr) {
    std::cout << mismatch.actual << '\n';
    return;
  }
  std::cout << "---- expected " << mismatch.block->info << "\n" << mismatch.block->text;
  std::cout << "---- actual\n" << mismatch.actual;
  if (!mismatch.actual.empty() && mismatch.actual.back() != '\n') std::cout << '\n';
  std::cout << "----\n";
}

// With sanitizers, a command takes eight times as long, so only every third case of a transcript runs then.
bool is_left_out(const Case& test, std::size_t number) {
  constexpr std::size_t kStep = 3;
  const char* effort = std::getenv("CAPWRIGHT_EFFORT");
  const bool is_short = effort != nullptr && std::string_view(effort) == "few";
  return is_short && number % kStep != 0 && test.find("console") != nullptr;
}

int run(const char* path, bool bless) {
  const SpecFile spec = read_spec(path);
  std::size_t failed = 0, left_out = 0;
  std::vector<std::pair<const Block*, std::string>> changes;
  for (std::size_t number = 0; number < spec.cases.size(); ++number) {
    const Case& test = spec.cases[number];
    if (is_left_out(test, number)) {
      ++left_out;
      continue;
    }
    const std::vector<Mismatch> mismatches = run_any(test);
    if (!mismatches.empty()) ++failed;
    for (const Mismatch& mismatch : mismatches) {
      if (bless && mismatch.block != nullptr) changes.emplace_back(mismatch.block, mismatch.actual);
      else show(spec, test, mismatch);
    }
  }
  if (!changes.empty()) rewrite_blocks(spec, changes);
  if (spec.cases.empty()) {
    std::cout << path << ": there is no case in this file\n";
    return 1;
  }
  const std::size_t tried = spec.cases.size() - left_out;
  std::cout << tried - failed << " of " << tried << " cases pass\n";
  return failed == 0 || bless ? 0 : 1;
}

}  // namespace
}  // namespace capwright::spec

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--rule")
    return capwright::spec::run_rule_cases(argv[2], argv[3]) ? 0 : 1;
  const bool bless = argc > 1 && std::string_view(argv[1]) == "--bless";
  if (argc != (bless ? 3 : 2)) {
    std::cerr << "usage: capwright-spec [--bless] FILE.md | --rule FOLDER NAME\n";
    return 2;
  }
  return capwright::spec::run(argv[argc - 1], bless);
}
