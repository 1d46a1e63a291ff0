// Covering secrets in words that may repeat them: messages that quote a value, what another program said of its input.
#pragma once
#include <bitset>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace capwright {

class SecretTexts {
 public:
  // Every run of this many bytes that stands in a secret is covered. A shorter secret is covered as a whole, and only
  // where it is no part of a longer word: else it would be told by what it takes away.
  static constexpr std::size_t kShortestRun = 12, kShortestSecret = 4;

  bool empty() const { return run_count_ == 0 && short_.empty(); }
  void add(std::string_view secret);
  // That secrets of so many bytes are about to be added.
  void expect(std::size_t bytes);
  // All tainted scalars in `value`.
  void add_tainted(const Value& value);
  // `text` with `<secret>` for each run of bytes that a secret has.
  std::string cover(std::string_view text) const;

  struct Run {
    std::size_t begin = 0, end = 0;
  };
  // The runs that cover() takes out, in order.
  std::vector<Run> find(std::string_view text) const;

 private:
  void grow(std::size_t places);
  void add_run(std::uint64_t digest);
  bool is_run(const char* run) const;

  // Digests of runs, each at the first free place from where its bits say; 0 is a free place. Two runs of one digest,
  // which hardly happens, would only cover more.
  std::vector<std::uint64_t> runs_;
  std::size_t run_count_ = 0;
  // All grams that stand in runs, or in short secrets: most places of a text have none of these.
  static constexpr unsigned kGramBits = 14;
  struct Grams {
    std::bitset<1 << kGramBits> known;
    std::size_t shortest = kShortestRun;  // bytes of what they stand in

    void add(std::string_view text);
    // Calls `visit` with each place of `text` where one of these texts may begin.
    template <class Visit>
    void each_start(std::string_view text, Visit visit) const;
  };
  Grams in_runs_, in_short_;
  std::set<std::string, std::less<>> short_;
};

}  // namespace capwright
