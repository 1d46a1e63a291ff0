// Takes references from the resolver; the syntax tree shows which of them only test existence.
#include "lint/model/template_reads.h"

#include <algorithm>
#include <array>
#include <set>

#include "lint/model/template_tree.h"
#include "template/builtins/builtin.h"

namespace capwright::lint {
namespace {

using jinja::Expr;
using jinja::NodeKind;

constexpr int kMostLoops = 4;  // nested loops, in templates that include one another

// A name, or a part of one: a reference that the resolver lists as one read.
bool is_plain(const Expr& expr) {
  return expr.kind == NodeKind::Name || expr.kind == NodeKind::GetAttr || expr.kind == NodeKind::GetItem;
}

// The value that a loop iterates over, through filters that keep the items unchanged; null if it isn't a plain value.
const Expr* items_of(const Expr& iterable) {
  if (is_plain(iterable)) return &iterable;
  if (iterable.kind != NodeKind::Filter) return nullptr;
  const auto& filter = static_cast<const jinja::Filter&>(iterable);
  const std::string_view name = filter.name.text;
  const bool keeps = name == "default" || name == "d" || name == "list" || name == "reverse";
  return keeps && filter.operand != nullptr ? items_of(*filter.operand) : nullptr;
}

// References that test existence, or iterate over items under a name that the resolver follows.
class IndirectReads {
 public:
  explicit IndirectReads(const jinja::Template& parsed) : parsed_(parsed) {
    for_each_statement(parsed.body, [&](const jinja::Stmt& node) { statement(node); });
  }

  bool contains(Span span) const { return spans_.contains(span); }
  // Loops over a plain value: the place of the value, and the name of an item.
  const std::map<Span, std::string_view>& loops() const { return loops_; }

 private:
  void statement(const jinja::Stmt& node) {
    if (node.kind == NodeKind::For) loop(static_cast<const jinja::For&>(node));
    if (node.kind == NodeKind::If) {
      for (const jinja::IfBranch& branch : static_cast<const jinja::If&>(node).branches) condition(*branch.test);
    }
    for_each_expression(node, [&](const Expr& expr) { for_each_part(expr, [&](const Expr& part) { look(part); }); });
  }

  void look(const Expr& expr) {
    if (expr.kind == NodeKind::Conditional) condition(*static_cast<const jinja::Conditional&>(expr).test);
    if (expr.kind != NodeKind::Test) return;
    const auto& test = static_cast<const jinja::Test&>(expr);
    if (test.arguments.empty() && is_plain(*test.operand)) spans_.insert(test.operand->span);
  }

  void condition(const Expr& expr) {
    if (is_plain(expr)) spans_.insert(expr.span);
    const bool is_logical = expr.kind == NodeKind::And || expr.kind == NodeKind::Or || expr.kind == NodeKind::Not;
    if (is_logical) jinja::for_each_operand(expr, [&](const Expr& operand) { condition(operand); });
  }

  // Names that are also assigned elsewhere in the loop aren't followed.
  void loop(const jinja::For& node) {
    const Expr* items = items_of(*node.iterable);
    if (items == nullptr || node.recursive || node.target->kind != NodeKind::Name) return;
    const std::string_view name = static_cast<const jinja::Name&>(*node.target).id.text;
    const Span own = node.target->span;
    const auto definitions = parsed_.references.definitions;
    const bool is_followed = std::none_of(definitions.begin(), definitions.end(), [&](const jinja::Definition& other) {
      return other.name == name && other.span != own && other.span.begin > node.span.begin &&
             other.span.end <= node.span.end;
    });
    if (!is_followed) return;
    spans_.insert(items->span);
    loops_.emplace(items->span, name);
  }

  const jinja::Template& parsed_;
  std::set<Span> spans_;
  std::map<Span, std::string_view> loops_;
};

// The parts of a name that a template computes; an empty part may be any text.
void parts_of(const Expr& name, const Value& values, std::vector<std::string_view>& parts) {
  if (name.kind == NodeKind::Constant && static_cast<const jinja::Constant&>(name).value.is(Kind::String)) {
    parts.push_back(static_cast<const jinja::Constant&>(name).value.text());
  } else if (name.kind == NodeKind::Concat) {
    for (const Expr* item : static_cast<const jinja::Concat&>(name).items) parts_of(*item, values, parts);
  } else if (name.kind == NodeKind::Binary && static_cast<const jinja::Binary&>(name).op == jinja::BinaryOp::Add) {
    parts_of(*static_cast<const jinja::Binary&>(name).left, values, parts);
    parts_of(*static_cast<const jinja::Binary&>(name).right, values, parts);
  } else {
    const auto* plain = name.kind == NodeKind::Name ? &static_cast<const jinja::Name&>(name) : nullptr;
    const bool from_context = plain != nullptr && plain->slot.access == jinja::NameAccess::Context;
    const Value* value = from_context && values.is(Kind::Map) ? values.find(plain->id.text) : nullptr;
    parts.push_back(value != nullptr && value->is(Kind::String) ? value->text() : std::string_view());
  }
}

bool fits(std::string_view name, const std::vector<std::string_view>& parts) {
  if (!name.starts_with(parts.front()) || !name.ends_with(parts.back())) return false;
  if (parts.size() == 1) return parts.front().empty() || name == parts.front();
  std::size_t at = 0;
  for (const std::string_view part : parts) {
    const std::size_t found = name.find(part, at);
    if (found == std::string_view::npos) return false;
    at = found + part.size();
  }
  return true;
}

const Expr* named_template(const jinja::Stmt& node) {
  switch (node.kind) {
    case NodeKind::Include: return static_cast<const jinja::Include&>(node).name;
    case NodeKind::Import: return static_cast<const jinja::Import&>(node).name;
    case NodeKind::FromImport: return static_cast<const jinja::FromImport&>(node).name;
    case NodeKind::Extends: return static_cast<const jinja::Extends&>(node).name;
    default: return nullptr;
  }
}

// Visits all alternatives.
template <class Visit>
void for_each_alternative(const Expr& name, Visit&& visit) {
  if (name.kind == NodeKind::List || name.kind == NodeKind::Tuple) {
    jinja::for_each_operand(name, [&](const Expr& item) { for_each_alternative(item, visit); });
  } else if (name.kind == NodeKind::Conditional) {
    const auto& choice = static_cast<const jinja::Conditional&>(name);
    for_each_alternative(*choice.then, visit);
    if (choice.otherwise != nullptr) for_each_alternative(*choice.otherwise, visit);
  } else {
    visit(name);
  }
}

}  // namespace

bool Reading::is_whole() const {
  return std::any_of(keys_.begin(), keys_.end(), [](const ReadKey* key) { return key->whole; });
}

Reading Reading::operator[](std::string_view key) const {
  Reading reading;
  for (const ReadKey* above : keys_) {
    if (const auto found = above->below.find(key); found != above->below.end())
      reading.keys_.push_back(found->second.get());
    if (const auto any = above->below.find(kItem); key != kItem && any != above->below.end())
      reading.keys_.push_back(any->second.get());
  }
  return reading;
}

std::vector<std::string_view> Reading::keys() const {
  std::set<std::string_view> keys;
  for (const ReadKey* above : keys_) {
    for (const auto& [key, below] : above->below) keys.insert(key);
  }
  keys.erase(kItem);
  return {keys.begin(), keys.end()};
}

TemplateReads::TemplateReads(const Templates& templates) {
  for (const jinja::Template* parsed : templates) collect(*parsed);
  for (const auto& [path, whole] : reads_) add(path, whole, 0);
}

// A value may have the name of a function, such as `namespace`; the resolver doesn't list those.
void TemplateReads::collect_names(const Expr& expr) {
  for_each_part(expr, [&](const Expr& part) {
    if (part.kind != NodeKind::Name) return;
    const std::string_view name = static_cast<const jinja::Name&>(part).id.text;
    if (jinja::find_builtin(jinja::BuiltinKind::Function, name, true) != nullptr) reads_.emplace_back(Path{name}, true);
  });
}

void TemplateReads::collect(const jinja::Template& parsed) {
  for_each_statement(parsed.body, [&](const jinja::Stmt& node) {
    for_each_expression(node, [&](const Expr& expr) { collect_names(expr); });
  });
  const IndirectReads indirect(parsed);
  for (const jinja::ReadPath& read : parsed.references.reads) {
    Path path;
    for (const jinja::PathStep& step : read.steps)
      path.push_back(step.kind == jinja::PathStep::Kind::Key ? step.key : Reading::kItem);
    reads_.emplace_back(path, !indirect.contains(read.span));
    const auto loop = indirect.loops().find(read.span);
    if (loop == indirect.loops().end()) continue;
    path.push_back(Reading::kItem);
    loops_.emplace(loop->second, path);
    reads_.emplace_back(std::move(path), false);
  }
}

// The name of a loop refers to its items in templates that the loop includes.
void TemplateReads::add(const Path& path, bool whole, int depth) {
  ReadKey* key = &root_;
  for (const std::string_view step : path) {
    std::unique_ptr<ReadKey>& below = key->below[step];
    if (below == nullptr) below = std::make_unique<ReadKey>();
    key = below.get();
  }
  key->whole = key->whole || whole;
  if (depth == kMostLoops) return;
  const auto [first, last] = loops_.equal_range(path.front());
  for (auto loop = first; loop != last; ++loop) {
    if (loop->second.front() == path.front()) continue;
    Path longer = loop->second;
    longer.insert(longer.end(), path.begin() + 1, path.end());
    add(longer, whole, depth + 1);
  }
}

Reading TemplateReads::values() const {
  Reading all;
  all.keys_.push_back(&root_);
  return all;
}

std::shared_ptr<const TemplateReads> KnownReads::of(const Templates& templates) {
  const std::lock_guard lock(lock_);
  std::shared_ptr<const TemplateReads>& known = known_[templates];
  if (known == nullptr) known = std::make_shared<const TemplateReads>(templates);
  return known;
}

std::shared_ptr<const TemplateReads> reads_of(const Templates& templates, const Context& context) {
  return context.reads == nullptr ? std::make_shared<const TemplateReads>(templates) : context.reads->of(templates);
}

Templates all_templates(const TemplateSet& set) {
  Templates all;
  for (const auto& [name, parsed] : set.templates) {
    if (parsed != nullptr) all.push_back(parsed.get());
  }
  return all;
}

Templates templates_of(const TemplateSet& set, const Value& values, std::span<const OwnResource> resources) {
  Templates reached;
  std::set<const jinja::Template*> known;
  const auto reach = [&](const jinja::Template* parsed) {
    if (parsed != nullptr && known.insert(parsed).second) reached.push_back(parsed);
  };
  reach(set.find(set.main));
  for (const OwnResource& resource : resources) reach(resource.parsed.get());
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for_each_statement(reached[i]->body, [&](const jinja::Stmt& node) {
      const Expr* named = named_template(node);
      if (named == nullptr) return;
      for_each_alternative(*named, [&](const Expr& name) {
        std::vector<std::string_view> parts;
        parts_of(name, values, parts);
        for (const auto& [candidate, parsed] : set.templates) {
          if (fits(candidate, parts)) reach(parsed.get());
        }
      });
    });
  }
  return reached;
}

std::vector<std::pair<const TemplateSet*, const Cluster*>> template_sets(const Fleet& fleet) {
  std::vector<std::pair<const TemplateSet*, const Cluster*>> sets;
  std::set<const TemplateSet*> known;
  for (const Cluster* cluster : fleet.clusters) {
    const TemplateSet* set = cluster->templates();
    if (set != nullptr && known.insert(set).second) sets.emplace_back(set, cluster);
  }
  return sets;
}

namespace {

bool is_at_or_below(std::string_view path, std::string_view other) {
  return path.starts_with(other) &&
         (path.size() == other.size() || path[other.size()] == '.' || path[other.size()] == '[');
}

// A map or list counts, too, if a variable reads a part of it.
bool is_read_by_variable(const EnvsubstTemplate& envsubst, std::string_view path) {
  return std::any_of(envsubst.variables.begin(), envsubst.variables.end(), [&](const auto& variable) {
    return is_at_or_below(path, variable.path) || is_at_or_below(variable.path, path);
  });
}

}  // namespace

bool is_read_by_compiler(const TemplateSet& set, std::string_view path) {
  constexpr std::array<std::string_view, 12> kRead = {
      "schema_version", "provider",     "kubernetes_type", "addons",  "addon_values", "secrets.form",
      "secrets.sealed", "secrets.sops", "inventory",       "patches", "resources",    "existing_names"};
  const auto is_below = [&](std::string_view read) { return is_at_or_below(path, read); };
  if (set.envsubst && is_read_by_variable(*set.envsubst, path)) return true;
  // capwright's own keys, also for plain folders: S059 and S070 read them.
  if (is_below("cluster_name") || path == "schema_version" || path == "provider") return true;
  return !set.plain && std::any_of(kRead.begin(), kRead.end(), is_below);
}

}  // namespace capwright::lint
