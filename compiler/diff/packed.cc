// Numbers take seven bits of a byte each; the eighth says that more follow.
#include "diff/packed.h"

namespace capwright::diff {
namespace {

constexpr char kNameMark = '\x1a';

}  // namespace

std::uint32_t TextPool::add(std::string_view text) {
  if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  numbers_.emplace(texts_.emplace_back(text), number);
  return number;
}

void Packer::put_number(std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes_.push_back(static_cast<char>(number | 0x80));
  bytes_.push_back(static_cast<char>(number));
}

// The lowest bit says whether marks replace the name.
void Packer::put(std::string& text) {
  const bool has_name =
      !name_.empty() && text.find(name_) != std::string::npos && text.find(kNameMark) == std::string::npos;
  if (!has_name) return put_number(static_cast<std::uint64_t>(pool_.add(text)) << 1);
  std::string shared;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = std::min(text.find(name_, at), text.size());
    shared.append(text, at, found - at);
    if (found == text.size()) break;
    shared += kNameMark;
    at = found + name_.size();
  }
  put_number(static_cast<std::uint64_t>(pool_.add(shared)) << 1 | 1);
}

std::uint64_t Unpacker::number() {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
}

void Unpacker::take(std::string& text) {
  const std::uint64_t packed = number();
  const std::string_view shared = pool_[static_cast<std::uint32_t>(packed >> 1)];
  if ((packed & 1) == 0) {
    text = shared;
    return;
  }
  text.clear();
  for (const char c : shared) {
    if (c == kNameMark) text += name_;
    else text += c;
  }
}

}  // namespace capwright::diff
