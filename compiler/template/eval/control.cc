// See control.h. Decisions by secrets are rare, so the walk over the affected part needs no cache.
#include "template/eval/control.h"

#include <algorithm>

#include "template/builtins/methods.h"
#include "template/eval/template_objects.h"
#include "template/resolve/children.h"
#include "template/runtime/objects.h"

namespace capwright::jinja {
namespace {

constexpr std::uint32_t kMostAliases = 64;
constexpr std::uint32_t kDeepestState = 32;

bool same(const SlotRef& a, const SlotRef& b) { return a.access == b.access && a.hops == b.hops && a.index == b.index; }

}  // namespace

void Effects::decide(std::initializer_list<Body> bodies, OriginId by) {
  Decisions& decisions = evaluator_.decisions_;
  for (const Body body : bodies) add(body);
  decisions.now = {true, evaluator_.stage.origins.combine(decisions.now.origin, by)};
  decisions.output = true;
  if (!leaves_loop_ || decisions.rounds) return;
  decisions.rounds = true;
  if (decisions.loop != nullptr) add(decisions.loop->body);
}

void Effects::decide_loop(const For& loop, OriginId by) {
  if (evaluator_.decisions_.rounds) return;
  evaluator_.decisions_.rounds = true;
  decide({loop.body, loop.otherwise}, by);
  if (loop.filter != nullptr) add(*loop.filter);
}

void Effects::decide_rest(OriginId by) {
  Decisions& decisions = evaluator_.decisions_;
  decisions.now = {true, evaluator_.stage.origins.combine(decisions.now.origin, by)};
  decisions.output = decisions.rest = true;
}

void Effects::add(Body body) {
  for (const Stmt* statement : body) add(*statement);
}

// A part whose names aren't visible outside of it.
void Effects::add_inner(Body body) {
  ++scopes_;
  add(body);
  --scopes_;
}

void Effects::add(const Stmt& statement) {
  switch (statement.kind) {
    case NodeKind::Output:
      for (const OutputPart& part : static_cast<const Output&>(statement).parts) {
        if (part.expr != nullptr) add(*part.expr);
      }
      return;
    case NodeKind::If:
      for (const IfBranch& branch : static_cast<const If&>(statement).branches) add(*branch.test), add(branch.body);
      return add(static_cast<const If&>(statement).otherwise);
    case NodeKind::For: {
      const auto& loop = static_cast<const For&>(statement);
      ++loops_, ++scopes_;
      add_target(*loop.target, loop.iterable, false);
      if (loop.filter_target != nullptr) add_target(*loop.filter_target, loop.iterable, false);
      add(*loop.iterable);
      if (loop.filter != nullptr) add(*loop.filter);
      add(loop.body), add(loop.otherwise);
      --loops_, --scopes_;
      return;
    }
    case NodeKind::With:
      ++scopes_;
      for (const WithBinding& binding : static_cast<const With&>(statement).bindings) {
        add(*binding.value);
        add_target(*binding.target, binding.value, false);
      }
      add(static_cast<const With&>(statement).body);
      --scopes_;
      return;
    case NodeKind::Assign: {
      const auto& assign = static_cast<const Assign&>(statement);
      add(*assign.value);
      return add_target(*assign.target, assign.value, assign.toplevel);
    }
    case NodeKind::AssignBlock: {
      const auto& assign = static_cast<const AssignBlock&>(statement);
      add_inner(assign.body);
      if (assign.filter != nullptr) add(*assign.filter);
      return add_target(*assign.target, nullptr, assign.toplevel);
    }
    case NodeKind::Do: return add(*static_cast<const Do&>(statement).expr);
    case NodeKind::FilterBlock:
      add_inner(static_cast<const FilterBlock&>(statement).body);
      return add(*static_cast<const FilterBlock&>(statement).filter);
    case NodeKind::Autoescape:
      add(*static_cast<const Autoescape&>(statement).enabled);
      return add_inner(static_cast<const Autoescape&>(statement).body);
    case NodeKind::Break:
    case NodeKind::Continue: leaves_loop_ = leaves_loop_ || loops_ == 0; return;
    case NodeKind::Macro: {
      const auto& macro = static_cast<const Macro&>(statement);
      return add_target(*macro.name, nullptr, macro.toplevel);
    }
    default: decide_rest(OriginId::None);  // other templates, blocks and call blocks
  }
}

void Effects::add_target(const Expr& target, const Expr* value, bool toplevel) {
  if (target.kind == NodeKind::Tuple) {
    for (const Expr* item : static_cast<const Tuple&>(target).items) add_target(*item, value, toplevel);
  } else if (target.kind == NodeKind::Name) {
    const auto& name = static_cast<const Name&>(target);
    aliases_.push_back({name.slot, value});
    if (scopes_ == 0) targets_.push_back({&name, toplevel});
  } else {
    mark_state(*static_cast<const GetAttr&>(target).object, true);
  }
}

void Effects::add(const Expr& expr) {
  if (expr.kind == NodeKind::Call) add_call(static_cast<const Call&>(expr));
  else if (expr.kind == NodeKind::Name) mark_state(expr, false);  // it may advance an iterator with that name
  for_each_operand(expr, [&](const Expr& operand) { add(operand); });
}

void Effects::add_call(const Call& call) {
  if (call.callee->kind == NodeKind::GetAttr) {
    const auto& method = static_cast<const GetAttr&>(*call.callee);
    return mark_state(*method.object, changes_container(method.name.text) || method.name.text == "changed");
  }
  if (call.callee->kind != NodeKind::Name) return decide_rest(OriginId::None);
  const Value callee = value_of(static_cast<const Name&>(*call.callee));
  const std::string_view type = callee.is(Kind::Object) ? callee.object_rep()->type_name() : std::string_view();
  if (type == "function" || type == "type") return;
  if (type == "Joiner") return mark_value(callee, true, 1);
  const auto* macro = as<MacroObject>(callee);
  if (macro == nullptr || !is_pure(macro->definition().body)) decide_rest(OriginId::None);
}

// Whether a macro with this body only prints, and has no other effect that outlives the call.
bool Effects::is_pure(Body body) const {
  class Purity {
   public:
    bool pure = true;
    void look(const Expr& expr) {
      if (expr.kind == NodeKind::Call) pure = false;
      for_each_operand(expr, [&](const Expr& operand) { look(operand); });
    }
    void look(Body statements) {
      for (const Stmt* statement : statements) look(*statement);
    }
    void look(const Stmt& statement) {
      switch (statement.kind) {
        case NodeKind::Output:
          for (const OutputPart& part : static_cast<const Output&>(statement).parts) {
            if (part.expr != nullptr) look(*part.expr);
          }
          return;
        case NodeKind::If:
          for (const IfBranch& branch : static_cast<const If&>(statement).branches)
            look(*branch.test), look(branch.body);
          return look(static_cast<const If&>(statement).otherwise);
        case NodeKind::For:
          look(*static_cast<const For&>(statement).iterable);
          if (static_cast<const For&>(statement).filter != nullptr) look(*static_cast<const For&>(statement).filter);
          look(static_cast<const For&>(statement).body);
          return look(static_cast<const For&>(statement).otherwise);
        case NodeKind::Assign:
          if (static_cast<const Assign&>(statement).target->kind != NodeKind::Name) pure = false;
          return look(*static_cast<const Assign&>(statement).value);
        default: pure = false;
      }
    }
  };
  Purity purity;
  purity.look(body);
  return purity.pure;
}

Value Effects::value_of(const Name& name) const {
  if (name.slot.access == NameAccess::Slot && is_missing(evaluator_.slot(name.slot))) return Value::null();
  return evaluator_.eval_name(name);
}

// Marks the state of the objects that an expression names: of iterators and the like, and with `all` also of
// containers.
void Effects::mark_state(const Expr& expr, bool all) {
  if (expr.kind != NodeKind::Name) {
    for_each_operand(expr, [&](const Expr& operand) { mark_state(operand, all); });
    return;
  }
  const auto& name = static_cast<const Name&>(expr);
  mark_value(value_of(name), all, kDeepestState);
  for (std::size_t i = 0; i < aliases_.size(); ++i) {
    const Alias alias = aliases_[i];
    if (!same(alias.slot, name.slot) || alias.value == nullptr) continue;
    if (++aliases_followed_ > kMostAliases) return decide_rest(OriginId::None);
    mark_state(*alias.value, all);
  }
}

void Effects::mark_value(const Value& value, bool all, std::uint32_t depth) {
  if (depth == 0) return decide_rest(OriginId::None);
  if (!evaluator_.step()) return;
  if (value.is(Kind::List)) {
    if (all) evaluator_.change_by_secret(value.list_rep());
    for (const Value& item : value.items()) mark_value(item, all, depth - 1);
  } else if (value.is(Kind::Map)) {
    if (all) evaluator_.change_by_secret(value.map_rep());
    for (const Entry& entry : value.entries()) mark_value(entry.value, all, depth - 1);
  } else if (value.is(Kind::Object)) {
    const Object* object = value.object_rep();
    const std::string_view type = value.object_rep()->type_name();
    static constexpr std::string_view kStateless[] = {"range", "int", "function", "type", "Macro"};
    static constexpr std::string_view kUnknown[] = {"TemplateModule", "TemplateReference", "BlockReference"};
    const auto is_one_of = [&](const auto& types) {
      return std::find(std::begin(types), std::end(types), type) != std::end(types);
    };
    if (is_one_of(kUnknown)) return decide_rest(OriginId::None);
    const bool read_only = type == "Namespace" || type == "LoopContext";
    if (!is_one_of(kStateless) && (all || !read_only)) evaluator_.change_by_secret(object);
    mark_value(value.object_rep()->contents(), all, depth - 1);
  }
}

void Effects::taint_names() {
  for (const Target& target : targets_) {
    Value& place = evaluator_.slot(target.name->slot);
    place = (is_missing(place) ? evaluator_.undefined_name(target.name->id) : place).with_taint();
    if (target.toplevel) evaluator_.store_toplevel(*target.name);
  }
}

}  // namespace capwright::jinja
