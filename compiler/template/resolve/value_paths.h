// Paths of values, such as `network.pod_cidrs[]`, derived from expressions; and the log of a template's references.
#pragma once
#include <string>
#include <vector>

#include "template/resolve/symbols.h"
#include "template/resolve/template_references.h"

namespace capwright::jinja {

using Path = std::vector<PathStep>;

// The path of the value of `expr`, if it is part of the context; otherwise empty. Looks through filters that return
// their input or its items (sort, default …).
Path path_of(const Expr& expr, const Symbols& symbols);
// The path of the value that a loop over `iterable` assigns to its target: an item, or for pairs of a dict (`items()`,
// `dictsort`) the second of two targets.
Path item_path(const Expr& iterable, const Symbols& symbols, bool& pairs);

// Collects references while a template is resolved.
class ReferenceLog {
 public:
  explicit ReferenceLog(Arena& arena) : arena_(arena) {}

  void read(const Path& path, Span span, bool guarded, bool called);
  void refer(TemplateReference::Kind kind, const Expr& name, bool optional);
  void define(Definition::Kind kind, const Name& name, const Binding& binding, bool toplevel);

  // Paths that exist at this point, because of the conditions of the enclosing branches.
  std::size_t guards() const { return guards_.size(); }
  void add_guards(const Expr& condition, const Symbols& symbols);
  void drop_guards(std::size_t keep) { guards_.resize(keep); }

  std::span<const PathStep> keep(const Path& path) { return arena_.copy(path); }
  References finish();

 private:
  bool is_guarded(const std::string& path) const;

  Arena& arena_;
  std::vector<ReadPath> reads_;
  std::vector<TemplateReference> templates_;
  struct Defined {
    Definition definition;
    const Binding* binding;
  };
  std::vector<Defined> definitions_;
  std::vector<std::string> guards_;
};

}  // namespace capwright::jinja
