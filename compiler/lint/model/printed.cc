// Identifies an expression by its place: filters may have split its output into many segments.
#include "lint/model/printed.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "base/check.h"

namespace capwright::lint {

namespace {

using Segments = std::span<const Segment>;

Segments::iterator segment_of(const MappedText& rendered, std::uint32_t offset) {
  CW_CHECK(offset < rendered.size(), "what is printed has bytes");
  const Segments segments = rendered.segments();
  const auto behind = std::upper_bound(segments.begin(), segments.end(), offset,
                                       [](std::uint32_t at, const Segment& segment) { return at < segment.begin; });
  CW_CHECK(behind != segments.begin(), "every rendered byte has a segment");
  return std::prev(behind);
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

Printed printed_around(const MappedText& rendered, std::uint32_t offset) {
  const Segments segments = rendered.segments();
  auto first = segment_of(rendered, offset), end = first;
  const Span where = first->where;
  while (first != segments.begin() && std::prev(first)->where == where) --first;
  while (end != segments.end() && end->where == where) ++end;
  return {first->begin, end == segments.end() ? rendered.size() : end->begin};
}

// Called for every scalar, so it stops at the first obstacle.
bool prints_alone(const MappedText& rendered, std::uint32_t begin, std::uint32_t end) {
  if (begin >= end || end > rendered.size()) return false;
  const Segments segments = rendered.segments();
  const std::string_view text = rendered.text();
  const auto own = segment_of(rendered, begin);
  std::uint32_t at = begin;
  for (auto segment = own;; --segment) {
    if (!is_blank(text.substr(segment->begin, at - segment->begin))) return false;
    at = segment->begin;
    if (segment == segments.begin() || std::prev(segment)->where != own->where) break;
  }
  for (auto segment = own; segment != segments.end(); ++segment) {
    if (segment->where != own->where) return segment->begin >= end;
    const std::uint32_t next = std::next(segment) == segments.end() ? rendered.size() : std::next(segment)->begin;
    if (next > end && !is_blank(text.substr(std::max(end, segment->begin), next - std::max(end, segment->begin))))
      return false;
  }
  return true;
}

}  // namespace capwright::lint
