// The order of Jinja2's compiler: collects all blocks first, then walks the root, then each block.
#include "template/resolve/resolve.h"

#include "diag/catalog/template_syntax.h"
#include "template/resolve/resolver.h"
#include "template/resolve/symbols.h"

namespace capwright::jinja {

Resolver::Resolver(Template& tree, Sink& sink)
    : tree_(tree), sink_(sink), symbols_(tree.arena), log_(tree.arena), specials_(find_special_names(tree.body)) {}

void Resolver::run() {
  collect_blocks(tree_.body);
  tree_.blocks = tree_.arena.copy(blocks_);
  root();
  for (const Block* block : blocks_) block_body(mutable_node<Block>(*block));
  for (const auto& report : later_) report();
  symbols_.finish();
  tree_.references = log_.finish();
}

// All blocks at any depth, in source order; and whether there is an `extends`.
void Resolver::collect_blocks(Body body) {
  for (const Stmt* statement : body) {
    switch (statement->kind) {
      case NodeKind::Block: {
        const auto& block = static_cast<const Block&>(*statement);
        const auto [first, added] = block_names_.try_emplace(block.name.text, block.name.span);
        if (!added) {
          sink_.report(diag::duplicate_block, block.span, std::string(block.name.text))
              .also(first->second, "defined here first");
        }
        blocks_.push_back(&block);
        collect_blocks(block.body);
        break;
      }
      case NodeKind::For:
        collect_blocks(static_cast<const For&>(*statement).body);
        collect_blocks(static_cast<const For&>(*statement).otherwise);
        break;
      case NodeKind::If:
        for (const IfBranch& branch : static_cast<const If&>(*statement).branches) collect_blocks(branch.body);
        collect_blocks(static_cast<const If&>(*statement).otherwise);
        break;
      case NodeKind::Macro: collect_blocks(static_cast<const Macro&>(*statement).body); break;
      case NodeKind::CallBlock: collect_blocks(static_cast<const CallBlock&>(*statement).body); break;
      case NodeKind::FilterBlock: collect_blocks(static_cast<const FilterBlock&>(*statement).body); break;
      case NodeKind::With: collect_blocks(static_cast<const With&>(*statement).body); break;
      case NodeKind::AssignBlock: collect_blocks(static_cast<const AssignBlock&>(*statement).body); break;
      case NodeKind::Autoescape: collect_blocks(static_cast<const Autoescape&>(*statement).body); break;
      case NodeKind::Extends: tree_.extends = true; break;
      default: break;
    }
  }
}

void Resolver::root() {
  FunctionBuilder& function = symbols_.add_function(true);
  tree_.root = function.result;
  symbols_.open(function);
  if (specials_.at(nullptr).self)
    symbols_.use(symbols_.declare({"self", hash_text("self"), {}}), function.result->self_slot);
  mention(symbols_, tree_.body);
  body(tree_.body, {.function = &function, .toplevel = true, .rootlevel = true, .checks_extends = tree_.extends});
  symbols_.close();
}

// A block sees the context, not the names around it, because other templates may call it.
void Resolver::block_body(Block& block) {
  FunctionBuilder& function = symbols_.add_function(true);
  block.function = function.result;
  line_ = block.line;
  symbols_.open(function);
  const SpecialNames& names = specials_.at(&block);
  if (names.self) symbols_.use(symbols_.declare({"self", hash_text("self"), {}}), function.result->self_slot);
  if (names.super) symbols_.use(symbols_.declare({"super", hash_text("super"), {}}), function.result->super_slot);
  mention(symbols_, block.body);
  body(block.body, {.function = &function});
  symbols_.close();
}

void resolve(Template& tree, Sink& sink) { Resolver(tree, sink).run(); }

}  // namespace capwright::jinja
