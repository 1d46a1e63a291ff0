// Records which template text and which inputs made each byte of an output. Always on: values carry an OriginId,
// rendered text carries Segments, and text and segments are always cut together.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"
#include "value/value.h"

namespace capwright {

// The template path to a piece of text: an index into RenderTrace; Root is the main template.
enum class FrameId : std::uint32_t { Root = 0 };

struct Origin {
  enum class Kind : std::uint8_t {
    None,
    Input,          // `span` is the scalar or key in a layer
    SchemaDefault,  // `span` is the `default` in a schema
    Derived,        // an operation: the leaves are what went in
    Printed,        // a scalar that a filter parsed: `span` is the template text that printed it, the leaves its inputs
  };
  Kind kind = Kind::None;
  bool capped = false;  // Derived, Printed: more leaves than kMostLeaves, "and others"
  Span span;
  OriginId overrides = OriginId::None;  // Input: the value of an earlier layer at the same path
  FrameId frame = FrameId::Root;        // Printed
  std::uint32_t first_leaf = 0;         // Derived, Printed: a run in the table's leaf pool
  std::uint32_t leaf_count = 0;
};

// All origins of one cluster. Ids are dense, start at 1, and never reach an output.
class OriginTable {
 public:
  static constexpr std::uint32_t kMostLeaves = 32;

  OriginTable() : origins_(1) {}
  OriginId input(Span span, OriginId overrides = OriginId::None) {
    Origin& origin = origins_.emplace_back();
    origin.kind = Origin::Kind::Input;
    origin.span = span;
    origin.overrides = overrides;
    return static_cast<OriginId>(origins_.size() - 1);
  }
  // Reserves room for `count` origins in all, which avoids copies during growth.
  void expect(std::size_t count) { origins_.reserve(count); }
  OriginId schema_default(Span span);
  // A scalar in text that the template wrote at `where`, with the leaves of `value`.
  OriginId printed(Span where, FrameId frame, OriginId value);
  // The union of the leaves of `a` and `b`, in that order; repeated calls with the same pair return the same id.
  OriginId combine(OriginId a, OriginId b);
  OriginId combine(std::initializer_list<OriginId> ids);

  const Origin& operator[](OriginId id) const { return origins_[static_cast<std::uint32_t>(id)]; }
  // Input and SchemaDefault origins below `id` (itself, if it is one), in operand order without repeats.
  std::vector<OriginId> leaves(OriginId id) const;

 private:
  OriginId add(Origin origin);
  std::span<const OriginId> leaf_span(const OriginId& id) const;

  std::vector<Origin> origins_;
  std::vector<OriginId> leaf_pool_;
  // The last few unions: templates combine the same two operands again and again.
  struct Remembered {
    OriginId a{}, b{}, result{};
  };
  Remembered remembered_[64] = {};
};

// A run of bytes with one origin, up to the begin of the next segment.
struct Segment {
  std::uint32_t begin = 0;
  Span where;                       // template text: the literal itself or the `{{ … }}` expression
  FrameId frame = FrameId::Root;    // through which include, macro or block
  OriginId value = OriginId::None;  // the input(s), if any
  bool literal = false;             // template text itself (only then may the bytes be a `# FILE:` marker)
  bool tainted = false;
};

// Segments of a String value that a layout operation (indent, join, macro, to_yaml …) assembled.
struct TextMap {
  std::span<const Segment> segments;
};

// Text and its map, always cut and joined together. Invariant: segments cover [0, size) without gaps.
class MappedText {
 public:
  // Inlined, so that `maker` stays in registers: reading it from memory right after a partial write would stall.
  void append(std::string_view bytes, const Segment& maker) {
    if (bytes.empty()) return;
    if (!goes_on(maker)) {
      Segment& added = add_segment();
      added = maker;
      added.begin = size();
    }
    text_.append(bytes);
  }
  // Appends bytes that already have a map.
  void append(std::string_view bytes, std::span<const Segment> segments);
  // The same; `outer` is the origin for segments without a place.
  void append(std::string_view bytes, std::span<const Segment> segments, const Segment& outer);
  MappedText slice(std::uint32_t begin, std::uint32_t end) const;
  // Gives the segments of Printed values the place and the frame of their template text.
  void restore_places(const OriginTable&);
  // The segment of the byte at `offset`; null when empty.
  const Segment* segment_at(std::uint32_t offset) const;

  const std::string& text() const { return text_; }
  std::span<const Segment> segments() const { return segments_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(text_.size()); }
  void truncate(std::uint32_t size);
  void reserve(std::size_t bytes);

 private:
  // Adjacent template text joins one run only if its source is contiguous; adjacency in the output is not enough.
  bool goes_on(const Segment& maker) const {
    if (maker.literal || segments_.empty()) return false;
    const Segment& last = segments_.back();
    return last.where == maker.where && last.frame == maker.frame && last.value == maker.value &&
           last.tainted == maker.tainted;
  }
  Segment& add_segment();

  std::string text_;
  std::vector<Segment> segments_;
};

// "included from", "in macro `nodes`": the calls that led to a FrameId. Entry 0 is the main template. A render that
// traces control (for `explain` and `plan`) also has an entry for each condition and loop around a piece of text. A
// Digest marks text that rotation inserted; Kept text comes from an earlier render, at the place of its segment.
struct RenderFrame {
  enum class Kind : std::uint8_t { Call, Condition, Loop, Digest, Kept };
  Span call_site;  // of a condition or loop: its expression; of a Digest: the text it was computed from
  FrameId parent = FrameId::Root;
  std::string what;  // of a condition or loop: its keyword
  Kind kind = Kind::Call;
  OriginId value = OriginId::None;  // Condition, Loop: the value that decided
};
using RenderTrace = std::vector<RenderFrame>;

}  // namespace capwright
