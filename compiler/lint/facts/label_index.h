// Labelled things by their labels: a selector is compared only with those that may match, so that many selectors over
// many things don't take the product of both.
#pragma once
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "lint/facts/machines.h"

namespace capwright::lint {

class LabelIndex {
 public:
  // Things are numbered from 0, in the order of these calls. `scope`: such as a namespace; it outlives the index.
  void add(std::string_view scope, Labels labels);
  // The numbers of things in a scope that a selector of labels selects, ascending.
  std::vector<std::size_t> selected(std::string_view scope, const Node& selector) const;

 private:
  using Numbers = std::vector<std::size_t>;
  using Label = std::tuple<std::string_view, std::string_view, std::string_view>;  // scope, key, value
  // The shortest list that has all things that `selector` may select; null: there are none.
  const Numbers* candidates(std::string_view scope, const Node& selector) const;

  std::vector<Labels> labels_;
  std::map<std::string_view, Numbers> by_scope_;
  std::map<Label, Numbers> by_label_;
};

}  // namespace capwright::lint
