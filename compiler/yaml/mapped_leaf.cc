// See mapped_leaf.h: cutting a String along the segments of its map.
#include "yaml/mapped_leaf.h"

#include <algorithm>

namespace capwright::yaml {

MappedLeaf::MappedLeaf(const Value& value, const Segment& maker) : leaf_(maker) {
  leaf_.literal = false;
  leaf_.tainted = leaf_.tainted || value.tainted();
  if (value.origin() != OriginId::None) leaf_.value = value.origin();
  if (!value.is(Kind::String)) return;
  text_ = value.text();
  if (value.text_rep()->map != nullptr) segments_ = value.text_rep()->map->segments;
}

// The origin of the byte at `offset`. Template text that passed through a value is no longer literal: it can't be a
// marker.
Segment MappedLeaf::part(std::uint32_t offset) const {
  const auto above = std::upper_bound(segments_.begin(), segments_.end(), offset,
                                      [](std::uint32_t at, const Segment& s) { return at < s.begin; });
  if (above == segments_.begin()) return leaf_;
  Segment found = *std::prev(above);
  if (found.literal) {
    found.where.begin = std::min(found.where.begin + (offset - found.begin), found.where.end);
    found.literal = false;
  }
  found.tainted = found.tainted || leaf_.tainted;
  return found;
}

void MappedLeaf::copy(MappedText& out, std::uint32_t begin, std::uint32_t end) const {
  while (begin < end) {
    std::uint32_t run_end = end;
    if (!segments_.empty()) {
      const auto above = std::upper_bound(segments_.begin(), segments_.end(), begin,
                                          [](std::uint32_t at, const Segment& s) { return at < s.begin; });
      if (above != segments_.end()) run_end = std::min(end, above->begin);
    }
    out.append(text_.substr(begin, run_end - begin), part(begin));
    begin = run_end;
  }
}

void MappedLeaf::replace(MappedText& out, std::string_view bytes, std::uint32_t offset) const {
  out.append(bytes, part(offset));
}

}  // namespace capwright::yaml
