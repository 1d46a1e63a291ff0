// The evaluated arguments of one call, on the stack unless there are many.
#pragma once
#include <cstddef>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

// A growing list of trivial items; the first `kInline` need no allocation.
template <class T, std::size_t kInline>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  SmallVector() = default;
  SmallVector(const SmallVector&) = delete;
  SmallVector& operator=(const SmallVector&) = delete;

  void push_back(const T& item) {
    if (size_ < kInline) {
      ::new (few_ + size_++ * sizeof(T)) T(item);
      return;
    }
    if (size_ == kInline) many_.assign(few(), few() + kInline);
    many_.push_back(item);
    ++size_;
  }
  std::span<const T> items() const { return {size_ <= kInline ? few() : many_.data(), size_}; }
  std::size_t size() const { return size_; }

 private:
  const T* few() const { return std::launder(reinterpret_cast<const T*>(few_)); }

  alignas(T) std::byte few_[kInline * sizeof(T)];
  std::size_t size_ = 0;
  std::vector<T> many_;
};

class ArgumentValues {
 public:
  SmallVector<Value, 6> positional;
  SmallVector<KeywordArgument, 4> keywords;

  bool counted = false;  // a secret determines their number or names
  CallArguments view() const { return {positional.items(), keywords.items()}; }
};

// The keywords of a call that no parameter has used yet. Tracks at most 64; later ones are never used.
struct KeywordsLeft {
  std::span<const KeywordArgument> all;
  std::uint64_t taken_bits = 0;

  bool taken(std::size_t index) const { return index < 64 && (taken_bits >> index & 1u) != 0; }
  const Value* take(const Identifier& name) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (taken(i) || all[i].name.text != name.text) continue;
      if (i < 64) taken_bits |= std::uint64_t{1} << i;
      return &all[i].value;
    }
    return nullptr;
  }
  const KeywordArgument* first() const {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!taken(i)) return &all[i];
    }
    return nullptr;
  }
  bool has(std::string_view name) const {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!taken(i) && all[i].name.text == name) return true;
    }
    return false;
  }
};

}  // namespace capwright::jinja
