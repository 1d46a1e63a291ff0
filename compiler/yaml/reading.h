// What every part of one reading shares: the text, where it stands, and where faults go.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "diag/catalog.h"
#include "value/stage.h"
#include "yaml/read.h"

namespace capwright::yaml {

// From here on, byte `text` of the text stands at byte `source` of the file, and so on byte by byte; unless the run is
// an escape: then all its bytes stand for the `escape` bytes there.
struct Run {
  std::uint32_t text;
  std::uint32_t source;
  std::uint32_t escape = 0;
};

// Turns offsets of a text that is being read into Spans of the file that holds it.
class Places {
 public:
  static Places of_file(FileId file) { return Places({file, 0, 0}, {{0, 0}}); }
  static Places inside(FileId file, std::vector<Run> runs) { return Places({file, 0, 0}, std::move(runs)); }
  // The text stands nowhere: all of it is said to be at `where`.
  static Places all_at(Span where) { return Places(where, {}); }

  bool exact() const { return !runs_.empty(); }
  Span span(std::uint32_t begin, std::uint32_t end) const {
    if (!is_one_run_) return mapped_span(begin, end);
    const std::uint32_t first = runs_[0].source + (begin - runs_[0].text);
    return {where_.file, first, first + (std::max(begin, end) - begin)};
  }

 private:
  Places(Span where, std::vector<Run> runs)
      : where_(where), runs_(std::move(runs)), is_one_run_(runs_.size() == 1 && runs_[0].escape == 0) {}
  Span mapped_span(std::uint32_t begin, std::uint32_t end) const;
  // Where the byte at `offset` begins and ends in the file.
  std::pair<std::uint32_t, std::uint32_t> source(std::uint32_t offset) const;

  Span where_;
  std::vector<Run> runs_;
  bool is_one_run_;  // the text isn't inside of another, as nearly all are
};

struct Reading {
  std::string_view text;
  Places places;
  Stage& stage;
  ReadOptions options;
  OriginId maker = OriginId::None;  // of everything, when the places aren't exact

  OriginId origin(std::uint32_t begin, std::uint32_t end) {
    return places.exact() ? stage.origins.input(places.span(begin, end)) : maker;
  }

  // Reports at [begin, end) of the text; where that has no exact place, a note says the line and column.
  template <class... Args>
  Diagnostic& report(const DiagSpec<Args...>& spec, std::uint32_t begin, std::uint32_t end,
                     const std::type_identity_t<Args>&... args) {
    return placed(report_at(spec, places.span(begin, end), args...), begin);
  }
  // Reports at a place in the file. A hostile text has a fault a line: past the limit they are dropped.
  template <class... Args>
  Diagnostic& report_at(const DiagSpec<Args...>& spec, Span where, const std::type_identity_t<Args>&... args) {
    if (++reports > stage.limits.diagnostics) return dropped = Diagnostic{};
    return stage.sink.report(spec, where, args...);
  }

  std::uint32_t reports = 0;
  Diagnostic dropped = {};

 private:
  Diagnostic& placed(Diagnostic& diagnostic, std::uint32_t begin) const;
};

// How the text of a scalar, as it stands in a file, maps to the String it became; empty when they disagree.
// `source` is the scalar's span (quotes or `|` included), `style` its style.
std::vector<Run> map_scalar(const SourceSet& sources, Span source, ScalarStyle style, std::string_view decoded);

}  // namespace capwright::yaml
