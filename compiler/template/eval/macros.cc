// Macros and call blocks: definition, binding of arguments as in Jinja2's Macro class, and calls.
#include <algorithm>

#include "diag/catalog/template_eval.h"
#include "diag/suggest.h"
#include "template/eval/activation.h"
#include "template/eval/evaluator.h"
#include "template/eval/template_objects.h"

namespace capwright::jinja {
namespace {

bool has_parameter(std::span<const Parameter> parameters, std::string_view name) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name->id.text == name; });
}

// What a macro takes. `keyword`: of an argument that it doesn't take; may be empty.
void explain_parameters(Diagnostic& fault, std::span<const Parameter> parameters, std::string_view keyword) {
  if (parameters.empty()) return;
  Span all = parameters.front().name->span;
  all.end = parameters.back().name->span.end;
  fault.also(all, parameters.size() == 1 ? "its only parameter" : "its parameters");
  std::vector<std::string_view> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name->id.text);
  std::string hint = keyword.empty() ? std::string() : did_you_mean(keyword, names);
  if (!hint.empty()) fault.advise(std::move(hint));
}

}  // namespace

std::string MacroObject::shown_name() const {
  return definition_.name.empty() ? "None" : "'" + std::string(definition_.name) + "'";
}

void MacroObject::repr(Runtime&, std::string& out) {
  out += definition_.name.empty() ? "<Macro anonymous>" : "<Macro " + shown_name() + ">";
}

std::optional<Value> MacroObject::attribute(Runtime& runtime, const Identifier& id) {
  const MacroSignature& signature = *definition_.signature;
  if (id.text == "name") return definition_.name.empty() ? Value::null() : runtime.string(definition_.name);
  if (id.text == "catch_kwargs") return Value::boolean(signature.kwargs_slot != kNoSlot);
  if (id.text == "catch_varargs") return Value::boolean(signature.varargs_slot != kNoSlot);
  if (id.text == "caller") return Value::boolean(signature.uses_caller);
  if (id.text != "arguments") return std::nullopt;
  std::vector<Value> names;
  for (const Parameter& parameter : signature.parameters) names.push_back(runtime.string(parameter.name->id.text));
  return runtime.tuple(names);
}

Value Evaluator::make_macro(const MacroSignature& signature, const Name* name, Body body, const Function& function) {
  const std::string_view text = name == nullptr ? std::string_view() : name->id.text;
  return Value::object(
      arena().make<MacroObject>(*this, MacroObject::Definition{&signature, text, body, &function, record_, escapes_}));
}

void Evaluator::exec_macro(const Macro& macro) {
  store(*macro.name, make_macro(macro.signature, macro.name, macro.body, *macro.function));
  if (macro.toplevel) store_toplevel(*macro.name);
}

void Evaluator::exec_call_block(const CallBlock& block) {
  const Value caller = make_macro(block.signature, nullptr, block.body, *block.function);
  const Value result = eval_call(*block.call, {&caller, !escapes_});
  stand_at(block);
  emit(result, block.call->span);
}

Value Evaluator::call_macro(MacroObject& macro, const CallArguments& arguments) {
  const Capture capture(*this);
  return print_macro(macro, arguments) ? capture.text().as_markup(autoescape) : Value::error();
}

// False if the call itself failed.
bool Evaluator::print_macro(MacroObject& macro, const CallArguments& arguments) {
  const MacroObject::Definition& definition = macro.definition();
  const Function& function = *definition.function;
  LocalRecord local;
  Record& record = make_record(function, definition.outer, *definition.outer->context, local);
  if (!place_arguments(macro, arguments, record) || !enter_call()) return false;
  const char* what = definition.name.empty() ? "in call block" : "in macro";
  const Activation running(*this, record, frame_for(here, what, definition.name), definition.escapes);
  enter(function.scope);
  fill_parameters(*definition.signature);
  exec(definition.body);
  return true;
}

// Jinja2's Macro.__call__: positional arguments, then keywords for the rest; the remaining ones go to the special
// names.
bool Evaluator::place_arguments(const MacroObject& macro, const CallArguments& arguments, Record& record) {
  const MacroSignature& signature = *macro.definition().signature;
  const auto parameters = signature.parameters;
  const std::size_t positional = std::min(arguments.positional.size(), parameters.size());
  for (std::size_t i = 0; i < positional; ++i) {
    record.slots[parameters[i].name->slot.index] = arguments.positional[i];
  }
  KeywordsLeft left{arguments.keywords, 0};
  bool names_caller = positional == parameters.size() && has_parameter(parameters, "caller");
  for (const Parameter& parameter : parameters.subspan(positional)) {
    names_caller = names_caller || parameter.name->id.text == "caller";
    if (const Value* given = left.take(parameter.name->id)) record.slots[parameter.name->slot.index] = *given;
  }
  if (signature.uses_caller && !names_caller && signature.caller_slot != kNoSlot) {
    const Value* caller = left.take({"caller", hash_text("caller"), {}});
    const bool given = caller != nullptr && !caller->is(Kind::Null);
    record.slots[signature.caller_slot] = given ? *caller : undefined_because("No caller defined", "caller");
  }
  return place_rest(macro, arguments, left, record);
}

bool Evaluator::place_rest(const MacroObject& macro, const CallArguments& arguments, const KeywordsLeft& left,
                           Record& record) {
  const MacroSignature& signature = *macro.definition().signature;
  const auto refuse = [&](std::string message, std::string_view keyword = {}) {
    Diagnostic* fault = report(diag::macro_arguments, here, message);
    if (fault != nullptr) explain_parameters(*fault, signature.parameters, keyword);
    return false;
  };
  if (signature.kwargs_slot != kNoSlot) {
    const Value keywords = dict();
    for (std::size_t i = 0; i < left.all.size(); ++i) {
      if (!left.taken(i)) set_item(keywords, name_of(left.all[i]), left.all[i].value);
    }
    record.slots[signature.kwargs_slot] = keywords;
  } else if (const KeywordArgument* first = left.first()) {
    if (left.has("caller")) {
      return refuse(
          fmt::format("macro {} was invoked with two values for the special caller argument. "
                      "This is most likely a bug.",
                      macro.shown_name()));
    }
    return refuse(fmt::format("macro {} takes no keyword argument '{}'", macro.shown_name(), first->name.text),
                  first->name.text);
  }
  const std::size_t wanted = signature.parameters.size();
  if (signature.varargs_slot != kNoSlot) {
    const auto more = arguments.positional.subspan(std::min(wanted, arguments.positional.size()));
    record.slots[signature.varargs_slot] = tuple(more);
  } else if (arguments.positional.size() > wanted) {
    return refuse(fmt::format("macro {} takes not more than {} argument(s)", macro.shown_name(), wanted));
  }
  return true;
}

void Evaluator::fill_parameters(const MacroSignature& signature) {
  for (const Parameter& parameter : signature.parameters) {
    Value& place = record_->slots[parameter.name->slot.index];
    if (!is_missing(place)) continue;
    if (parameter.fallback != nullptr) {
      const Value fallback = eval(*parameter.fallback);
      record_->slots[parameter.name->slot.index] = fallback;
    } else {
      const std::string_view name = parameter.name->id.text;
      UndefinedInfo* info = arena().make<UndefinedInfo>();
      info->why = UndefinedInfo::Why::Hint;
      info->mode = options.undefined;
      info->hint = arena().text(fmt::format("parameter '{}' was not provided", name));
      info->name = name;
      info->parameter = parameter.name->span;
      info->where = trace[static_cast<std::size_t>(frame)].call_site;
      if (!info->where.known()) info->where = info->parameter;
      place = Value::undefined(info);
    }
  }
}

}  // namespace capwright::jinja
