// Numbers are little-endian. A list starts with its length, in 4 bytes.
#include "lint/engine/fleet_record.h"

#include <cstddef>
#include <cstdint>

namespace capwright::lint {
namespace {

enum RecordFlag : std::uint8_t { kAlone = 1, kFirstOfSet = 2 };
constexpr std::uint8_t kSideBits = 3, kHasAddresses = 4;  // of the first byte of a key

template <class Number>
void append(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes.push_back(static_cast<char>(static_cast<std::uint8_t>(number >> (8 * i))));
}

// Reads numbers until the bytes end; then all further ones are 0.
class PackedBytes {
 public:
  explicit PackedBytes(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
  Number next() {
    if (rest_.size() < sizeof(Number)) {
      is_short_ = true;
      rest_ = {};
      return 0;
    }
    Number number = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i)
      number = static_cast<Number>(number | static_cast<Number>(static_cast<std::uint8_t>(rest_[i])) << (8 * i));
    rest_.remove_prefix(sizeof(Number));
    return number;
  }
  template <class Read>
  void list(Read read) {
    for (std::uint32_t count = next<std::uint32_t>(); count != 0 && !is_short_; --count) read();
  }
  // Whether all numbers were there, and nothing else.
  bool was_complete() const { return !is_short_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool is_short_ = false;
};

void append(std::string& bytes, const std::vector<NotedClaim>& claims) {
  append(bytes, static_cast<std::uint32_t>(claims.size()));
  for (const NotedClaim& claim : claims) {
    append(bytes, claim.thing);
    append(bytes, static_cast<std::uint8_t>(claim.is_said ? 1 : 0));
  }
}

std::vector<NotedClaim> claims_in(PackedBytes& bytes) {
  std::vector<NotedClaim> claims;
  bytes.list([&] {
    NotedClaim& claim = claims.emplace_back();
    claim.thing = bytes.next<Denial>();
    claim.is_said = bytes.next<std::uint8_t>() != 0;
  });
  return claims;
}

// `owner`: that of the key, if it has no addresses.
FleetKey key_in(PackedBytes& bytes, std::uint32_t owner) {
  const auto kind = bytes.next<std::uint8_t>();
  FleetKey key;
  key.side = static_cast<FleetKey::Side>(kind & kSideBits);
  key.text = bytes.next<std::uint64_t>();
  if ((kind & kHasAddresses) == 0) {
    key.owner = owner;
    return key;
  }
  key.first = bytes.next<ip::Number>();
  key.last = bytes.next<ip::Number>();
  return key;
}

}  // namespace

std::string packed(const FleetRecord& record) {
  std::string bytes(1, static_cast<char>((record.is_alone ? kAlone : 0) | (record.is_first_of_set ? kFirstOfSet : 0)));
  append(bytes, static_cast<std::uint32_t>(record.keys.size()));
  for (const FleetKey& key : record.keys) {
    append(bytes,
           static_cast<std::uint8_t>(static_cast<std::uint8_t>(key.side) | (key.has_addresses() ? kHasAddresses : 0)));
    append(bytes, key.text);
    if (!key.has_addresses()) continue;
    append(bytes, key.first);
    append(bytes, key.last);
  }
  append(bytes, record.claims);
  append(bytes, record.comments);
  return bytes;
}

std::optional<FleetRecord> unpacked_record(std::string_view bytes) {
  PackedBytes packed(bytes);
  FleetRecord record;
  const auto flags = packed.next<std::uint8_t>();
  record.is_alone = (flags & kAlone) != 0;
  record.is_first_of_set = (flags & kFirstOfSet) != 0;
  bool has_unknown_side = false;
  packed.list([&] {
    const FleetKey& key = record.keys.emplace_back(key_in(packed, static_cast<std::uint32_t>(record.keys.size() + 1)));
    has_unknown_side = has_unknown_side || key.side > FleetKey::Side::Answers;
  });
  record.claims = claims_in(packed);
  record.comments = claims_in(packed);
  if (!packed.was_complete() || has_unknown_side) return std::nullopt;
  return record;
}

std::string packed(const std::vector<Denial>& denials) {
  std::string bytes;
  for (const Denial denial : denials) append(bytes, denial);
  return bytes;
}

std::optional<std::vector<Denial>> unpacked_denials(std::string_view bytes) {
  if (bytes.size() % sizeof(Denial) != 0) return std::nullopt;
  std::vector<Denial> denials;
  PackedBytes packed(bytes);
  for (std::size_t i = 0; i < bytes.size() / sizeof(Denial); ++i) denials.push_back(packed.next<Denial>());
  return denials;
}

}  // namespace capwright::lint
