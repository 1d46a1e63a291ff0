// The context of every stage of one cluster's compilation. Stages have no other state, and there are no globals.
#pragma once
#include "base/arena.h"
#include "diag/diag.h"
#include "source/source.h"
#include "value/limits.h"
#include "value/provenance.h"
#include "value/value.h"

namespace capwright {

struct Stage {
  SourceSet& sources;
  Sink& sink;
  Arena& arena;
  OriginTable& origins;
  const Limits& limits;

  Span span_of(const Value& value) const { return origins[value.origin()].span; }
};

// A stage with state of its own, for a text whose places and values nothing else needs.
struct OwnStage {
  explicit OwnStage(const Limits& given = {}) : limits(given) {}
  OwnStage(const OwnStage&) = delete;
  OwnStage& operator=(const OwnStage&) = delete;

  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  const Limits limits;
  Stage stage{sources, sink, arena, origins, limits};
};

// Copies the tree of `value` (strings are shared). Its origins, found in `from`, become Input origins of `stage` at the
// same spans. The sources of `from` must be attached to those of `stage`.
Value restamp(const Value& value, const OriginTable& from, Stage& stage);

}  // namespace capwright
