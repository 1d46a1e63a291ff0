// Checks bodies that don't run because of an error, so that one run also reports their undefined names.
#include <algorithm>

#include "diag/catalog/template_eval.h"
#include "template/eval/evaluator.h"

namespace capwright::jinja {
namespace {

// Whether a path's text starts with the name that is looked up in the context. This is false for paths through a local
// name, such as `pool.name` for `worker_pools[].name`.
bool names_root(const SourceSet& sources, const ReadPath& path) {
  const std::string_view text = sources.text(path.span);
  const std::string_view root = path.steps.front().key;
  if (!text.starts_with(root)) return false;
  return text.size() == root.size() || std::string_view(".[ |)").find(text[root.size()]) != std::string_view::npos;
}

}  // namespace

void Evaluator::check_skipped(Body body) {
  if (body.empty() || stop_at_first) return;
  const std::uint32_t begin = body.front()->span.begin;
  const std::uint32_t end = body.back()->span.end;
  const auto reads = record_->owner->references.reads;
  auto path = std::lower_bound(reads.begin(), reads.end(), begin,
                               [](const ReadPath& read, std::uint32_t offset) { return read.span.begin < offset; });
  for (; path != reads.end() && path->span.begin < end && step(); ++path) {
    if (path->guarded || path->steps.empty() || !names_root(stage.sources, *path)) continue;
    const std::string_view name = path->steps.front().key;
    const Span where{path->span.file, path->span.begin, path->span.begin + static_cast<std::uint32_t>(name.size())};
    if (!is_missing(look_up(*record_->context, {name, hash_text(name), where}))) continue;
    if (Diagnostic* fault = report(diag::undefined_variable, where, name)) {
      explain_name(*fault, name);
      fault->note("this part did not run, because of the error before it");
    }
  }
}

}  // namespace capwright::jinja
