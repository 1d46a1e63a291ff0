// Compares only items with equal hashes; values that are equal as JSON have equal hashes.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "schema/equality.h"
#include "value/map_index.h"

namespace capwright::schema {
namespace {

constexpr std::size_t kFewItems = 12;  // up to here comparing all pairs is faster than hashing

constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t more) {
  hash = (hash ^ more) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

std::uint64_t json_hash(const Value& value) {
  const auto kind = static_cast<std::uint64_t>(value.kind());
  switch (value.kind()) {
    case Kind::Bool: return mix(kind, value.as_bool());
    // json_equal compares an Int with a Float as Floats.
    case Kind::Int: return mix(1, std::bit_cast<std::uint64_t>(static_cast<double>(value.as_int())));
    case Kind::Float: return mix(1, std::bit_cast<std::uint64_t>(value.as_float() + 0.0));
    case Kind::String: return mix(kind, hash_text(value.text()));
    case Kind::List: {
      std::uint64_t hash = kind;
      for (const Value& item : value.items()) hash = mix(hash, json_hash(item));
      return hash;
    }
    case Kind::Map: {
      std::uint64_t hash = kind;  // a sum, since the order of keys is irrelevant
      for (const Entry& entry : value.entries()) hash += mix(key_hash(entry.key), json_hash(entry.value));
      return hash;
    }
    default: return kind;
  }
}

}  // namespace

std::optional<RepeatedItem> find_repeated_item(std::span<const Value> items) {
  std::optional<RepeatedItem> earliest;
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    if (items[a].is_error() || items[b].is_error()) return;  // unknown values can't be compared
    if (earliest && earliest->second <= b) return;
    if (json_equal(items[a], items[b])) earliest = RepeatedItem{a, b};
  };
  const auto count = static_cast<std::uint32_t>(items.size());
  if (count <= kFewItems) {
    for (std::uint32_t b = 1; b < count; ++b) {
      for (std::uint32_t a = 0; a < b; ++a) compare(a, b);
    }
    return earliest;
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> hashed;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!items[i].is_error()) hashed.emplace_back(json_hash(items[i]), i);
  }
  std::sort(hashed.begin(), hashed.end());
  for (std::size_t run = 0, i = 0; i < hashed.size(); ++i) {
    if (hashed[i].first != hashed[run].first) run = i;
    for (std::size_t j = run; j < i; ++j) compare(hashed[j].second, hashed[i].second);
  }
  return earliest;
}

}  // namespace capwright::schema
