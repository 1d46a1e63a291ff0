// Computes what can be reached from each node of a finished program, so that walkers skip irrelevant subtrees.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/program.h"
#include "value/stage.h"

namespace capwright::schema {

// Reports cycles of references that apply to the same value; such a node accepts everything.
void cut_endless_references(Schema&, Stage&);

// Fills in Node::fills_defaults and marks_secrets.
void find_what_lies_below(Schema&);

// Adds to `list`, without repeats, the nodes that apply to every value of `node`: the node, its references, its allOf,
// each with theirs; in order of precedence.
void add_certain(std::vector<const Node*>& list, const Node& node);

// Calls `visit` for each subschema that `node` applies to the same value.
void for_each_in_place(const Node& node, const std::function<void(const Node&)>& visit);
// Calls `visit` for each subschema that `node` applies to members, items or names of the value.
void for_each_below(const Node& node, const std::function<void(const Node&)>& visit);

// Where keys are declared, for many keys: path_of_key() of a schema for each, without a walk of the schema for each.
class KeyPaths {
 public:
  explicit KeyPaths(const Node& root);
  std::string find(std::string_view key) const;
  // The declared paths that users mean by `path`, such as "worker_pools[].replicas" (x-also-called).
  std::vector<std::string> meant_by(std::string_view path) const;
  // Whether the path is declared, such as "network.node_cidr".
  bool has(std::string_view path) const { return is_secret_.contains(std::string(path)); }
  bool is_secret(std::string_view path) const { return is_secret_.at(std::string(path)); }

 private:
  struct Declared {
    std::string path;
    std::ptrdiff_t depth = 0;
    std::size_t number = 0;  // in the order of the schema
  };
  using Index = std::unordered_map<std::string, Declared>;
  static void add(Index& index, std::string key, const Declared& declared);
  std::string find_exactly(std::string_view key) const;

  std::unordered_map<std::string, bool> is_secret_;  // by path
  Index by_name_, by_short_form_;                    // the uppermost and first of each key
  std::unordered_map<std::string, std::vector<std::string>> by_other_name_;
};
// The declared path of a value's: `worker_pools[0].name` as `worker_pools[].name`.
std::string without_numbers(std::string_view path);
// Whether two keys differ only in case, `_` and `-`.
bool is_same_key(std::string_view a, std::string_view b);

}  // namespace capwright::schema
