// Parsing and precedence of semantic versions.
#include "cel/semver.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <vector>

namespace capwright::cel {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kIdentifier = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-";

bool only(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

bool read_part(std::string_view text, std::uint64_t& number) {
  if (text.empty() || !only(text, kDigits) || (text.size() > 1 && text[0] == '0')) return false;
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

// The identifiers between dots; empty if one is empty or has invalid characters.
std::optional<std::vector<std::string_view>> identifiers(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t point = text.find('.');
    parts.push_back(text.substr(0, point));
    if (parts.back().empty() || !only(parts.back(), kIdentifier)) return std::nullopt;
    if (point == std::string_view::npos) return parts;
    text.remove_prefix(point + 1);
  }
}

// Removes and returns the text before the first `separator`; the separator is removed, too.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return part;
}

// Splits at dots into at most three parts; the last one has the rest.
std::vector<std::string> three_parts(std::string_view text) {
  std::vector<std::string> parts;
  while (parts.size() < 2 && text.find('.') != std::string_view::npos) parts.emplace_back(take_until(text, '.'));
  parts.emplace_back(text);
  return parts;
}

// Kubernetes' normalization; empty for a short version with a pre-release or build.
std::optional<std::string> normalized(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::string> parts = three_parts(text);
  for (std::string& part : parts) {
    if (part.size() <= 1) continue;
    part.erase(0, std::min(part.find_first_not_of('0'), part.size()));
    if (part.empty() || kDigits.find(part[0]) == std::string_view::npos) part.insert(0, "0");
  }
  if (parts.size() < 3 && parts.back().find_first_of("+-") != std::string::npos) return std::nullopt;
  parts.resize(3, "0");
  return parts[0] + "." + parts[1] + "." + parts[2];
}

int compare_identifiers(std::string_view a, std::string_view b) {
  const bool a_number = only(a, kDigits), b_number = only(b, kDigits);
  if (a_number != b_number) return a_number ? -1 : 1;
  if (a_number && a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  if (a < b) return -1;
  if (b < a) return 1;
  return 0;
}

int compare_parts(std::uint64_t a, std::uint64_t b) {
  if (a < b) return -1;
  if (b < a) return 1;
  return 0;
}

}  // namespace

std::optional<Semver> parse_semver(std::string_view text, bool normalize, Arena& arena) {
  std::optional<std::string> normal = normalize ? normalized(text) : std::string(text);
  if (!normal) return std::nullopt;
  std::string_view rest = arena.text(*normal);
  const std::size_t first = rest.find('.');
  if (first == std::string_view::npos || rest.find('.', first + 1) == std::string_view::npos) return std::nullopt;
  const std::string_view major = take_until(rest, '.'), minor = take_until(rest, '.');
  const bool has_build = rest.find('+') != std::string_view::npos;
  std::string_view numbers = take_until(rest, '+');
  const bool has_pre = numbers.find('-') != std::string_view::npos;
  const std::string_view patch = take_until(numbers, '-');
  Semver version;
  if (!read_part(major, version.major) || !read_part(minor, version.minor) || !read_part(patch, version.patch)) {
    return std::nullopt;
  }
  if (has_pre) {
    const auto pre = identifiers(numbers);
    std::uint64_t ignored = 0;
    const bool good = pre && std::all_of(pre->begin(), pre->end(), [&](std::string_view part) {
                        return !only(part, kDigits) || read_part(part, ignored);
                      });
    if (!good) return std::nullopt;
    version.pre = arena.copy(*pre);
  }
  if (has_build && !identifiers(rest)) return std::nullopt;
  version.build = rest;
  return version;
}

int compare(const Semver& a, const Semver& b) {
  if (const int order = compare_parts(a.major, b.major)) return order;
  if (const int order = compare_parts(a.minor, b.minor)) return order;
  if (const int order = compare_parts(a.patch, b.patch)) return order;
  if (a.pre.empty() || b.pre.empty()) {
    if (a.pre.empty() == b.pre.empty()) return 0;
    if (a.pre.empty()) return 1;
    return -1;
  }
  for (std::size_t i = 0; i < std::min(a.pre.size(), b.pre.size()); ++i) {
    if (const int order = compare_identifiers(a.pre[i], b.pre[i])) return order;
  }
  return compare_parts(a.pre.size(), b.pre.size());
}

std::string to_text(const Semver& version) {
  std::string text = fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
  char separator = '-';
  for (const std::string_view part : version.pre) {
    text += separator;
    text += part;
    separator = '.';
  }
  if (!version.build.empty()) text += "+" + std::string(version.build);
  return text;
}

}  // namespace capwright::cel
