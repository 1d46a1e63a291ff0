// Indexes every short run of a secret's bytes, so that a part of a secret is found as well as the whole.
#include "secrets/texts.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/grams.h"

namespace capwright {
namespace {

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

bool is_inside_word(std::string_view text, std::size_t at) {
  return at > 0 && at < text.size() && is_word(text[at - 1]) && is_word(text[at]);
}

// The digest of kShortestRun bytes; never 0. The factors are odd and dense, so that every byte changes the low bits.
std::uint64_t digest_of(const char* run) {
  std::uint64_t first = 0;
  std::uint32_t rest = 0;
  static_assert(sizeof first + sizeof rest == SecretTexts::kShortestRun);
  std::memcpy(&first, run, sizeof first);
  std::memcpy(&rest, run + sizeof first, sizeof rest);
  std::uint64_t digest = first * 0x9e3779b97f4a7c15ULL ^ rest * 0xc2b2ae3d27d4eb4fULL;
  digest = (digest ^ digest >> 32) * 0xd6e8feb86659fd93ULL;
  return (digest ^ digest >> 32) | 1;
}

}  // namespace

void SecretTexts::Grams::add(std::string_view text) {
  shortest = std::min(shortest, text.size());
  for (std::size_t i = 0; i + kGram <= text.size(); ++i) known.set(gram_at(text.data() + i, kGramBits));
}

void SecretTexts::Grams::add(const Grams& other) {
  shortest = std::min(shortest, other.shortest);
  known |= other.known;
}

// A text of `shortest` bytes or more has a whole gram at one of every `step` offsets, so only those are checked.
template <class Visit>
void SecretTexts::Grams::each_start(std::string_view text, Visit visit) const {
  const std::size_t step = shortest - kGram + 1;
  for (std::size_t at = step - 1; at + kGram <= text.size(); at += step) {
    if (!known[gram_at(text.data() + at, kGramBits)]) continue;
    for (std::size_t begin = at + 1 - step; begin <= at; ++begin) visit(begin);
  }
}

void SecretTexts::add(std::string_view secret) {
  if (secret.size() < kShortestSecret) return;
  if (secret.size() < kShortestRun) {
    in_short_.add(secret);
    short_.emplace(secret);
    return;
  }
  in_runs_.add(secret);
  for (std::size_t i = 0; i + kShortestRun <= secret.size(); ++i) add_run(digest_of(secret.data() + i));
}

void SecretTexts::expect(std::size_t bytes) {
  constexpr std::size_t kMost = 1 << 16;  // long ones may repeat themselves
  if (bytes == 0) return;
  const std::size_t places = std::bit_ceil((run_count_ + std::min(bytes, kMost)) * 2);
  if (places > runs_.size()) grow(places);
}

void SecretTexts::grow(std::size_t places) {
  const std::vector<std::uint64_t> fewer = std::exchange(runs_, std::vector<std::uint64_t>(places));
  run_count_ = 0;
  for (const std::uint64_t known : fewer) {
    if (known != 0) add_run(known);
  }
}

void SecretTexts::add_run(std::uint64_t digest) {
  if (run_count_ * 2 >= runs_.size()) grow(std::max<std::size_t>(runs_.size() * 2, 256));
  std::size_t at = digest >> 1 & (runs_.size() - 1);
  while (runs_[at] != 0 && runs_[at] != digest) at = (at + 1) & (runs_.size() - 1);
  if (runs_[at] == 0) ++run_count_;
  runs_[at] = digest;
}

bool SecretTexts::is_run(const char* run) const {
  const std::uint64_t digest = digest_of(run);
  std::size_t at = digest >> 1 & (runs_.size() - 1);
  while (runs_[at] != 0 && runs_[at] != digest) at = (at + 1) & (runs_.size() - 1);
  return runs_[at] == digest;
}

void SecretTexts::add_tainted(const Value& value) {
  if (value.is(Kind::List)) {
    for (const Value& item : value.items()) add_tainted(item);
  } else if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) add_tainted(entry.value);
  } else if (value.tainted() && value.is(Kind::String)) {
    add(value.text());
  } else if (value.tainted() && value.is(Kind::Int)) {
    add(std::to_string(value.as_int()));
  }
}

void SecretTexts::add(const SecretTexts& other) {
  for (const std::uint64_t known : other.runs_) {
    if (known != 0) add_run(known);
  }
  short_.insert(other.short_.begin(), other.short_.end());
  in_runs_.add(other.in_runs_);
  in_short_.add(other.in_short_);
}

std::vector<SecretTexts::Run> SecretTexts::find(std::string_view text) const {
  std::vector<bool> secret;
  const auto mark = [&](std::size_t begin, std::size_t size) {
    secret.resize(text.size(), false);
    std::fill_n(secret.begin() + static_cast<std::ptrdiff_t>(begin), size, true);
  };
  in_runs_.each_start(text, [&](std::size_t begin) {
    if (begin + kShortestRun <= text.size() && is_run(text.data() + begin)) mark(begin, kShortestRun);
  });
  in_short_.each_start(text, [&](std::size_t begin) {
    if (is_inside_word(text, begin)) return;
    for (std::size_t size = kShortestSecret; size < kShortestRun && begin + size <= text.size(); ++size) {
      if (!is_inside_word(text, begin + size) && short_.contains(text.substr(begin, size))) mark(begin, size);
    }
  });
  std::vector<Run> runs;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    if (!secret[i]) continue;
    if (runs.empty() || runs.back().end != i) runs.push_back({i, i});
    runs.back().end = i + 1;
  }
  return runs;
}

std::string SecretTexts::redact(std::string_view text) const {
  std::string result;
  std::size_t from = 0;
  for (const Run& run : find(text)) {
    result.append(text.substr(from, run.begin - from)).append("<secret>");
    from = run.end;
  }
  return result.append(text.substr(from));
}

}  // namespace capwright
