// Paths of values: `network.pod_cidrs[]`, worked out from expressions; and the record of what a template refers to.
#pragma once
#include <string>
#include <vector>

#include "template/resolve/references.h"
#include "template/resolve/symbols.h"

namespace capwright::jinja {

using Path = std::vector<PathStep>;

// The path of the value of `expr`, if it is one of the context's or a part of it; otherwise empty. Filters that hand
// on what they get (sort, default …) are seen through.
Path path_of(const Expr& expr, const Symbols& symbols);
// The path of what a loop over `iterable` gives to its target: an item, or for pairs of a dict (`items()`, `dictsort`)
// the second of two targets.
Path item_path(const Expr& iterable, const Symbols& symbols, bool& pairs);

// Collects references while a template is resolved.
class ReferenceLog {
 public:
  explicit ReferenceLog(Arena& arena) : arena_(arena) {}

  void read(const Path& path, Span span, bool guarded, bool called);
  void refer(TemplateReference::Kind kind, const Expr& name, bool optional);
  void define(Definition::Kind kind, const Name& name, const Binding& binding, bool toplevel);

  // Paths that are known to exist while they are listed: the conditions of the branches around.
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
