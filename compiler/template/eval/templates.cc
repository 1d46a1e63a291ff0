// Finds, includes and imports other templates.
#include "diag/catalog/template_eval.h"
#include "diag/suggest.h"
#include "template/eval/activation.h"
#include "template/eval/control.h"
#include "template/eval/evaluator.h"
#include "template/eval/template_objects.h"

namespace capwright::jinja {

// Null if there is no such template (reported, unless it may be missing) or if it has errors.
const Template* Evaluator::find_template(const Value& name, Missing missing) {
  if (name.is_error()) return nullptr;
  if (name.tainted()) Effects(*this).decide_rest(name.origin());
  if (name.is(Kind::Undefined)) {
    fail_undefined(name);
    return nullptr;
  }
  if (!hashable(name)) return nullptr;
  const std::string text = str(name);
  if (const Template* found = input_.loader->find(text)) return found;
  if (input_.loader->exists(text)) {
    fail_elsewhere(FaultKind::Syntax);
  } else if (missing == Missing::Report) {
    if (Diagnostic* fault = report(diag::template_not_found, here, text)) {
      const auto names = input_.loader->names();
      const std::string hint = did_you_mean(text, names);
      if (!hint.empty()) fault->advise(hint);
    }
  }
  return nullptr;
}

// The first template that exists.
const Template* Evaluator::select_template(const Value& names, Missing missing) {
  if (names.is_error()) return nullptr;
  if (names.is(Kind::Undefined)) {
    fail_undefined(names);
    return nullptr;
  }
  if (const Lineage from = lineage(names); from.tainted) Effects(*this).decide_rest(from.origin);
  Iterator* items = iterate(names);
  if (items == nullptr) return nullptr;
  std::vector<std::string> tried;
  for (Value name; items->next(*this, name);) {
    if (name.is(Kind::Undefined)) continue;  // Jinja2 continues with the next one
    if (name.is_error() || !hashable(name)) return nullptr;
    tried.push_back(str(name));
    if (const Template* found = input_.loader->find(tried.back())) return found;
    if (!input_.loader->exists(tried.back())) continue;
    fail_elsewhere(FaultKind::Syntax);
    return nullptr;
  }
  if (missing == Missing::Ignore) return nullptr;
  const std::vector<std::string_view> shown(tried.begin(), tried.end());
  fail(diag::no_template_found, shown.empty() ? "(an empty list)" : list_names(shown));
  return nullptr;
}

void Evaluator::exec_include(const Include& include) {
  const Value name = eval(*include.name);
  stand_at(include, include.name->span);
  const Missing missing = include.ignore_missing ? Missing::Ignore : Missing::Report;
  const bool is_name = name.is(Kind::String) || include.name->kind == NodeKind::Constant;
  const bool is_sequence = include.name->kind == NodeKind::List || include.name->kind == NodeKind::Tuple;
  const Template* found = is_name && !is_sequence ? find_template(name, missing) : select_template(name, missing);
  if (found == nullptr) return;
  const FrameId outside = frame;
  frame = frame_for(include.span, "included from");
  if (include.with_context) {
    run_root(*found, make_context(*found, visible_names(include.locals), record_->context->globals_only));
  } else if (const ModuleObject* module = default_module(*found)) {
    append_string(module->body(), include.span);
  }
  frame = outside;
}

ModuleObject* Evaluator::make_module(const Template& owner, const Layer* given, bool globals_only) {
  Context& context = make_context(owner, given, globals_only);
  Value body;
  {
    const Capture capture(*this);
    run_root(owner, context);
    body = capture.text();
  }
  const Value exports = dict();
  if (context.exported.is(Kind::Map)) {
    for (const Entry& name : context.exported.entries()) {
      const Value* value = context.variables.find(name.key.text());
      if (value != nullptr) set_item(exports, name.key, *value);
    }
  }
  return arena().make<ModuleObject>(owner.name, exports, body);
}

// The module of a template that sees only globals: made once per render, and shared by all imports.
ModuleObject* Evaluator::default_module(const Template& owner) {
  for (const auto& [known, module] : modules_) {
    if (known == &owner) return module;
  }
  ModuleObject* module = make_module(owner, nullptr, true);
  modules_.emplace_back(&owner, module);
  return module;
}

ModuleObject* Evaluator::import_module(const Expr& name, const Stmt& statement, bool with_context,
                                       std::span<const VisibleName> locals) {
  const Value value = eval(name);
  stand_at(statement, name.span);
  const Template* found = find_template(value, Missing::Report);
  if (found == nullptr) return nullptr;
  const FrameId outside = frame;
  frame = frame_for(name.span, "imported from");
  ModuleObject* module = with_context ? make_module(*found, visible_names(locals), record_->context->globals_only)
                                      : default_module(*found);
  frame = outside;
  return module;
}

void Evaluator::exec_import(const Import& import) {
  ModuleObject* module = import_module(*import.name, import, import.with_context, import.locals);
  store(*import.target, module == nullptr ? Value::error() : Value::object(module));
  if (import.toplevel) store_toplevel(*import.target, false);
}

void Evaluator::exec_from_import(const FromImport& import) {
  const ModuleObject* module = import_module(*import.name, import, import.with_context, import.locals);
  for (const ImportedName& name : import.names) {
    const Value* found = module == nullptr ? nullptr : module->find(name.name);
    Value value = Value::error();
    if (found != nullptr) {
      value = *found;
    } else if (module != nullptr) {
      stand_at(import, name.name.span);
      value = undefined_because(
          fmt::format("the template '{}' (imported on line {} in '{}') does not export the requested name '{}'",
                      module->name(), import.line, record_->owner->name, name.name.text),
          name.name.text, module->exports());
    }
    store(*name.target, value);
    if (import.toplevel) store_toplevel(*name.target, false);
  }
}

std::optional<Value> ModuleObject::attribute(Runtime&, const Identifier& id) {
  const Value* found = find(id);
  if (found == nullptr) return std::nullopt;
  return *found;
}

void ModuleObject::repr(Runtime& runtime, std::string& out) {
  out += "<TemplateModule " + runtime.repr(runtime.string(name_)) + ">";
}

}  // namespace capwright::jinja
