// Writes parts of a scalar and keeps the origin of each byte.
#pragma once
#include <cstdint>
#include <string_view>

#include "value/provenance.h"
#include "value/value.h"

namespace capwright::yaml {

// One scalar or key that is being written to a MappedText.
class MappedLeaf {
 public:
  MappedLeaf(const Value& value, const Segment& maker);

  // Appends the bytes [begin, end) of the String unchanged.
  void copy(MappedText& out, std::uint32_t begin, std::uint32_t end) const;
  // Appends `bytes` in place of the byte at `offset` (an escape, a doubled quote, a fold).
  void replace(MappedText& out, std::string_view bytes, std::uint32_t offset) const;
  // Appends the text of a scalar that isn't a String.
  void whole(MappedText& out, std::string_view bytes) const { out.append(bytes, leaf_); }

 private:
  Segment part(std::uint32_t offset) const;

  std::string_view text_;
  std::span<const Segment> segments_;  // empty: all bytes have one origin
  Segment leaf_;
};

}  // namespace capwright::yaml
