// A whole render, from the main template's root to its end.
#include "template/eval/evaluator.h"

#include "diag/catalog/limits.h"
#include "template/eval/template_objects.h"

namespace capwright::jinja {

Evaluator::Evaluator(const RenderInput& input, Stage& in, RenderTrace& calls)
    : Runtime(in, input.main->options, calls), input_(input), given_(input.context, input.globals) {
  stop_at_first = input.stop_at_first;
  allow_random = input.allow_random;
  here = {input.main->file, 0, 0};
  if (trace.empty()) trace.emplace_back();
}

void Evaluator::run(MappedText& out) {
  out_ = &out;
  out.reserve(stage.sources.text(input_.main->file).size() * 2);
  run_root(*input_.main, make_context(*input_.main, nullptr, false));
  if (dropped() != 0) stage.sink.report(diag::too_many_diagnostics, Span(), dropped());
}

RenderResult render(const RenderInput& input, Stage& stage) {
  RenderResult result;
  Evaluator evaluator(input, stage, result.trace);
  evaluator.run(result.text);
  result.first_fault = evaluator.first_fault();
  result.secret_texts = evaluator.secret_texts();
  return result;
}

}  // namespace capwright::jinja
