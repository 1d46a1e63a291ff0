// One walk that keeps, for each special name, the list of its mentions so far. A body's first mention is then the first
// entry that was added while the body was walked.
#include "template/resolve/special_names.h"

#include <array>
#include <utility>
#include <vector>

#include "template/resolve/children.h"

namespace capwright::jinja {
namespace {

constexpr std::array<std::pair<std::string_view, bool SpecialNames::*>, 6> kNames{{
    {"loop", &SpecialNames::loop},
    {"caller", &SpecialNames::caller},
    {"varargs", &SpecialNames::varargs},
    {"kwargs", &SpecialNames::kwargs},
    {"self", &SpecialNames::self},
    {"super", &SpecialNames::super},
}};
using Counts = std::array<std::size_t, kNames.size()>;

class Walk {
 public:
  SpecialNamesOf run(Body body) {
    found_[nullptr] = read_in([&] { walk(body); });
    return std::move(found_);
  }

 private:
  // The special names whose first mention in the text walked by `visit` is a read.
  template <class Visit>
  SpecialNames read_in(Visit visit) {
    Counts before;
    for (std::size_t i = 0; i < kNames.size(); ++i) before[i] = mentions_[i].size();
    visit();
    SpecialNames result;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (mentions_[i].size() > before[i]) result.*kNames[i].second = mentions_[i][before[i]];
    }
    return result;
  }

  void walk(Body body) {
    for (const Stmt* statement : body) walk(*statement);
  }
  void walk(const Stmt& node);
  void walk(const For& node);
  void walk(const If& node);
  void walk(const Block& node);
  void walk_signature(const MacroSignature& signature);

  void walk(const Expr& node) {
    if (node.kind == NodeKind::Name) {
      const auto& name = static_cast<const Name&>(node);
      mention(name.id.text, !name.store);
      if (name.store && name.id.text == "loop") loop_stores_.push_back(&name);
      return;
    }
    // The namespace in `set ns.attribute` isn't a mention of its name.
    if (node.kind == NodeKind::GetAttr && static_cast<const GetAttr&>(node).store) return;
    for_each_operand(node, [&](const Expr& operand) { walk(operand); });
  }
  // Parameters of with and macros: hide the name, as a store does, but may be called `loop`.
  void mention_target(const Expr& target) {
    if (target.kind == NodeKind::Name) mention(static_cast<const Name&>(target).id.text, false);
    for_each_operand(target, [&](const Expr& item) { mention_target(item); });
  }
  void maybe(const Expr* node) {
    if (node != nullptr) walk(*node);
  }
  void mention(std::string_view name, bool reads) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (kNames[i].first == name) mentions_[i].push_back(reads);
    }
  }

  SpecialNamesOf found_;
  std::array<std::vector<bool>, kNames.size()> mentions_;  // true: reads the name
  std::vector<const Name*> loop_stores_;
  std::size_t scoped_blocks_ = 0;
};

void Walk::walk(const Stmt& node) {
  switch (node.kind) {
    case NodeKind::Output:
      for (const OutputPart& part : static_cast<const Output&>(node).parts) maybe(part.expr);
      return;
    case NodeKind::For: return walk(static_cast<const For&>(node));
    case NodeKind::If: return walk(static_cast<const If&>(node));
    case NodeKind::Block: return walk(static_cast<const Block&>(node));
    case NodeKind::Macro: {
      const auto& macro = static_cast<const Macro&>(node);
      walk_signature(macro.signature);
      found_[&node] = read_in([&] { walk(macro.body); });
      return;
    }
    case NodeKind::CallBlock: {
      const auto& block = static_cast<const CallBlock&>(node);
      walk(*block.call);
      walk_signature(block.signature);
      found_[&node] = read_in([&] { walk(block.body); });
      return;
    }
    case NodeKind::FilterBlock:
      walk(static_cast<const FilterBlock&>(node).body);
      return walk(*static_cast<const FilterBlock&>(node).filter);
    case NodeKind::With:
      for (const WithBinding& binding : static_cast<const With&>(node).bindings) mention_target(*binding.target);
      for (const WithBinding& binding : static_cast<const With&>(node).bindings) walk(*binding.value);
      return walk(static_cast<const With&>(node).body);
    case NodeKind::Autoescape:
      walk(*static_cast<const Autoescape&>(node).enabled);
      return walk(static_cast<const Autoescape&>(node).body);
    case NodeKind::Assign:
      walk(*static_cast<const Assign&>(node).target);
      return walk(*static_cast<const Assign&>(node).value);
    case NodeKind::AssignBlock:
      walk(*static_cast<const AssignBlock&>(node).target);
      maybe(static_cast<const AssignBlock&>(node).filter);
      return walk(static_cast<const AssignBlock&>(node).body);
    case NodeKind::Include: return walk(*static_cast<const Include&>(node).name);
    case NodeKind::Import: return walk(*static_cast<const Import&>(node).name);
    case NodeKind::FromImport: return walk(*static_cast<const FromImport&>(node).name);
    case NodeKind::Extends: return walk(*static_cast<const Extends&>(node).name);
    case NodeKind::Do: return walk(*static_cast<const Do&>(node).expr);
    default: return;  // break, continue
  }
}

void Walk::walk(const For& node) {
  const std::size_t blocks_before = scoped_blocks_;
  const std::size_t stores_before = loop_stores_.size();
  walk(*node.target);
  walk(*node.iterable);
  SpecialNames names = read_in([&] { walk(node.body); });
  walk(node.otherwise);
  maybe(node.filter);
  names.scoped_block = scoped_blocks_ != blocks_before;
  if (loop_stores_.size() > stores_before) names.loop_stored = loop_stores_[stores_before];
  found_[&node] = names;
}

void Walk::walk(const If& node) {
  for (const IfBranch& branch : node.branches) {
    walk(*branch.test);
    walk(branch.body);
  }
  walk(node.otherwise);
}

// Mentions inside a block count only for that block.
void Walk::walk(const Block& node) {
  auto outside = std::exchange(mentions_, {});
  found_[&node] = read_in([&] { walk(node.body); });
  mentions_ = std::move(outside);
  if (node.scoped) ++scoped_blocks_;
}

void Walk::walk_signature(const MacroSignature& signature) {
  for (const Parameter& parameter : signature.parameters) mention_target(*parameter.name);
  for (const Parameter& parameter : signature.parameters) maybe(parameter.fallback);
}

}  // namespace

SpecialNamesOf find_special_names(Body body) { return Walk().run(body); }

}  // namespace capwright::jinja
