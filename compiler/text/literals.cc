// Samples the text every few bytes: each sampled pair of bytes that a mark contains leads to a full comparison.
#include "text/literals.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace capwright {
namespace {

constexpr std::size_t kStep = kGram - 1;

std::uint16_t pair_at(const char* text) {
  std::uint16_t pair = 0;
  std::memcpy(&pair, text, sizeof pair);
  return pair;
}

// Lower-case letters are the most common, so they score lowest.
int rarity(char c) {
  if (c >= 'a' && c <= 'z') return 0;
  if (c >= 'A' && c <= 'Z') return 2;
  return 1;
}

std::size_t rarest_gram(std::string_view literal) {
  std::size_t best = 0;
  int most = -1;
  for (std::size_t i = 0; i + kGram <= literal.size(); ++i) {
    int sum = 0;
    for (const char c : literal.substr(i, kGram)) sum += rarity(c);
    if (sum > most) best = i, most = sum;
  }
  return best;
}

}  // namespace

Literals::Literals(std::vector<std::string> literals) {
  for (std::string& literal : literals) {
    CW_CHECK(!literal.empty(), "an empty literal occurs everywhere");
    if (literal.size() < kGram) {
      short_.push_back(std::move(literal));
      continue;
    }
    const std::size_t mark = rarest_gram(literal);
    const char* bytes = literal.data() + mark;
    marks_.set(gram_at(bytes, kGramBits));
    for (std::size_t i = 0; i < kStep; ++i) pairs_.set(pair_at(bytes + i));
    long_.push_back({std::move(literal), mark});
  }
}

bool Literals::stand_in(std::string_view text) const {
  for (const std::string& literal : short_) {
    if (text.find(literal) != std::string_view::npos) return true;
  }
  if (long_.empty()) return false;
  const char* const bytes = text.data();
  for (std::size_t at = kStep - 1; at + 1 < text.size(); at += kStep) {
    if (!pairs_[pair_at(bytes + at)]) continue;
    for (std::size_t mark = at + 1 - kStep; mark <= at; ++mark) {
      if (has_mark_at(text, mark)) return true;
    }
  }
  return false;
}

// Whether the literal of this mark occurs here in full.
bool Literals::has_mark_at(std::string_view text, std::size_t mark) const {
  if (mark + kGram > text.size() || !marks_[gram_at(text.data() + mark, kGramBits)]) return false;
  return std::any_of(long_.begin(), long_.end(), [&](const Marked& literal) {
    return mark >= literal.mark && text.substr(mark - literal.mark).starts_with(literal.text);
  });
}

}  // namespace capwright
