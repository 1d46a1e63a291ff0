// Binds a call's arguments to a signature, with Python's error messages.
#include "template/builtins/signature.h"

#include <algorithm>
#include <vector>

#include "diag/catalog/template_builtins.h"
#include "diag/suggest.h"

namespace capwright::jinja {
namespace {

constexpr std::size_t kNone = kMostParameters;

std::size_t keyword_index(const Signature& signature, std::string_view keyword) {
  for (std::size_t i = 0; i < signature.count; ++i) {
    if (signature.parameters[i].by_keyword && signature.parameters[i].name == keyword) return i;
  }
  return kNone;
}

bool report_unknown(Runtime& runtime, const Callee& callee, std::string_view keyword) {
  std::vector<std::string_view> candidates;
  for (std::size_t i = callee.operands; i < callee.signature.count; ++i) {
    const BuiltinParameter& parameter = callee.signature.parameters[i];
    if (parameter.by_keyword) candidates.push_back(parameter.name);
  }
  if (Diagnostic* fault = runtime.report(diag::unknown_argument, runtime.here, callee.name, keyword)) {
    const std::string hint = did_you_mean(keyword, candidates);
    if (!hint.empty()) {
      fault->advise(hint);
    } else if (!candidates.empty()) {
      fault->advise("it takes " + list_names(candidates));
    }
  }
  return false;
}

std::string count_text(std::size_t most, std::size_t required) {
  if (most == 0) return "no arguments";
  return (most == required ? "" : "at most ") + std::to_string(most) + (most == 1 ? " argument" : " arguments");
}

bool bind_positional(Runtime& runtime, const Callee& callee, const CallArguments& call, Binding& out) {
  const Signature& signature = callee.signature;
  const auto by_position = static_cast<std::size_t>(
      std::count_if(signature.parameters.begin(), signature.parameters.begin() + signature.count,
                    [](const BuiltinParameter& p) { return p.by_position; }));
  const std::size_t bound = std::min(by_position, call.positional.size());
  std::copy_n(call.positional.begin(), bound, out.values.begin());
  out.given = (1u << bound) - 1;
  if (call.positional.size() == bound) return true;
  if (signature.takes_rest) {
    out.rest = call.positional.subspan(bound);
    return true;
  }
  const auto required = static_cast<std::size_t>(
      std::count_if(signature.parameters.begin(), signature.parameters.begin() + signature.count,
                    [](const BuiltinParameter& p) { return p.by_position && p.required; }));
  runtime.fail(diag::too_many_arguments, callee.name,
               count_text(by_position - callee.operands, required - callee.operands),
               call.positional.size() - callee.operands);
  return false;
}

bool bind_keywords(Runtime& runtime, const Callee& callee, const CallArguments& call, Binding& out) {
  std::vector<KeywordArgument> rest;
  for (const KeywordArgument& keyword : call.keywords) {
    const std::size_t index = keyword_index(callee.signature, keyword.name.text);
    if (index == kNone) {
      if (!callee.signature.takes_rest_keywords) return report_unknown(runtime, callee, keyword.name.text);
      rest.push_back(keyword);
      continue;
    }
    if ((out.given >> index & 1u) != 0) {
      runtime.fail(diag::repeated_argument, callee.name, keyword.name.text);
      return false;
    }
    out.values[index] = keyword.value;
    out.given |= 1u << index;
  }
  if (!rest.empty()) out.rest_keywords = runtime.arena().copy(rest);
  return true;
}

}  // namespace

bool bind(Runtime& runtime, const Callee& callee, const CallArguments& call, Binding& out) {
  const Signature& signature = callee.signature;
  out.count = signature.count;
  if (!bind_positional(runtime, callee, call, out)) return false;
  if (!call.keywords.empty() && !bind_keywords(runtime, callee, call, out)) return false;
  for (std::size_t i = 0; i < signature.count; ++i) {
    if ((out.given >> i & 1u) != 0) continue;
    if (signature.parameters[i].required) {
      runtime.fail(diag::missing_argument, callee.name, signature.parameters[i].name);
      return false;
    }
    out.values[i] = signature.parameters[i].default_value();
  }
  return true;
}

}  // namespace capwright::jinja
