// Text and its map are consistent: segments cover every byte, and cutting and joining loses nothing.
#include "value/provenance.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

namespace capwright {
namespace {

// A small generator with a fixed seed: the same texts in every run.
class Sequence {
 public:
  std::uint32_t below(std::uint32_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33) % limit;
  }

 private:
  std::uint64_t state_ = 1;
};

Segment random_maker(Sequence& random, std::uint32_t bytes) {
  Segment maker;
  const std::uint32_t begin = random.below(100);
  maker.where = {FileId{0}, begin, begin + bytes};
  maker.frame = static_cast<FrameId>(random.below(3));
  maker.literal = random.below(2) == 0;
  maker.value = maker.literal ? OriginId::None : static_cast<OriginId>(random.below(3));
  maker.tainted = random.below(5) == 0;
  return maker;
}

MappedText random_text(Sequence& random) {
  MappedText text;
  for (std::uint32_t i = random.below(20); i > 0; --i) {
    const std::string bytes(random.below(6), static_cast<char>('a' + random.below(26)));
    text.append(bytes, random_maker(random, static_cast<std::uint32_t>(bytes.size())));
  }
  return text;
}

bool covers_without_gaps(const MappedText& text) {
  const auto segments = text.segments();
  if (text.size() == 0) return segments.empty();
  if (segments.empty() || segments.front().begin != 0 || segments.back().begin >= text.size()) return false;
  return std::adjacent_find(segments.begin(), segments.end(),
                            [](const Segment& a, const Segment& b) { return a.begin >= b.begin; }) == segments.end();
}

// The origin of one byte: literal text maps byte for byte.
struct Maker {
  Segment segment;
  friend bool operator==(const Maker& a, const Maker& b) {
    return a.segment.where == b.segment.where && a.segment.frame == b.segment.frame &&
           a.segment.value == b.segment.value && a.segment.literal == b.segment.literal &&
           a.segment.tainted == b.segment.tainted;
  }
};

std::vector<Maker> makers(const MappedText& text) {
  std::vector<Maker> all;
  for (std::uint32_t offset = 0; offset < text.size(); ++offset) {
    Segment segment = *text.segment_at(offset);
    if (segment.literal) {
      segment.where.begin += offset - segment.begin;
      segment.where.end = segment.where.begin + 1;
    }
    all.push_back({segment});
  }
  return all;
}

TEST_CASE("segments cover every byte of assembled text") {
  Sequence random;
  for (int round = 0; round < 500; ++round) {
    MappedText text = random_text(random);
    CHECK(covers_without_gaps(text));
    text.truncate(random.below(text.size() + 2));
    CHECK(covers_without_gaps(text));
  }
}

TEST_CASE("joining slices gives the original text") {
  Sequence random;
  for (int round = 0; round < 500; ++round) {
    const MappedText text = random_text(random);
    const std::uint32_t cut = random.below(text.size() + 1);
    const MappedText first = text.slice(0, cut), second = text.slice(cut, text.size());
    CHECK(covers_without_gaps(first));
    CHECK(covers_without_gaps(second));
    MappedText joined;
    joined.append(first.text(), first.segments());
    joined.append(second.text(), second.segments());
    CHECK(joined.text() == text.text());
    CHECK(covers_without_gaps(joined));
    CHECK(makers(joined) == makers(text));
  }
}

TEST_CASE("a slice has the same origins as the whole text") {
  Sequence random;
  for (int round = 0; round < 500; ++round) {
    const MappedText text = random_text(random);
    const std::uint32_t begin = random.below(text.size() + 1);
    const std::uint32_t end = begin + random.below(text.size() - begin + 1);
    const auto all = makers(text);
    CHECK(makers(text.slice(begin, end)) == std::vector(all.begin() + begin, all.begin() + end));
  }
}

TEST_CASE("adjacent bytes of one value are one segment, adjacent template texts are not") {
  MappedText text;
  Segment value;
  value.where = {FileId{0}, 3, 8};
  value.value = OriginId{1};
  text.append("ab", value);
  text.append("cd", value);
  CHECK(text.segments().size() == 1);
  Segment literal;
  literal.where = {FileId{0}, 10, 12};
  literal.literal = true;
  text.append("ef", literal);
  text.append("ef", literal);
  CHECK(text.segments().size() == 3);
  text.append("", literal);
  CHECK(text.segments().size() == 3);
}

TEST_CASE("a union of origins lists each leaf once, in operand order") {
  OriginTable origins;
  const OriginId a = origins.input({FileId{0}, 0, 1});
  const OriginId b = origins.input({FileId{0}, 2, 3});
  const OriginId c = origins.schema_default({FileId{1}, 4, 5});
  const OriginId ab = origins.combine(a, b);
  CHECK(origins.combine(a, b) == ab);
  CHECK(origins.leaves(ab) == std::vector{a, b});
  CHECK(origins.leaves(origins.combine(origins.combine(c, ab), b)) == std::vector{c, a, b});
  CHECK(origins.combine(a, a) == a);
  CHECK(origins.combine(OriginId::None, b) == b);
  CHECK(origins.leaves(OriginId::None).empty());
}

TEST_CASE("a union of very many origins is capped and marked") {
  OriginTable origins;
  OriginId all = OriginId::None;
  for (std::uint32_t i = 0; i < 100; ++i) all = origins.combine(all, origins.input({FileId{0}, i, i + 1}));
  CHECK(origins.leaves(all).size() == OriginTable::kMostLeaves);
  CHECK(origins[all].capped);
}

}  // namespace
}  // namespace capwright
