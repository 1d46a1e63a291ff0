// The order of mentions decides: a name that is read first comes from outside, one that is stored first doesn't.
#include "template/resolve/children.h"
#include "template/resolve/symbols.h"

namespace capwright::jinja {
namespace {

class FrameMentions {
 public:
  explicit FrameMentions(Symbols& symbols) : symbols_(symbols) {}

  void body(Body statements) {
    for (const Stmt* statement : statements) this->statement(*statement);
  }

  void expr(const Expr& node) {
    if (node.kind != NodeKind::Name) {
      for_each_operand(node, [this](const Expr& operand) { expr(operand); });
      return;
    }
    const auto& name = static_cast<const Name&>(node);
    name.store ? symbols_.store(name.id, branch_depth_ != 0) : symbols_.load(name.id);
  }

 private:
  void store(const Name& name) { symbols_.store(name.id, branch_depth_ != 0); }

  void statement(const Stmt& node) {
    switch (node.kind) {
      case NodeKind::Output:
        for (const OutputPart& part : static_cast<const Output&>(node).parts) {
          if (part.expr != nullptr) expr(*part.expr);
        }
        return;
      case NodeKind::If: return branches(static_cast<const If&>(node));
      case NodeKind::For: return expr(*static_cast<const For&>(node).iterable);
      case NodeKind::Macro: return store(*static_cast<const Macro&>(node).name);
      case NodeKind::CallBlock: return expr(*static_cast<const CallBlock&>(node).call);
      case NodeKind::FilterBlock: return expr(*static_cast<const FilterBlock&>(node).filter);
      case NodeKind::With:
        for (const WithBinding& binding : static_cast<const With&>(node).bindings) expr(*binding.value);
        return;
      case NodeKind::Assign:
        expr(*static_cast<const Assign&>(node).value);
        return expr(*static_cast<const Assign&>(node).target);
      case NodeKind::AssignBlock: return expr(*static_cast<const AssignBlock&>(node).target);
      case NodeKind::Include: return expr(*static_cast<const Include&>(node).name);
      case NodeKind::Import:
        expr(*static_cast<const Import&>(node).name);
        return store(*static_cast<const Import&>(node).target);
      case NodeKind::FromImport:
        expr(*static_cast<const FromImport&>(node).name);
        for (const ImportedName& imported : static_cast<const FromImport&>(node).names) store(*imported.target);
        return;
      case NodeKind::Extends: return expr(*static_cast<const Extends&>(node).name);
      case NodeKind::Do: return expr(*static_cast<const Do&>(node).expr);
      default: return;  // block and autoescape are separate frames
    }
  }

  // A name may be stored in one branch only: then it keeps its outer meaning in the others.
  void branches(const If& node) {
    for (const IfBranch& branch : node.branches) {
      expr(*branch.test);
      ++branch_depth_;
      body(branch.body);
      --branch_depth_;
    }
    ++branch_depth_;
    body(node.otherwise);
    --branch_depth_;
  }

  Symbols& symbols_;
  std::uint32_t branch_depth_ = 0;
};

}  // namespace

void mention(Symbols& symbols, Body body) { FrameMentions(symbols).body(body); }
void mention(Symbols& symbols, const Expr& expr) { FrameMentions(symbols).expr(expr); }

void mention_parameters(Symbols& symbols, const Expr& target) {
  if (target.kind == NodeKind::Name) symbols.declare(static_cast<const Name&>(target).id);
  for_each_operand(target, [&](const Expr& item) { mention_parameters(symbols, item); });
}

}  // namespace capwright::jinja
