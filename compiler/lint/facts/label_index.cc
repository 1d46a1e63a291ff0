// `matchLabels` choose the candidates, because they name single values; `matchExpressions` only filter them.
#include "lint/facts/label_index.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace capwright::lint {

void LabelIndex::add(std::string_view scope, Labels labels) {
  const std::size_t number = labels_.size();
  by_scope_[scope].push_back(number);
  for (const auto& [key, value] : labels) by_label_[{scope, key, value}].push_back(number);
  labels_.push_back(std::move(labels));
}

const LabelIndex::Numbers* LabelIndex::candidates(std::string_view scope, const Node& selector) const {
  const auto all = by_scope_.find(scope);
  const Numbers* fewest = all == by_scope_.end() ? nullptr : &all->second;
  for (const auto& [key, value] : selector["matchLabels"].members()) {
    const auto found = by_label_.find({scope, key, value.text()});
    if (found == by_label_.end()) return nullptr;
    if (found->second.size() < fewest->size()) fewest = &found->second;
  }
  return fewest;
}

std::vector<std::size_t> LabelIndex::selected(std::string_view scope, const Node& selector) const {
  Numbers numbers;
  const Numbers* few = candidates(scope, selector);
  if (few == nullptr) return numbers;
  std::copy_if(few->begin(), few->end(), std::back_inserter(numbers),
               [&](std::size_t number) { return selects(selector, labels_[number]); });
  return numbers;
}

}  // namespace capwright::lint
