// Values, a main template and up to four others (`a.j2` …), separated by lines `=====`. Options of the templates are
// on when the values name them, as in a comment `# trim_blocks`.
#include "template/eval/render.h"

#include <cstddef>
#include <cstdint>

#include "files/file_set.h"
#include "fuzz/templates.h"
#include "fuzz/trial.h"
#include "template/syntax/parse.h"
#include "yaml/read.h"

using namespace capwright;
using namespace capwright::fuzz;

namespace {

// What a render may take beyond Limits::arena_bytes before it notices: one string and the largest block.
constexpr std::size_t kArenaSlack = 4u << 20;

jinja::Options options_of(std::string_view values, const Limits& limits) {
  const auto named = [&](std::string_view option) { return values.find(option) != std::string_view::npos; };
  jinja::Options options;
  options.depth = limits.depth;
  options.trim_blocks = named("trim_blocks");
  options.lstrip_blocks = named("lstrip_blocks");
  options.keep_trailing_newline = named("keep_trailing_newline");
  options.autoescape = named("autoescape");
  if (named("undefined_default")) options.undefined = jinja::UndefinedMode::Default;
  if (named("undefined_chainable")) options.undefined = jinja::UndefinedMode::Chainable;
  if (named("undefined_debug")) options.undefined = jinja::UndefinedMode::Debug;
  return options;
}

void load(const std::vector<std::string_view>& parts, Templates& templates, Trial& trial) {
  static constexpr const char* kNames[] = {"main.j2", "a.j2", "b.j2", "c.j2", "d.j2"};
  const jinja::Options options = options_of(parts[0], trial.limits);
  for (std::size_t i = 1; i < parts.size() && i <= std::size(kNames); ++i) {
    const std::string name = kNames[i - 1];
    const FileId file = trial.sources.add(name, std::string(parts[i]));
    templates.add(name, jinja::parse(file, name, trial.sources, options, trial.sink));
  }
}

void run(std::string_view input, Trial& trial) {
  const std::vector<std::string_view> parts = parts_of(input);
  const Value values = read_yaml(trial.sources.add("values.yaml", std::string(parts[0])), trial.stage);
  Templates templates;
  load(parts, templates, trial);
  const jinja::Template* main = templates.find("main.j2");
  if (!values.is(Kind::Map) || main == nullptr || trial.sink.failed()) return;

  jinja::RenderInput render;
  render.main = main;
  render.loader = &templates;
  render.context = values;
  render.trace_control = parts[0].find("trace_control") != std::string_view::npos;
  const jinja::RenderResult result = jinja::render(render, trial.stage);
  expect(result.text.size() <= trial.limits.output_bytes, "the output is within its limit");
  expect(is_utf8(result.text.text()), "the output is UTF-8");
  expect(trial.arena.bytes_reserved() <= trial.limits.arena_bytes + kArenaSlack, "memory is within its limit");
  expect((result.first_fault.kind == jinja::FaultKind::None) == !trial.sink.failed(),
         "a fault is reported, and only then");
  check_text(result.text, result.trace, trial);
  check_files(split_files(result.text, "c", trial.stage, &result.trace), result.text, result.trace, trial);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_twice({reinterpret_cast<const char*>(data), size}, run);
  return 0;
}
