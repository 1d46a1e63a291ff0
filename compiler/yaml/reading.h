// The shared state of one reading: the text, its place in a file, and how errors are reported.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "value/stage.h"
#include "yaml/read.h"

namespace capwright::yaml {

// From here on, byte `text` of the text is byte `source` of the file, and so on byte by byte. If the run is an escape,
// all its bytes correspond to the `escape` bytes there.
struct Run {
  std::uint32_t text;
  std::uint32_t source;
  std::uint32_t escape = 0;
};

// Converts offsets of the text to Spans of its file.
class Places {
 public:
  static Places of_file(FileId file) { return Places({file, 0, 0}, {{0, 0}}); }
  static Places inside(FileId file, std::vector<Run> runs) { return Places({file, 0, 0}, std::move(runs)); }
  // For text that isn't in a file: every place is `where`.
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
  // The begin and end, in the file, of the byte at `offset`.
  std::pair<std::uint32_t, std::uint32_t> source(std::uint32_t offset) const;

  Span where_;
  std::vector<Run> runs_;
  bool is_one_run_;  // the usual case: the text isn't inside another text
};

struct Reading {
  std::string_view text;
  Places places;
  Stage& stage;
  ReadOptions options;
  OriginId maker = OriginId::None;         // of all values, if places aren't exact
  std::span<const Segment> segments = {};  // the map of a text that a template printed; then scalars have own origins

  // Of a scalar or a key.
  OriginId origin(std::uint32_t begin, std::uint32_t end) {
    if (!places.exact() && !segments.empty()) return printed_origin(begin, end);
    return places.exact() ? stage.origins.input(places.span(begin, end)) : maker;
  }
  // Of a list or a map.
  OriginId collection_origin(std::uint32_t begin, std::uint32_t end) {
    if (!places.exact() && !segments.empty()) return OriginId::None;
    return origin(begin, end);
  }

  // Reports at [begin, end) of the text; if that has no exact place, a note names the line and column.
  template <class... Args>
  Diagnostic& report(const DiagSpec<Args...>& spec, std::uint32_t begin, std::uint32_t end,
                     const std::type_identity_t<Args>&... args) {
    return placed(report_at(spec, places.span(begin, end), args...), begin);
  }
  // Reports at a place in the file. Hostile text can have an error on every line: errors above the limit are dropped.
  template <class... Args>
  Diagnostic& report_at(const DiagSpec<Args...>& spec, Span where, const std::type_identity_t<Args>&... args) {
    if (++reports > stage.limits.diagnostics) return dropped = Diagnostic{};
    return stage.sink.report(spec, where, args...);
  }

  std::uint32_t reports = 0;
  Diagnostic dropped = {};

 private:
  OriginId printed_origin(std::uint32_t begin, std::uint32_t end);
  Diagnostic& placed(Diagnostic& diagnostic, std::uint32_t begin) const;
};

// Maps the source text of a scalar to its String; empty if they don't correspond. `source` is the scalar's span
// (including quotes or `|`), `style` its style.
std::vector<Run> map_scalar(const SourceSet& sources, Span source, ScalarStyle style, std::string_view decoded);

// Messages for syntax errors. The library's messages describe its state; these name the mistake.

// The note for a tag such as `{{ name }}` in a position that YAML doesn't allow.
inline constexpr std::string_view kTemplateNote = "this looks like a template that isn't rendered yet";
inline constexpr std::string_view kTemplateHelp = "check the rendered output instead, such as that of `helm template`";

// Reports the error that the library found at `offset` and described as `library_message`.
void report_syntax_fault(Reading&, std::uint32_t offset, std::string_view library_message);
// Reports a bracket that is still open at `offset`, although the document ends with it or a line below it isn't
// indented as its content; false: there is none. The library reads such lines as content, and reports an error at a
// later one.
bool report_open_bracket(Reading&, std::uint32_t offset);

}  // namespace capwright::yaml
