// Passes errors, origins and taint from arguments to results.
#include <algorithm>

#include "template/builtins/builtin.h"

namespace capwright::jinja {
namespace {

bool is_scalar(const Value& value) { return value.kind() >= Kind::Null && value.kind() <= Kind::String; }

}  // namespace

bool holds_error(const CallArguments& call) {
  return std::any_of(call.positional.begin(), call.positional.end(), [](const Value& v) { return v.is_error(); }) ||
         std::any_of(call.keywords.begin(), call.keywords.end(),
                     [](const KeywordArgument& keyword) { return keyword.value.is_error(); });
}

Value with_lineage(Runtime& runtime, Provenance provenance, Value result, const CallArguments& call) {
  if (provenance == Provenance::Layout) {
    const auto is_secret = [](const Value& v) { return v.tainted(); };
    const bool secret =
        std::any_of(call.positional.begin(), call.positional.end(), is_secret) ||
        std::any_of(call.keywords.begin(), call.keywords.end(), [&](const auto& k) { return is_secret(k.value); });
    return secret && !result.is_error() ? result.with_taint() : result;
  }
  if (provenance == Provenance::Pass) return result;
  OriginId origin = result.origin();
  bool tainted = result.tainted();
  const auto add = [&](const Value& argument) {
    const Lineage from =
        is_scalar(argument) ? Lineage{argument.origin(), argument.tainted()} : runtime.lineage(argument);
    origin = runtime.stage.origins.combine(origin, from.origin);
    tainted = tainted || (provenance == Provenance::Count ? argument.tainted() : from.tainted);
  };
  for (const Value& argument : call.positional) add(argument);
  for (const KeywordArgument& argument : call.keywords) add(argument.value);
  if (!is_scalar(result) && !result.is(Kind::Object)) return tainted ? result.with_taint() : result;
  return runtime.derived(result, origin, tainted);
}

}  // namespace capwright::jinja
