// Template text, read with Jinja2's defaults and with everything else switched on.
#include <cstddef>
#include <cstdint>

#include "fuzz/trial.h"
#include "template/syntax/parse.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

jinja::Options line_statements() {
  jinja::Options options;
  options.line_statement_prefix = "%";
  options.line_comment_prefix = "##";
  options.trim_blocks = true;
  options.lstrip_blocks = true;
  options.keep_trailing_newline = true;
  return options;
}

jinja::Options other_delimiters() {
  jinja::Options options;
  options.block_start = "<%";
  options.block_end = "%>";
  options.variable_start = "${";
  options.variable_end = "}";
  options.comment_start = "<!--";
  options.comment_end = "-->";
  return options;
}

void run(std::string_view input, Trial& trial) {
  const FileId file = trial.sources.add("main.j2", std::string(input));
  for (jinja::Options options : {jinja::Options(), line_statements(), other_delimiters()}) {
    options.depth = trial.limits.depth;
    const std::size_t errors = trial.sink.error_count();
    const auto parsed = jinja::parse(file, "main.j2", trial.sources, options, trial.sink);
    expect((parsed == nullptr) == (trial.sink.error_count() != errors),
           "a template with faults is null, others are not");
    trial.account += jinja::print_tokens(file, trial.sources, options);
    if (parsed != nullptr) trial.account += jinja::print_tree(*parsed, true);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
