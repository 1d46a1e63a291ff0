// The conditions under which Jinja2's nodes have a constant value (`as_const`).
#include <algorithm>

#include "template/resolve/children.h"
#include "template/resolve/resolve.h"

namespace capwright::jinja {
namespace {

// Filters that need Jinja2's context, so that it can't run them at compile time.
constexpr std::string_view kContextFilters[] = {"map", "random", "reject", "rejectattr", "select", "selectattr"};

bool needs_context(const Filter& filter) {
  return filter.operand == nullptr || filter.builtin == nullptr ||
         std::find(std::begin(kContextFilters), std::end(kContextFilters), filter.name.text) !=
             std::end(kContextFilters);
}

}  // namespace

bool is_computed_early(const Expr& node) {
  if (node.kind == NodeKind::Name || node.kind == NodeKind::Call) return false;
  if (node.kind == NodeKind::Filter && needs_context(static_cast<const Filter&>(node))) return false;
  if (node.kind == NodeKind::Test && static_cast<const Test&>(node).builtin == nullptr) return false;
  bool early = true;
  for_each_operand(node, [&](const Expr& operand) { early = early && is_computed_early(operand); });
  return early;
}

}  // namespace capwright::jinja
