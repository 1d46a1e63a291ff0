// Both formats of an explanation. Secret values are named, never shown.
#include "report/explanation.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/palette.h"
#include "report/printable.h"

namespace capwright::report {
namespace {

using Json = nlohmann::ordered_json;

bool holds(const ExplainedLine& line, const ExplainedPiece& piece, std::uint32_t column) {
  if (column == 0) return true;
  const std::uint32_t at = line.begin + column - 1;
  return piece.begin <= at && at < piece.end;
}

std::string text_of(const ExplainedLine& line, const ExplainedPiece& piece) {
  return piece.secret ? "<secret>" : std::string(line.text.substr(piece.begin - line.begin, piece.end - piece.begin));
}

// The line with its secrets redacted.
std::string shown_line(const ExplainedLine& line) {
  std::string text;
  for (const ExplainedPiece& piece : line.pieces) text += text_of(line, piece);
  return text;
}

std::string_view label_of(const ExplainedPiece& piece) {
  if (piece.kept) return "earlier text";
  if (piece.literal) return "template text";
  const bool is_between = piece.where.known() && piece.where.size() == 0;  // a digest in template text
  return is_between ? "put in at" : "printed by";
}

class Writer {
 public:
  Writer(const CompiledCluster& cluster, bool color)
      : cluster_(cluster),
        bold_(palette_of(color).bold),
        dim_(palette_of(color).dim),
        reset_(palette_of(color).reset) {}

  std::string place(Span span) const {
    if (!span.known()) return "(no place)";
    const LineCol at = cluster_.sources.line_col(span);
    return fmt::format("{}:{}:{}", printable(cluster_.sources.path(span.file)), at.line, at.column);
  }

  void line(std::string_view path, const ExplainedLine& line, std::uint32_t column) {
    fmt::format_to(out(), "{}{}:{}{}\n  {}\n", bold_, printable(path), line.number, reset_,
                   printable(shown_line(line)));
    for (const ExplainedPiece& piece : line.pieces) {
      if (holds(line, piece, column)) add(line, piece);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }

  void add(const ExplainedLine& line, const ExplainedPiece& piece) {
    fmt::format_to(out(), "    {}`{}`{}\n", bold_, printable(text_of(line, piece)), reset_);
    fmt::format_to(out(), "      {:<13} {}\n", label_of(piece), place(piece.where));
    for (const ExplainedInput& input : piece.inputs) add(input);
    if (!piece.literal && !piece.kept && piece.inputs.empty())
      fmt::format_to(out(), "      value         written in the template\n");
    for (const TraceFrame& frame : piece.trace) {
      fmt::format_to(out(), "      {}{}{}{}\n", dim_, printable(frame.what),
                     frame.where.known() ? " " + place(frame.where) : "", reset_);
    }
  }

  void add(const ExplainedInput& input) {
    const std::string name = input.path.empty() ? "(file)" : printable(input.path);
    fmt::format_to(out(), "      value         {} {} {}\n", name,
                   input.is_default ? "defaults to the schema's at" : "set at", place(input.where));
    for (const Span& below : input.overridden)
      fmt::format_to(out(), "                    overrides {}\n", place(below));
  }

  const CompiledCluster& cluster_;
  std::string_view bold_, dim_, reset_;
  std::string text_;
};

Json place(const CompiledCluster& cluster, Span span) {
  if (!span.known()) return nullptr;
  const LineCol begin = cluster.sources.line_col(span.file, span.begin),
                end = cluster.sources.line_col(span.file, span.end);
  return {{"path", cluster.sources.path(span.file)},
          {"start", {{"line", begin.line}, {"column", begin.column}}},
          {"end", {{"line", end.line}, {"column", end.column}}}};
}

Json as_object(const CompiledCluster& cluster, const ExplainedInput& input) {
  Json overridden = Json::array();
  for (const Span& below : input.overridden) overridden.push_back(place(cluster, below));
  return {{"value", input.path},
          {"set_at", place(cluster, input.where)},
          {"default", input.is_default},
          {"secret", input.secret},
          {"overrides", overridden}};
}

Json as_object(const CompiledCluster& cluster, const ExplainedLine& line, const ExplainedPiece& piece) {
  Json trace = Json::array(), inputs = Json::array();
  for (const TraceFrame& frame : piece.trace)
    trace.push_back({{"what", frame.what}, {"at", place(cluster, frame.where)}});
  for (const ExplainedInput& input : piece.inputs) inputs.push_back(as_object(cluster, input));
  return {{"text", text_of(line, piece)},
          {"template", place(cluster, piece.where)},
          {"literal", piece.literal},
          {"trace", trace},
          {"inputs", inputs}};
}

}  // namespace

std::string explanation_text(const CompiledCluster& cluster, std::string_view path,
                             std::span<const ExplainedLine> lines, std::uint32_t column, bool color) {
  Writer writer(cluster, color);
  for (const ExplainedLine& line : lines) writer.line(path, line, column);
  return writer.take();
}

std::string explanation_json(const CompiledCluster& cluster, std::string_view path,
                             std::span<const ExplainedLine> lines, std::uint32_t column) {
  Json list = Json::array();
  for (const ExplainedLine& line : lines) {
    Json pieces = Json::array();
    for (const ExplainedPiece& piece : line.pieces) {
      if (holds(line, piece, column)) pieces.push_back(as_object(cluster, line, piece));
    }
    list.push_back({{"line", line.number}, {"text", shown_line(line)}, {"pieces", pieces}});
  }
  const Json document = {{"version", 1}, {"path", path}, {"lines", list}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace capwright::report
