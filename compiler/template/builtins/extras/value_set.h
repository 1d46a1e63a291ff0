// A set of items by Python's equality: 1, 1.0 and true are equal. Items that Python can't hash (lists, dicts) are
// compared one by one. The caller keeps the order; nothing iterates over the set.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "template/runtime/runtime.h"

namespace capwright::jinja::extras {

class ValueSet {
 public:
  explicit ValueSet(Runtime& runtime) : runtime_(runtime) {}

  // False if an equal item is already in the set. Every comparison counts as a step.
  bool add(const Value&);
  bool contains(const Value&);
  std::size_t size() const { return size_; }

 private:
  static std::uint64_t hash(const Value&);

  Runtime& runtime_;
  std::unordered_map<std::uint64_t, std::vector<Value>> buckets_;
  std::size_t size_ = 0;
};

}  // namespace capwright::jinja::extras
