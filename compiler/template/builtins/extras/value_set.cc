// Buckets by a hash that is consistent with Python's equality.
#include "template/builtins/extras/value_set.h"

#include <bit>

#include "base/hash.h"

namespace capwright::jinja::extras {
namespace {

// Kinds without a hash share one bucket.
constexpr std::uint64_t kUnhashed = 0;
constexpr std::uint64_t kNull = 1;
constexpr std::size_t kHashedBytes = 64;  // in one step

}  // namespace

std::uint64_t ValueSet::hash(const Value& value) {
  switch (value.kind()) {
    case Kind::String: return hash_text(value.text());
    case Kind::Bool: return std::bit_cast<std::uint64_t>(value.as_bool() ? 1.0 : 0.0);
    case Kind::Int: return std::bit_cast<std::uint64_t>(static_cast<double>(value.as_int()));
    // Adding zero maps -0.0 to 0.0; above 64 bits a float may equal a big integer, which has no hash here.
    case Kind::Float:
      return value.as_float() < 9.3e18 && value.as_float() > -9.3e18
                 ? std::bit_cast<std::uint64_t>(value.as_float() + 0.0)
                 : kUnhashed;
    case Kind::Null: return kNull;
    default: return kUnhashed;
  }
}

bool ValueSet::contains(const Value& value) {
  runtime_.look_at(value);  // also if it is the only one in its bucket
  if (value.is(Kind::String) && !runtime_.step(value.text().size() / kHashedBytes)) return true;
  const auto bucket = buckets_.find(hash(value));
  if (bucket == buckets_.end()) return false;
  for (const Value& known : bucket->second) {
    if (!runtime_.step()) return true;
    if (runtime_.equals(known, value)) return true;
  }
  return false;
}

bool ValueSet::add(const Value& value) {
  if (contains(value)) return false;
  buckets_[hash(value)].push_back(value);
  ++size_;
  return true;
}

}  // namespace capwright::jinja::extras
