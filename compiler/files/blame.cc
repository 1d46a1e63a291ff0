// Finds the segments that made rendered bytes, and their inputs.
#include "files/blame.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "base/check.h"

namespace capwright {
namespace {

constexpr std::size_t kMostLabels = 4;
constexpr std::string_view kRedacted = "***";

// The part of one segment that lies in a range of rendered bytes.
struct Piece {
  const Segment* segment;
  std::uint32_t begin, end;
};

std::vector<Piece> pieces_of(const MappedText& rendered, std::uint32_t begin, std::uint32_t end) {
  CW_CHECK(begin < end && end <= rendered.size(), "blame needs bytes");
  const std::span<const Segment> segments = rendered.segments();
  auto segment = std::upper_bound(segments.begin(), segments.end(), begin,
                                  [](std::uint32_t offset, const Segment& s) { return offset < s.begin; });
  CW_CHECK(segment != segments.begin(), "every rendered byte has a segment");
  std::vector<Piece> pieces;
  for (--segment; segment != segments.end() && segment->begin < end; ++segment) {
    const auto next = std::next(segment);
    const std::uint32_t segment_end = next == segments.end() ? rendered.size() : next->begin;
    pieces.push_back({&*segment, std::max(begin, segment->begin), std::min(end, segment_end)});
  }
  return pieces;
}

// Template text maps byte for byte, an expression as a whole.
Span template_span(const Piece& piece) {
  Span span = piece.segment->where;
  if (!piece.segment->literal) return span;
  span.begin = std::min(span.begin + (piece.begin - piece.segment->begin), span.end);
  span.end = std::min(span.begin + (piece.end - piece.begin), span.end);
  return span;
}

Span template_span(const std::vector<Piece>& pieces) {
  const Span first = template_span(pieces.front());
  const Span last = template_span(pieces.back());
  return first.file == last.file && first.begin <= last.begin && first.end <= last.end ? cover(first, last) : first;
}

// The one place in `span` with the rendered bytes; otherwise all of it.
Span narrowed(Span span, std::string_view bytes, const SourceSet& sources) {
  const std::string_view source = sources.text(span);
  const std::size_t found = source.find(bytes);
  if (found == std::string_view::npos || source.find(bytes, found + 1) != std::string_view::npos) return span;
  span.begin += static_cast<std::uint32_t>(found);
  span.end = span.begin + static_cast<std::uint32_t>(bytes.size());
  return span;
}

// The text with `${…}` that alone made the piece, if its references are all other inputs.
std::optional<Span> interpolated_input(const Piece& piece, const Stage& stage) {
  constexpr std::string_view kReference = "${";
  const std::vector<OriginId> leaves = stage.origins.leaves(piece.segment->value);
  if (piece.segment->literal || leaves.size() < 2) return std::nullopt;
  const Origin& first = stage.origins[leaves.front()];
  if (first.kind != Origin::Kind::Input || !first.span.known()) return std::nullopt;
  const std::string_view source = stage.sources.text(first.span);
  std::size_t references = 0;
  for (std::size_t at = source.find(kReference); at != source.npos; at = source.find(kReference, at + 1)) ++references;
  return references + 1 == leaves.size() ? std::optional(first.span) : std::nullopt;
}

// The single input of all pieces, if there is one.
std::optional<Span> sole_input(const std::vector<Piece>& pieces, const OriginTable& origins) {
  OriginId found = OriginId::None;
  for (const Piece& piece : pieces) {
    const std::vector<OriginId> leaves = origins.leaves(piece.segment->value);
    if (piece.segment->literal || leaves.size() != 1) return std::nullopt;
    if (found != OriginId::None && found != leaves.front()) return std::nullopt;
    found = leaves.front();
  }
  if (origins[found].kind != Origin::Kind::Input || !origins[found].span.known()) return std::nullopt;
  return origins[found].span;
}

// All but the one at `shown`.
void add_inputs(const std::vector<Piece>& pieces, const OriginTable& origins, Span shown, std::vector<Label>& labels) {
  for (const Piece& piece : pieces) {
    for (const OriginId leaf : origins.leaves(piece.segment->value)) {
      const Origin& origin = origins[leaf];
      const bool known =
          std::any_of(labels.begin(), labels.end(), [&](const Label& label) { return label.where == origin.span; });
      if (known || !origin.span.known() || origin.span == shown || labels.size() == kMostLabels) continue;
      labels.push_back({origin.span, origin.kind == Origin::Kind::Input ? "from this value" : "from this default"});
    }
  }
}

std::vector<TraceFrame> calls_to(FrameId frame, const RenderTrace& trace) {
  std::vector<TraceFrame> calls;
  while (frame != FrameId::Root && static_cast<std::size_t>(frame) < trace.size()) {
    const RenderFrame& call = trace[static_cast<std::size_t>(frame)];
    const bool is_control = call.kind == RenderFrame::Kind::Condition || call.kind == RenderFrame::Kind::Loop;
    if (!is_control) calls.push_back({call.call_site, call.what});
    frame = call.parent;
  }
  return calls;
}

}  // namespace

void Blame::explain(Diagnostic& diagnostic) const {
  diagnostic.labels.insert(diagnostic.labels.end(), labels.begin(), labels.end());
  diagnostic.trace.insert(diagnostic.trace.end(), trace.begin(), trace.end());
}

Blame blame_bytes(const MappedText& rendered, std::uint32_t begin, std::uint32_t end, const Stage& stage,
                  const RenderTrace* trace) {
  const std::vector<Piece> pieces = pieces_of(rendered, begin, end);
  const std::string_view bytes = std::string_view(rendered.text()).substr(begin, end - begin);
  Blame blame;
  const auto sole = sole_input(pieces, stage.origins);
  const auto interpolated = pieces.size() == 1 ? interpolated_input(pieces.front(), stage) : std::nullopt;
  if (sole || interpolated) {
    blame.where = sole ? narrowed(*sole, bytes, stage.sources) : *interpolated;
    blame.by_value = true;
    blame.labels.push_back({template_span(pieces), "written here"});
    if (interpolated) add_inputs(pieces, stage.origins, blame.where, blame.labels);
  } else {
    blame.where = template_span(pieces);
    if (pieces.size() == 1 && !pieces.front().segment->literal) {
      blame.where = narrowed(blame.where, bytes, stage.sources);
    }
    add_inputs(pieces, stage.origins, {}, blame.labels);
  }
  if (trace != nullptr) blame.trace = calls_to(pieces.front().segment->frame, *trace);
  return blame;
}

std::optional<EditablePlace> editable_place(const MappedText& rendered, std::uint32_t begin, std::uint32_t end,
                                            const Stage& stage) {
  const std::vector<Piece> pieces = pieces_of(rendered, begin, end);
  const auto has = [&](auto property) { return std::any_of(pieces.begin(), pieces.end(), property); };
  if (has([](const Piece& piece) { return piece.segment->tainted; })) return std::nullopt;
  const bool one_expression = pieces.size() == 1 && !pieces.front().segment->literal;
  const Span expression = one_expression ? pieces.front().segment->where : Span();
  if (const auto input = sole_input(pieces, stage.origins))
    return EditablePlace{EditablePlace::What::Input, *input, expression};
  if (one_expression) return EditablePlace{EditablePlace::What::Expression, expression, expression};
  if (has([](const Piece& piece) { return !piece.segment->literal; })) return std::nullopt;
  const Span literal = template_span(pieces);
  const std::string_view bytes = std::string_view(rendered.text()).substr(begin, end - begin);
  if (!literal.known() || stage.sources.text(literal) != bytes) return std::nullopt;
  return EditablePlace{EditablePlace::What::Literal, literal, {}};
}

bool is_made_of(const MappedText& rendered, std::uint32_t begin, std::uint32_t end, Span where,
                const OriginTable& origins) {
  for (const Piece& piece : pieces_of(rendered, begin, end)) {
    for (const OriginId leaf : origins.leaves(piece.segment->value)) {
      if (origins[leaf].span == where) return true;
    }
  }
  return false;
}

std::string shown_bytes(const MappedText& rendered, std::uint32_t begin, std::uint32_t end) {
  std::string shown;
  if (begin == end) return shown;
  for (const Piece& piece : pieces_of(rendered, begin, end)) {
    const std::string_view bytes = std::string_view(rendered.text()).substr(piece.begin, piece.end - piece.begin);
    shown += piece.segment->tainted ? kRedacted : bytes;
  }
  return shown;
}

}  // namespace capwright
