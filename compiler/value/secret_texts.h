// Covering secrets in words that may repeat them: messages that quote a value, what another program said of its input.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "value/value.h"

namespace capwright {

class SecretTexts {
 public:
  // Every run of this many bytes that stands in a secret is covered. A shorter secret is covered as a whole, and only
  // where it is no part of a longer word: else it would be told by what it takes away.
  static constexpr std::size_t kShortestRun = 12, kShortestSecret = 4;

  bool empty() const { return runs_.empty() && short_.empty(); }
  void add(std::string_view secret);
  // All tainted scalars in `value`.
  void add_tainted(const Value& value);
  // `text` with `<secret>` for each run of bytes that a secret has.
  std::string cover(std::string_view text) const;

 private:
  std::unordered_set<std::string> runs_;  // kShortestRun bytes each
  std::vector<std::string> short_;
};

}  // namespace capwright
