// Paths are followed through attributes, subscripts, filters that keep their items, loops and plain assignments.
#include "template/resolve/value_paths.h"

#include <algorithm>
#include <array>

#include "text/python_text.h"

namespace capwright::jinja {
namespace {

// Longer paths occur only in hostile templates.
constexpr std::size_t kLongestPath = 64;

// The result is the operand, or has its items.
constexpr std::array<std::string_view, 11> kKeepItems{"d",      "default",    "list", "reject", "rejectattr", "reverse",
                                                      "select", "selectattr", "sort", "unique", "trim"};
constexpr std::array<std::string_view, 2> kPairFilters{"dictsort", "items"};

bool is_one_of(std::string_view name, auto& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Path extended(Path path, PathStep step) {
  if (path.empty() || path.size() >= kLongestPath) return {};
  path.push_back(step);
  return path;
}

PathStep key_step(const Constant& key) {
  if (key.value.is(Kind::String)) return {PathStep::Kind::Key, key.value.text(), 0, key.span};
  if (key.value.is(Kind::Int)) return {PathStep::Kind::Index, {}, key.value.as_int(), key.span};
  return {PathStep::Kind::EachItem, {}, 0, key.span};
}

bool is_plain(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

// The operand of `x | dictsort` or the object of `x.items()`; null for other expressions.
const Expr* pairs_of(const Expr& iterable) {
  if (iterable.kind == NodeKind::Filter) {
    const auto& filter = static_cast<const Filter&>(iterable);
    return is_one_of(filter.name.text, kPairFilters) ? filter.operand : nullptr;
  }
  if (iterable.kind != NodeKind::Call) return nullptr;
  const Expr* callee = static_cast<const Call&>(iterable).callee;
  if (callee->kind != NodeKind::GetAttr) return nullptr;
  const auto& method = static_cast<const GetAttr&>(*callee);
  return method.name.text == "items" ? method.object : nullptr;
}

}  // namespace

Path path_of(const Expr& expr, const Symbols& symbols) {
  switch (expr.kind) {
    case NodeKind::Name: {
      const auto& name = static_cast<const Name&>(expr);
      const Binding* binding = symbols.find(name.id.text);
      if (binding == nullptr) return {};
      if (!binding->path.empty()) return {binding->path.begin(), binding->path.end()};
      const bool from_context = binding->kind == Binding::Kind::Resolve && !binding->stored;
      return from_context ? Path{{PathStep::Kind::Key, name.id.text, 0, name.span}} : Path{};
    }
    case NodeKind::GetAttr: {
      const auto& attribute = static_cast<const GetAttr&>(expr);
      return extended(path_of(*attribute.object, symbols),
                      {PathStep::Kind::Key, attribute.name.text, 0, attribute.name.span});
    }
    case NodeKind::GetItem: {
      const auto& item = static_cast<const GetItem&>(expr);
      if (item.key->kind == NodeKind::Slice) return path_of(*item.object, symbols);
      const bool constant = item.key->kind == NodeKind::Constant;
      return extended(path_of(*item.object, symbols), constant
                                                          ? key_step(static_cast<const Constant&>(*item.key))
                                                          : PathStep{PathStep::Kind::EachItem, {}, 0, item.key->span});
    }
    case NodeKind::Filter: {
      const auto& filter = static_cast<const Filter&>(expr);
      const bool keeps = filter.operand != nullptr && is_one_of(filter.name.text, kKeepItems);
      return keeps ? path_of(*filter.operand, symbols) : Path{};
    }
    default: return {};
  }
}

Path item_path(const Expr& iterable, const Symbols& symbols, bool& pairs) {
  const Expr* dict = pairs_of(iterable);
  pairs = dict != nullptr;
  return extended(path_of(pairs ? *dict : iterable, symbols), {PathStep::Kind::EachItem, {}, 0, iterable.span});
}

void ReferenceLog::read(const Path& path, Span span, bool guarded, bool called) {
  if (path.empty()) return;
  reads_.push_back({keep(path), span, guarded || is_guarded(path_text(path)), called});
}

void ReferenceLog::refer(TemplateReference::Kind kind, const Expr& name, bool optional) {
  if (name.kind == NodeKind::Constant && static_cast<const Constant&>(name).value.is(Kind::String)) {
    templates_.push_back({kind, static_cast<const Constant&>(name).value.text(), name.span, optional});
    return;
  }
  const auto alternatives = [&](ListOf<Expr> items) {
    for (const Expr* item : items) {
      if (item->kind == NodeKind::Constant) refer(kind, *item, true);
    }
  };
  if (name.kind == NodeKind::List) alternatives(static_cast<const ListLiteral&>(name).items);
  if (name.kind == NodeKind::Tuple) alternatives(static_cast<const Tuple&>(name).items);
}

void ReferenceLog::define(Definition::Kind kind, const Name& name, const Binding& binding, bool toplevel) {
  definitions_.push_back({{kind, name.id.text, name.span, toplevel, false}, &binding});
}

// `a is defined and b is defined`
void ReferenceLog::add_guards(const Expr& condition, const Symbols& symbols) {
  if (condition.kind == NodeKind::And) {
    add_guards(*static_cast<const Logical&>(condition).left, symbols);
    add_guards(*static_cast<const Logical&>(condition).right, symbols);
    return;
  }
  if (condition.kind != NodeKind::Test) return;
  const auto& test = static_cast<const Test&>(condition);
  if (test.name.text != "defined") return;
  const Path path = path_of(*test.operand, symbols);
  if (!path.empty()) guards_.push_back(path_text(path));
}

bool ReferenceLog::is_guarded(const std::string& path) const {
  return std::any_of(guards_.begin(), guards_.end(), [&](const std::string& guard) {
    return path.starts_with(guard) &&
           (path.size() == guard.size() || path[guard.size()] == '.' || path[guard.size()] == '[');
  });
}

References ReferenceLog::finish() {
  std::vector<Definition> definitions;
  for (Defined& defined : definitions_) {
    defined.definition.read = defined.binding->read;
    definitions.push_back(defined.definition);
  }
  const auto by_place = [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; };
  std::stable_sort(reads_.begin(), reads_.end(), by_place);
  std::stable_sort(templates_.begin(), templates_.end(), by_place);
  std::stable_sort(definitions.begin(), definitions.end(), by_place);
  return {arena_.copy(reads_), arena_.copy(templates_), arena_.copy(definitions)};
}

std::string path_text(std::span<const PathStep> steps) {
  std::string text;
  for (const PathStep& step : steps) {
    switch (step.kind) {
      case PathStep::Kind::Key:
        if (!is_plain(step.key)) {
          text.append("[").append(python::string_repr(step.key)).append("]");
        } else {
          if (!text.empty()) text += '.';
          text += step.key;
        }
        break;
      case PathStep::Kind::Index: text.append("[").append(std::to_string(step.index)).append("]"); break;
      case PathStep::Kind::EachItem: text += "[]"; break;
    }
  }
  return text;
}

}  // namespace capwright::jinja
