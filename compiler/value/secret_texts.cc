// A secret is known by all its runs of a few bytes, so that a part of it is found as well as the whole.
#include "value/secret_texts.h"

#include <algorithm>

namespace capwright {
namespace {

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

// Whether [begin, end) neither begins nor ends inside a word.
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  const bool before = begin > 0 && is_word(text[begin - 1]) && is_word(text[begin]);
  const bool behind = end < text.size() && is_word(text[end]) && is_word(text[end - 1]);
  return !before && !behind;
}

}  // namespace

void SecretTexts::add(std::string_view secret) {
  if (secret.size() < kShortestSecret) return;
  if (secret.size() < kShortestRun) {
    short_.emplace_back(secret);
    return;
  }
  for (std::size_t i = 0; i + kShortestRun <= secret.size(); ++i) runs_.emplace(secret.substr(i, kShortestRun));
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

std::string SecretTexts::cover(std::string_view text) const {
  std::vector<bool> covered(text.size(), false);
  const auto mark = [&](std::size_t begin, std::size_t size) {
    std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(begin), size, true);
  };
  for (std::size_t i = 0; !runs_.empty() && i + kShortestRun <= text.size(); ++i) {
    if (runs_.contains(std::string(text.substr(i, kShortestRun)))) mark(i, kShortestRun);
  }
  for (const std::string& secret : short_) {
    for (std::size_t at = text.find(secret); at != std::string_view::npos; at = text.find(secret, at + 1)) {
      if (stands_alone(text, at, at + secret.size())) mark(at, secret.size());
    }
  }
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!covered[i]) result += text[i];
    else if (i == 0 || !covered[i - 1]) result += "<secret>";
  }
  return result;
}

}  // namespace capwright
