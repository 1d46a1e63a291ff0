// Leaf sets of derived values and the arithmetic of mapped text.
#include "value/provenance.h"

#include <algorithm>

#include "base/check.h"

namespace capwright {

OriginId OriginTable::add(Origin origin) {
  origins_.push_back(origin);
  return static_cast<OriginId>(origins_.size() - 1);
}

OriginId OriginTable::schema_default(Span span) {
  Origin origin;
  origin.kind = Origin::Kind::SchemaDefault;
  origin.span = span;
  return add(origin);
}

OriginId OriginTable::printed(Span where, FrameId frame, OriginId value) {
  Origin origin = (*this)[value];
  if (origin.kind == Origin::Kind::Input || origin.kind == Origin::Kind::SchemaDefault) {
    origin.first_leaf = static_cast<std::uint32_t>(leaf_pool_.size());
    origin.leaf_count = 1;
    leaf_pool_.push_back(value);
  }
  origin.kind = Origin::Kind::Printed;
  origin.span = where;
  origin.frame = frame;
  origin.overrides = OriginId::None;
  return add(origin);
}

std::span<const OriginId> OriginTable::leaf_span(const OriginId& id) const {
  const Origin& origin = (*this)[id];
  if (origin.kind == Origin::Kind::Derived || origin.kind == Origin::Kind::Printed) {
    return std::span(leaf_pool_).subspan(origin.first_leaf, origin.leaf_count);
  }
  return {&id, 1};
}

OriginId OriginTable::combine(OriginId a, OriginId b) {
  if (b == OriginId::None || a == b) return a;
  if (a == OriginId::None) return b;
  if ((*this)[a].capped) return a;  // the leaf list is full
  const auto slot = (static_cast<std::uint32_t>(a) * 31 + static_cast<std::uint32_t>(b)) % std::size(remembered_);
  if (remembered_[slot].a == a && remembered_[slot].b == b) return remembered_[slot].result;

  OriginId merged[2 * kMostLeaves];
  std::uint32_t count = 0;
  for (const OriginId leaf : leaf_span(a)) merged[count++] = leaf;
  const std::uint32_t from_a = count;
  bool capped = (*this)[a].capped || (*this)[b].capped;
  for (const OriginId leaf : leaf_span(b)) {
    if (std::find(merged, merged + from_a, leaf) != merged + from_a) continue;
    merged[count++] = leaf;
  }
  if (count > kMostLeaves) {
    count = kMostLeaves;
    capped = true;
  }
  OriginId result = a;
  if (count != from_a || capped != (*this)[a].capped) {
    Origin origin;
    origin.kind = Origin::Kind::Derived;
    origin.capped = capped;
    origin.first_leaf = static_cast<std::uint32_t>(leaf_pool_.size());
    origin.leaf_count = count;
    leaf_pool_.insert(leaf_pool_.end(), merged, merged + count);
    result = add(origin);
  }
  remembered_[slot] = {a, b, result};
  return result;
}

OriginId OriginTable::combine(std::initializer_list<OriginId> ids) {
  OriginId all = OriginId::None;
  for (const OriginId id : ids) all = combine(all, id);
  return all;
}

std::vector<OriginId> OriginTable::leaves(OriginId id) const {
  if (id == OriginId::None) return {};
  const auto span = leaf_span(id);
  return {span.begin(), span.end()};
}

Segment& MappedText::add_segment() { return segments_.emplace_back(); }

void MappedText::append(std::string_view bytes, std::span<const Segment> segments) {
  const std::size_t first = segments_.size();
  segments_.insert(segments_.end(), segments.begin(), segments.end());
  for (std::size_t i = first; i < segments_.size(); ++i) segments_[i].begin += size();
  text_.append(bytes);
}

void MappedText::append(std::string_view bytes, std::span<const Segment> segments, const Segment& outer) {
  const std::size_t first = segments_.size();
  append(bytes, segments);
  for (std::size_t i = first; i < segments_.size(); ++i) {
    segments_[i].tainted = segments_[i].tainted || outer.tainted;
    if (segments_[i].where.known()) continue;
    segments_[i].where = outer.where;
    segments_[i].frame = outer.frame;
  }
}

void MappedText::restore_places(const OriginTable& origins) {
  for (Segment& segment : segments_) {
    const Origin& origin = origins[segment.value];
    if (segment.where.known() || origin.kind != Origin::Kind::Printed) continue;
    segment.where = origin.span;
    segment.frame = origin.frame;
  }
}

MappedText MappedText::slice(std::uint32_t begin, std::uint32_t end) const {
  CW_CHECK(begin <= end && end <= size(), "a slice must lie inside its text");
  MappedText part;
  part.text_ = text_.substr(begin, end - begin);
  if (begin == end) return part;
  auto segment = std::upper_bound(segments_.begin(), segments_.end(), begin,
                                  [](std::uint32_t offset, const Segment& s) { return offset < s.begin; });
  for (--segment; segment != segments_.end() && segment->begin < end; ++segment) {
    part.segments_.push_back(*segment);
    const std::uint32_t start = std::max(segment->begin, begin);
    const auto next = std::next(segment);
    const std::uint32_t whole_end = next == segments_.end() ? size() : next->begin;
    Segment& cut = part.segments_.back();
    if (segment->literal && cut.where.known()) {  // keep byte-exactness: literal text maps 1:1 to its source
      cut.where.begin += start - segment->begin;
      if (end < whole_end) cut.where.end = std::min(cut.where.end, cut.where.begin + (end - start));
    }
    cut.begin = start - begin;
  }
  return part;
}

const Segment* MappedText::segment_at(std::uint32_t offset) const {
  auto segment = std::upper_bound(segments_.begin(), segments_.end(), offset,
                                  [](std::uint32_t at, const Segment& s) { return at < s.begin; });
  return segment == segments_.begin() ? nullptr : &*std::prev(segment);
}

void MappedText::truncate(std::uint32_t size) {
  text_.resize(std::min<std::size_t>(size, text_.size()));
  while (!segments_.empty() && segments_.back().begin >= text_.size()) segments_.pop_back();
}

void MappedText::reserve(std::size_t bytes) {
  text_.reserve(bytes);
  segments_.reserve(bytes / 24);
}

}  // namespace capwright
