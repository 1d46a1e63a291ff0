// Searches with an explicit stack: a chain of references may be as long as the document.
#include "schema/reach.h"

#include <algorithm>
#include <utility>

#include "diag/catalog/values.h"

namespace capwright::schema {
namespace {

using Visit = std::function<void(const Node&)>;

void visit_one(const Node* node, const Visit& visit) {
  if (node != nullptr) visit(*node);
}
void visit_all(Nodes nodes, const Visit& visit) {
  for (const Node* node : nodes) visit(*node);
}

// The subschemas that always apply to the same value as `node`: a cycle of them never ends.
std::vector<const Node*> certain_in_place(const Node& node) {
  std::vector<const Node*> found;
  const Visit add = [&](const Node& next) { found.push_back(&next); };
  if (node.combination == nullptr) return found;
  visit_one(node.combination->reference, add);
  visit_all(node.combination->all_of, add);
  visit_all(node.combination->any_of, add);
  visit_all(node.combination->one_of, add);
  visit_one(node.combination->negated, add);
  visit_one(node.combination->condition, add);
  return found;
}

using Predecessors = std::vector<std::vector<Node*>>;  // by Node::number

// Sets `flag` on every node from which one of `starts` can be reached.
void mark_backwards(const std::vector<Node*>& starts, const Predecessors& predecessors, bool Node::*flag) {
  std::vector<Node*> stack;
  for (Node* start : starts) {
    if (!std::exchange(start->*flag, true)) stack.push_back(start);
  }
  while (!stack.empty()) {
    const Node* node = stack.back();
    stack.pop_back();
    for (Node* before : predecessors[node->number]) {
      if (!std::exchange(before->*flag, true)) stack.push_back(before);
    }
  }
}

// A depth-first search for cycles, along the edges of certain_in_place().
class EndlessReferences {
 public:
  EndlessReferences(Schema& program, Stage& stage) : stage_(stage), state_(program.nodes.size(), State::Unseen) {
    for (const Node& node : program.nodes) {
      if (state_[node.number] == State::Unseen) search(node);
    }
    for (Node& node : program.nodes) {
      if (state_[node.number] == State::Closing) node.form = Node::Form::Accepts;
    }
  }

 private:
  enum class State : std::uint8_t { Unseen, OnPath, Closing, Finished };
  struct Step {
    const Node* node;
    std::vector<const Node*> next;
    std::size_t done = 0;
  };

  void search(const Node& start) {
    std::vector<Step> path;
    const auto enter = [&](const Node& node) {
      state_[node.number] = State::OnPath;
      path.push_back({&node, certain_in_place(node)});
    };
    enter(start);
    while (!path.empty()) {
      Step& step = path.back();
      if (step.done == step.next.size()) {
        State& state = state_[step.node->number];
        if (state == State::OnPath) state = State::Finished;
        path.pop_back();
        continue;
      }
      const Node& next = *step.next[step.done++];
      if (state_[next.number] == State::OnPath) close(*step.node, next);
      else if (state_[next.number] == State::Unseen) enter(next);
    }
  }

  void close(const Node& from, const Node& to) {
    const Value* reference = from.source.find("$ref");
    const Value& shown = reference != nullptr ? *reference : from.source;
    stage_.sink.report(diag::endless_reference, stage_.origins[shown.origin()].span,
                       reference != nullptr ? std::string(reference->text()) : "this schema");
    state_[to.number] = State::Closing;
  }

  Stage& stage_;
  std::vector<State> state_;
};

}  // namespace

void for_each_in_place(const Node& node, const Visit& visit) {
  if (node.combination != nullptr) {
    const Combination& combination = *node.combination;
    visit_one(combination.reference, visit);
    if (combination.dynamic != nullptr) visit_one(combination.dynamic->fallback, visit);
    visit_all(combination.all_of, visit);
    visit_all(combination.any_of, visit);
    visit_all(combination.one_of, visit);
    visit_one(combination.consequence, visit);
    visit_one(combination.alternative, visit);
  }
  if (node.objects == nullptr) return;
  for (const Dependent& dependent : node.objects->dependents) visit_one(dependent.node, visit);
}

void for_each_below(const Node& node, const Visit& visit) {
  if (node.arrays != nullptr) {
    visit_all(node.arrays->prefix, visit);
    visit_one(node.arrays->items, visit);
  }
  visit_one(node.unevaluated_items, visit);
  visit_one(node.unevaluated_properties, visit);
  if (node.objects == nullptr) return;
  for (const Property& property : node.objects->table.properties) visit_one(property.node, visit);
  for (const PatternProperty& property : node.objects->patterns) visit_one(property.node, visit);
  visit_one(node.objects->additional, visit);
}

void cut_endless_references(Schema& program, Stage& stage) { EndlessReferences(program, stage); }

void find_what_lies_below(Schema& program) {
  Predecessors predecessors(program.nodes.size());
  std::vector<Node*> with_default, with_secret;
  for (Node& node : program.nodes) {
    const Visit remember = [&](const Node& next) { predecessors[next.number].push_back(&node); };
    for_each_in_place(node, remember);
    for_each_below(node, remember);
    if (node.notes != nullptr && node.notes->default_value != nullptr) with_default.push_back(&node);
    if (node.secret) with_secret.push_back(&node);
  }
  mark_backwards(with_default, predecessors, &Node::fills_defaults);
  mark_backwards(with_secret, predecessors, &Node::marks_secrets);
}

void add_certain(std::vector<const Node*>& list, const Node& node) {
  std::vector<const Node*> stack{&node};
  while (!stack.empty()) {
    const Node* next = stack.back();
    stack.pop_back();
    if (std::find(list.begin(), list.end(), next) != list.end()) continue;
    list.push_back(next);
    if (next->form != Node::Form::Rules || next->combination == nullptr) continue;
    const Nodes all = next->combination->all_of;
    stack.insert(stack.end(), all.rbegin(), all.rend());
    if (next->combination->reference != nullptr) stack.push_back(next->combination->reference);
  }
}

}  // namespace capwright::schema
