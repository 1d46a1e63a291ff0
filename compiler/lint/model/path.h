// Field paths in rules: `spec.template.spec.replicas`, `spec.ports[0].name`. They are parsed when the rule is compiled,
// or its catalogue is loaded, with the hashes of the keys, so that lookups compare numbers.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/hash.h"

namespace capwright::lint {

class Path {
 public:
  static constexpr std::size_t kMostSteps = 10;
  struct Step {
    std::string_view key;     // empty: an item
    std::uint32_t hash = 0;   // of the key; 0 for an item
    std::uint32_t index = 0;  // of the item; 0 for a key
    std::uint32_t begin = 0;  // its offset in the path
  };

  // From a literal: its views live as long as the program. Steps can't contain keys with dots, such as those of labels:
  // use Node::member().
  template <std::size_t Size>
  consteval Path(const char (&text)[Size])  // NOLINT(google-explicit-constructor)
      : Path(std::string_view(text, Size - 1)) {}
  // From a text of a catalogue: it lives as long as the text.
  static Path of_catalogue(std::string_view text) { return Path(text); }

  constexpr std::string_view text() const { return text_; }
  constexpr std::size_t size() const { return size_; }
  constexpr Step operator[](std::size_t i) const {
    const auto& [number, begin, key_size] = steps_[i];
    return {{text_.data() + begin, key_size}, number, number, begin};
  }

 private:
  // Rules build a path on the stack wherever they use one, so steps are packed.
  struct PackedStep {
    std::uint32_t number = 0;  // the hash of the key, or the index of the item
    std::uint16_t begin = 0;
    std::uint16_t key_size = 0;  // 0: an item
  };

  // For literals, the checks run at compile time.
  explicit constexpr Path(std::string_view text) : text_(text) {
    for (std::size_t at = 0; at < text_.size();) at = text_[at] == '[' ? add_index(at) : add_key(at);
  }
  constexpr std::size_t add_key(std::size_t at) {
    const std::size_t begin = text_[at] == '.' ? at + 1 : at;
    const std::size_t end = std::min(text_.find_first_of(".[", begin), text_.size());
    CW_CHECK(begin != end, "a path has no empty key");
    const std::string_view key = text_.substr(begin, end - begin);
    add(hash_text(key), begin, key.size());
    return end;
  }
  constexpr std::size_t add_index(std::size_t at) {
    std::uint32_t index = 0;
    std::size_t end = at + 1;
    CW_CHECK(text_.find(']', end) != std::string_view::npos, "a path closes its brackets");
    for (; text_[end] != ']'; ++end) index = index * 10 + static_cast<std::uint32_t>(text_[end] - '0');
    add(index, at, 0);
    return end + 1;
  }
  constexpr void add(std::uint32_t number, std::size_t begin, std::size_t key_size) {
    CW_CHECK(size_ < kMostSteps, "a path has few steps");
    steps_[size_++] = {number, static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(key_size)};
  }

  std::string_view text_;
  std::array<PackedStep, kMostSteps> steps_{};
  std::uint32_t size_ = 0;
};

}  // namespace capwright::lint
