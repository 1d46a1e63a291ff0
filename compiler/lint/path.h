// Paths of fields as rules write them: `spec.template.spec.replicas`, `spec.ports[0].name`. Taken apart when the rule
// is compiled, with the hashes of the keys, so that a look-up at run time compares numbers.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace capwright::lint {

class Path {
 public:
  static constexpr std::size_t kMostSteps = 10;
  struct Step {
    std::string_view key;     // empty: an item
    std::uint32_t hash = 0;   // of the key
    std::uint32_t index = 0;  // of the item
    std::uint32_t begin = 0;  // where it starts in the path
  };

  // From a literal alone: views into it live as long as the program. Keys with dots, such as those of labels, are no
  // steps of a Path: Node::member() takes them.
  template <std::size_t Size>
  consteval Path(const char (&text)[Size]) : text_(text, Size - 1) {  // NOLINT(google-explicit-constructor)
    for (std::size_t at = 0; at < text_.size();) at = text_[at] == '[' ? add_index(at) : add_key(at);
  }

  constexpr std::string_view text() const { return text_; }
  constexpr std::size_t size() const { return size_; }
  constexpr const Step& operator[](std::size_t i) const { return steps_[i]; }

 private:
  consteval std::size_t add_key(std::size_t at) {
    const std::size_t begin = text_[at] == '.' ? at + 1 : at;
    const std::size_t end = std::min(text_.find_first_of(".[", begin), text_.size());
    if (begin == end) throw "a path has an empty key";  // only ever seen by the compiler
    const std::string_view key = text_.substr(begin, end - begin);
    add({key, hash_text(key), 0, static_cast<std::uint32_t>(begin)});
    return end;
  }
  consteval std::size_t add_index(std::size_t at) {
    std::uint32_t index = 0;
    std::size_t end = at + 1;
    for (; text_[end] != ']'; ++end) index = index * 10 + static_cast<std::uint32_t>(text_[end] - '0');
    add({{}, 0, index, static_cast<std::uint32_t>(at)});
    return end + 1;
  }
  consteval void add(const Step& step) {
    if (size_ == kMostSteps) throw "a path has too many steps";
    steps_[size_++] = step;
  }

  std::string_view text_;
  std::array<Step, kMostSteps> steps_{};
  std::size_t size_ = 0;
};

}  // namespace capwright::lint
