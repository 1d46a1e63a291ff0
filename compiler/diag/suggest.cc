// Edit distance and the suggestions based on it.
#include "diag/suggest.h"

#include <algorithm>
#include <array>

namespace capwright {
namespace {

constexpr std::size_t kLongestName = 100;
// A list of more names isn't searched; a hostile file may have thousands.
constexpr std::size_t kMostCandidates = 1000;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool differs_in_case_alone(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

// A part of the name must be kept: every single letter is one edit from any other.
bool is_alike(std::string_view name, std::string_view candidate, std::size_t distance) {
  return distance < name.size() || differs_in_case_alone(name, candidate);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  if (a.size() > kLongestName || b.size() > kLongestName) return std::max(a.size(), b.size());
  using Row = std::array<std::size_t, kLongestName + 1>;
  Row before_last{}, last{}, row{};
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last = last;
    last = row;
  }
  const bool only_case = last[b.size()] == 0 && a != b;
  return only_case ? 1 : last[b.size()];
}

std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates) {
  const std::size_t allowed = std::max<std::size_t>(1, name.size() / 3);
  std::size_t best = allowed + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates.first(std::min(candidates.size(), kMostCandidates))) {
    const std::size_t longer = std::max(candidate.size(), name.size()),
                      shorter = std::min(candidate.size(), name.size());
    if (candidate == name || longer - shorter >= best) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best && is_alike(name, candidate, distance)) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  const std::string_view found = nearest(name, candidates);
  return found.empty() ? std::string() : "did you mean `" + std::string(found) + "`?";
}

std::string list_names(std::span<const std::string_view> names, std::size_t most) {
  std::string text;
  const std::size_t shown = std::min(names.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    text.append("`").append(names[i]).append("`");
  }
  if (shown < names.size()) text += " … and " + std::to_string(names.size() - shown) + " more";
  return text;
}

}  // namespace capwright
