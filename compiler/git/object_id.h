// The name of a Git object: the SHA-1 of its content.
#pragma once
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace capwright::git {

// All zero: no object.
struct ObjectId {
  std::array<std::uint8_t, 20> bytes{};

  friend auto operator<=>(const ObjectId&, const ObjectId&) = default;
  bool is_zero() const { return *this == ObjectId(); }
};

// 40 lower-case digits.
std::string hex(const ObjectId&);
// The first 10 of them, for messages.
std::string short_hex(const ObjectId&);
// From 40 hexadecimal digits.
std::optional<ObjectId> parse_object_id(std::string_view digits);

// For unordered maps: the name is already a hash.
struct ObjectIdHash {
  std::size_t operator()(const ObjectId& id) const {
    std::size_t hash = 0;
    std::memcpy(&hash, id.bytes.data(), sizeof hash);
    return hash;
  }
};

}  // namespace capwright::git
