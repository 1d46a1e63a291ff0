// Redacts secrets in text that may repeat them: messages that quote a value, another program's output about its input.
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
  // Redacts every run of this many bytes of a secret. A shorter secret is redacted only as a whole, and only if it
  // isn't part of a longer word: otherwise the gaps would reveal it.
  static constexpr std::size_t kShortestRun = 12, kShortestSecret = 4;

  bool empty() const { return run_count_ == 0 && short_.empty(); }
  void add(std::string_view secret);
  // Reserves room for secrets of `bytes` in all.
  void expect(std::size_t bytes);
  // Adds all tainted scalars in `value`.
  void add_tainted(const Value& value);
  // Adds all secrets of `other`.
  void add(const SecretTexts& other);
  // Returns `text` with `<secret>` for each run of bytes that occurs in a secret.
  std::string redact(std::string_view text) const;

  struct Run {
    std::size_t begin = 0, end = 0;
  };
  // The runs that redact() replaces, in order.
  std::vector<Run> find(std::string_view text) const;

 private:
  void grow(std::size_t places);
  void add_run(std::uint64_t digest);
  bool is_run(const char* run) const;

  // Digests of runs in an open-addressing table; 0 is a free slot. A collision, which is very rare, would only redact
  // more.
  std::vector<std::uint64_t> runs_;
  std::size_t run_count_ = 0;
  // All grams of runs and short secrets: most offsets of a text have none of these.
  static constexpr unsigned kGramBits = 14;
  struct Grams {
    std::bitset<1 << kGramBits> known;
    std::size_t shortest = kShortestRun;  // length in bytes of the shortest text with this gram

    void add(std::string_view text);
    void add(const Grams& other);
    // Calls `visit` with each offset of `text` where one of these texts may begin.
    template <class Visit>
    void each_start(std::string_view text, Visit visit) const;
  };
  Grams in_runs_, in_short_;
  std::set<std::string, std::less<>> short_;
};

}  // namespace capwright

namespace capwright::secrets {

// Adds the forms of a secret in another program's output: unchanged, in hexadecimal, in Base64 (alone or inside more
// text), with escapes of JSON and of URLs. For a secret under ten bytes, Base64 inside more text is omitted: it would
// be too short to distinguish from words.
void add_encoded(std::string_view secret, SecretTexts& texts);
// For all tainted scalars in `value`.
void add_encoded(const Value& value, SecretTexts& texts);

// The texts of a secret file that messages must not repeat are its values, but not keys and kinds, which other files
// share.
constexpr std::size_t kShortestWord = 6;  // shorter ones occur in other messages, too

// Adds every line.
void add_lines(std::string_view text, SecretTexts& texts);
// For a text that consists of settings (YAML, JSON, `key = value`), adds their values, except common words. Other lines
// are added as in add_lines().
void add_settings(std::string_view text, SecretTexts& texts);

}  // namespace capwright::secrets
