// Follows provenance backwards: from bytes to segments, from segments to origins, from origins to paths of values.
#include "pipeline/explain.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <utility>

namespace capwright {
namespace {

// Maps the places of values to their paths.
class Paths {
 public:
  explicit Paths(const CompiledCluster& cluster) : origins_(cluster.origins) { add(cluster.values, "", Span()); }

  // Empty if no merged value was written there.
  std::string at(Span place) const {
    const auto found = owners_.find(place);
    return found == owners_.end() ? std::string() : found->second.path;
  }

 private:
  struct Owner {
    std::string path;
    std::uint32_t distance;  // from its key to the value, in bytes
  };

  // A value that comes from a reference is written at the reference's target, whose own key directly precedes it.
  void own(Span place, const std::string& path, Span key) {
    const bool beside = key.file == place.file && key.end <= place.begin;
    const std::uint32_t distance = beside ? place.begin - key.end : std::numeric_limits<std::uint32_t>::max();
    const auto [known, is_new] = owners_.try_emplace(place, Owner{path, distance});
    if (!is_new && distance < known->second.distance) known->second = {path, distance};
  }

  void add(const Value& value, const std::string& path, Span key) {
    if (value.is(Kind::List)) {
      for (std::size_t i = 0; i < value.items().size(); ++i) add(value.items()[i], fmt::format("{}[{}]", path, i), key);
    } else if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries()) {
        const std::string below =
            path.empty() ? std::string(entry.key.text()) : fmt::format("{}.{}", path, entry.key.text());
        const Span own_key = origins_[entry.key.origin()].span;
        add(entry.value, below, own_key);
        own(own_key, below, Span());
      }
    } else {
      for (const OriginId leaf : origins_.leaves(value.origin())) own(origins_[leaf].span, path, key);
      return;
    }
    // A filter such as `length` reads a list or map as a whole. One that was made of a value in it has its place.
    if (!path.empty()) own(origins_[value.origin()].span, path, Span());
  }

  const OriginTable& origins_;
  std::map<Span, Owner> owners_;
};

class Explainer {
 public:
  explicit Explainer(const CompiledCluster& cluster) : cluster_(cluster), paths_(cluster) {}

  ExplainedLine line(const RenderedFile& file, std::uint32_t number, std::uint32_t begin, std::uint32_t end) const {
    ExplainedLine line{number, begin, std::string_view(file.body.text()).substr(begin, end - begin), {}};
    const auto segments = file.body.segments();
    auto segment = std::upper_bound(segments.begin(), segments.end(), begin,
                                    [](std::uint32_t at, const Segment& s) { return at < s.begin; });
    if (segment != segments.begin()) --segment;
    for (; segment != segments.end() && segment->begin < std::max(end, begin + 1); ++segment) {
      const std::uint32_t next = std::next(segment) == segments.end() ? file.body.size() : std::next(segment)->begin;
      line.pieces.push_back(piece(*segment, std::max(segment->begin, begin), std::min(next, end)));
    }
    return line;
  }

 private:
  ExplainedPiece piece(const Segment& segment, std::uint32_t begin, std::uint32_t end) const {
    ExplainedPiece piece{begin, end, segment.where, segment.literal, is_kept(segment.frame), trace(segment.frame), {}};
    if (segment.literal && begin > segment.begin) piece.where.begin += begin - segment.begin;
    if (segment.literal) piece.where.end = std::min(piece.where.end, piece.where.begin + (end - begin));
    piece.secret = segment.tainted;
    for (const OriginId leaf : cluster_.origins.leaves(segment.value)) {
      piece.inputs.push_back(input(leaf, segment.tainted));
    }
    return piece;
  }

  bool is_kept(FrameId id) const {
    return id != FrameId::Root && cluster_.trace[static_cast<std::uint32_t>(id)].kind == RenderFrame::Kind::Kept;
  }

  std::vector<TraceFrame> trace(FrameId id) const {
    std::vector<TraceFrame> frames;
    while (id != FrameId::Root) {
      const RenderFrame& frame = cluster_.trace[static_cast<std::uint32_t>(id)];
      frames.push_back({frame.call_site, frame.what});
      id = frame.parent;
    }
    return frames;
  }

  ExplainedInput input(OriginId leaf, bool tainted) const {
    const Origin& origin = cluster_.origins[leaf];
    ExplainedInput input;
    input.where = origin.span;
    input.is_default = origin.kind == Origin::Kind::SchemaDefault;
    const std::vector<Span>& secrets = cluster_.secrets.places;
    input.secret = tainted && std::find(secrets.begin(), secrets.end(), origin.span) != secrets.end();
    input.path = paths_.at(origin.span);
    for (OriginId below = origin.overrides; below != OriginId::None; below = cluster_.origins[below].overrides) {
      input.overridden.push_back(cluster_.origins[below].span);
    }
    return input;
  }

  const CompiledCluster& cluster_;
  Paths paths_;
};

}  // namespace

std::vector<ExplainedLine> explain_lines(const CompiledCluster& cluster, const RenderedFile& file,
                                         std::optional<std::uint32_t> line) {
  const Explainer explainer(cluster);
  const std::string& text = file.body.text();
  std::vector<ExplainedLine> lines;
  std::uint32_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (!line || *line == number) {
      lines.push_back(explainer.line(file, number, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)));
    }
    begin = end + 1;
  }
  return lines;
}

}  // namespace capwright
