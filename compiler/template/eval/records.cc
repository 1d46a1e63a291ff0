// Names, activation records, scopes and contexts at run time, with the layout of resolve/scopes.h.
#include <algorithm>
#include <fmt/format.h>

#include "diag/suggest.h"
#include "template/builtins/builtin.h"
#include "template/eval/activation.h"
#include "template/eval/evaluator.h"
#include "template/runtime/objects.h"
#include "value/map_index.h"

namespace capwright::jinja {
namespace {

// `import` passes the values of the cluster only on request.
void explain_import(Diagnostic& fault, std::string_view name, std::string_view imported) {
  fault.at_caret("not passed to this template");
  fault.note(fmt::format("the values have `{}`, but `{}` is imported without context", name, imported));
  fault.advise(fmt::format("write `with context` at the end of the tag that imports `{}`", imported));
}

// A tag that imports another name than the template's `name`. False if there is none.
bool explain_wrong_import(Diagnostic& fault, std::string_view name, const Value& variables) {
  if (!variables.is(Kind::Map)) return false;
  for (const Entry& entry : variables.entries()) {
    const UndefinedInfo* info = entry.value.is(Kind::Undefined) ? entry.value.undefined_info() : nullptr;
    if (info == nullptr || !info->owner.is(Kind::Map) || info->owner.find(name, hash_text(name)) == nullptr) continue;
    fault.also(info->where, fmt::format("this tag imports `{}`, which doesn't exist there", info->name));
    fault.advise(fmt::format("import `{}` instead of `{}`", name, info->name));
    return true;
  }
  return false;
}

// Variables and functions of Ansible, which read more than values.
bool is_of_ansible(std::string_view name) {
  constexpr std::string_view kNames[] = {"ansible_facts",
                                         "ansible_hostname",
                                         "ansible_host",
                                         "group_names",
                                         "groups",
                                         "hostvars",
                                         "inventory_hostname",
                                         "lookup",
                                         "now",
                                         "omit",
                                         "playbook_dir",
                                         "q",
                                         "query",
                                         "role_path",
                                         "undef",
                                         "vars"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// Whether the name at `where` is followed by arguments.
bool is_called(const SourceSet& sources, Span where) {
  if (!where.known()) return false;
  const std::string_view after = sources.text(where.file).substr(where.end);
  const std::size_t next = after.find_first_not_of(" \t");
  return next != std::string_view::npos && after[next] == '(';
}

// Whether a place is in the tag that defines a name, as the list of a `for`, which doesn't see the loop's own name.
bool is_in_same_tag(Span definition, Span where, const Options& options, const SourceSet& sources) {
  if (!where.known() || definition.file != where.file || where.begin < definition.end) return false;
  const std::string_view between = sources.text(where.file).substr(definition.end, where.begin - definition.end);
  return between.find(options.block_end) == std::string_view::npos && between.find('\n') == std::string_view::npos;
}

// Marks a context name that the record has not looked up yet.
constexpr UndefinedInfo kNotAsked{};
constexpr Value kUnasked = Value::undefined(&kNotAsked);
bool is_unasked(const Value& value) { return value.is(Kind::Undefined) && value.undefined_info() == &kNotAsked; }

}  // namespace

Value Evaluator::eval_name(const Name& name) {
  if (name.slot.access == NameAccess::Context) {
    Value& asked = record_->asked[name.slot.index];
    if (is_unasked(asked)) asked = look_up(*record_->context, name.id);
    return is_missing(asked) ? undefined_name(name.id) : asked;
  }
  const Value& value = slot(name.slot);
  return is_missing(value) ? undefined_name(name.id) : value;
}

Value& Evaluator::slot(const SlotRef& ref) {
  Record* record = record_;
  for (std::uint16_t hops = ref.hops; hops != 0; --hops) record = record->outer;
  return record->slots[ref.index];
}

Value Evaluator::look_up(Context& context, const Identifier& name) {
  if (const Value* set = context.variables.find(name.text, name.hash)) return *set;
  for (const Layer* layer = context.given; layer != nullptr; layer = layer->below) {
    if (const Value* given = layer->names.find(name.text, name.hash)) return *given;
  }
  const Value found = given_.find(*this, name, context.globals_only);
  if (!is_missing(found)) return found;
  const Builtin* function = find_builtin(BuiltinKind::Function, name.text, options.extras);
  return function == nullptr ? kMissing : builtin_function_value(*this, *function);
}

Value Evaluator::make_name(const Identifier& name) {
  const auto size = static_cast<std::uint32_t>(name.text.size());
  return Value::string(arena().make<Text>(name.text.data(), size, name.hash, nullptr));
}

bool Evaluator::extended() const {
  const Record* root = record_;
  while (root->outer != nullptr) root = root->outer;
  return root->parent != nullptr;
}

void Evaluator::enter(const Scope* scope) {
  if (scope == nullptr) return;
  for (const Load& load : scope->loads) {
    Value& target = record_->slots[load.slot];
    switch (load.kind) {
      case Load::Kind::Clear: target = kMissing; break;
      case Load::Kind::Copy: target = slot(load.from); break;
      case Load::Kind::Resolve: target = look_up(*record_->context, load.name); break;
    }
  }
}

void Evaluator::leave(const Scope* scope) {
  if (scope == nullptr) return;
  for (const std::uint32_t index : scope->cleared) record_->slots[index] = kMissing;
}

Record& Evaluator::make_record(const Function& function, Record* outer, Context& context, LocalRecord& local) {
  const std::uint32_t total = function.slot_count + function.context_count;
  Record* record = &local.record;
  auto* values = reinterpret_cast<Value*>(local.values);
  if (function.captured) record = arena().make<Record>();
  if (function.captured || total > LocalRecord::kMostValues) values = arena().make_array<Value>(total);
  *record = {values, values + function.slot_count, outer, &context, context.owner, nullptr};
  std::uninitialized_fill_n(values, function.slot_count, kMissing);
  std::uninitialized_fill_n(values + function.slot_count, function.context_count, kUnasked);
  return *record;
}

Context& Evaluator::make_context(const Template& owner, const Layer* given, bool globals_only) {
  Context* context = arena().make<Context>();
  context->owner = &owner;
  context->given = given;
  context->globals_only = globals_only;
  context->escape = arena().make<EscapeMode>(owner.options.autoescape);
  add_blocks(*context, owner);
  return *context;
}

void Evaluator::add_blocks(Context& context, const Template& owner) {
  for (const Block* block : owner.blocks) {
    BlockChain* chain = find_blocks(context, block->name.text);
    BlockStep* added = arena().make<BlockStep>(&owner, block, nullptr);
    if (chain == nullptr) {
      context.blocks = arena().make<BlockChain>(block->name.text, added, added, context.blocks);
    } else {
      chain->last->parent = added;
      chain->last = added;
    }
  }
}

// The current variables of the top level under the given names, with `locals` on top.
const Layer* Evaluator::visible_names(std::span<const VisibleName> locals) {
  const Context& context = *record_->context;
  Value names = copy_map(context.variables);
  for (const VisibleName& local : locals) {
    const Value& value = slot(local.slot);
    if (is_missing(value)) continue;
    if (names.is(Kind::Null)) names = dict();
    set_item(names, make_name(local.name), value);
  }
  if (names.is(Kind::Null)) return context.given;
  return arena().make<Layer>(context.given, names);
}

Context& Evaluator::derived_context(std::span<const VisibleName> locals) {
  Context* derived = arena().make<Context>(*record_->context);
  derived->given = visible_names(locals);
  derived->variables = derived->exported = Value::null();
  return *derived;
}

// The names that may be meant at a place; `called`: with arguments, so that no value is.
std::vector<std::string_view> Evaluator::names_for(Span where, bool called) const {
  std::vector<std::string_view> names;
  const auto add = [&](const Value& map) {
    if (!map.is(Kind::Map)) return;
    for (const Entry& entry : map.entries()) names.push_back(entry.key.text());
  };
  if (record_ != nullptr && !called) {
    add(record_->context->variables);
    for (const Layer* layer = record_->context->given; layer != nullptr; layer = layer->below) add(layer->names);
  }
  if (!called) given_.add_names(names);
  const std::span<const Definition> definitions =
      record_ == nullptr ? std::span<const Definition>() : record_->owner->references.definitions;
  for (const Definition& definition : definitions) {
    const bool is_function = definition.kind == Definition::Kind::Macro || definition.kind == Definition::Kind::Import;
    const bool is_here = !is_in_same_tag(definition.span, where, record_->owner->options, stage.sources);
    if (is_here && (is_function || !called)) names.push_back(definition.name);
  }
  const auto functions = builtin_names(BuiltinKind::Function);
  names.insert(names.end(), functions.begin(), functions.end());
  return names;
}

void Evaluator::explain_name(Diagnostic& fault, std::string_view name) {
  if (record_ != nullptr && record_->context->globals_only) {
    std::vector<std::string_view> given;
    given_.add_names(given);
    if (std::find(given.begin(), given.end(), name) != given.end())
      return explain_import(fault, name, record_->context->owner->name);
  }
  fault.at_caret("not defined in the values or above");
  if (record_ != nullptr && explain_wrong_import(fault, name, record_->context->variables)) return;
  const bool called = is_called(stage.sources, fault.where);
  std::string hint = did_you_mean(name, names_for(fault.where, called));
  if (is_of_ansible(name)) {
    fault.note("it is one of the names that Ansible sets");
    hint = "put its result into a values file or a layer: docs/own-templates.md#from-ansible";
  }
  if (name == "loop") hint = "`loop` exists inside of a `for` only, and not in macros and imported templates";
  if (name == "include") hint = "write the tag: `{% include \"FILE\" %}`";
  if (hint.empty() && called) {
    hint =
        "values can't be called: write it with known filters or a macro, or put its result into a layer: "
        "docs/own-templates.md#3-replace-filters-and-globals";
  }
  if (hint.empty()) hint = fmt::format("add it to the values, or write a default: `{} | default(…)`", name);
  fault.advise(std::move(hint));
}

}  // namespace capwright::jinja
