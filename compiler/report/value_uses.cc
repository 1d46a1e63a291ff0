// The place of each piece comes first, so that terminals and editors link it.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "pipeline/value_sources.h"
#include "report/json_values.h"
#include "report/palette.h"
#include "report/printable.h"
#include "report/values_report.h"
#include "secrets/urls.h"

namespace capwright::report {
namespace {

constexpr std::size_t kMostReads = 8;

std::string piece_text(const MadePiece& piece) {
  return piece.secret ? "<secret>" : redact_urls(std::string(piece.text));
}

std::string source_place(const CompiledCluster& cluster, Span span) {
  if (!span.known()) return "(no place)";
  const LineCol at = cluster.sources.line_col(span);
  return fmt::format("{}:{}:{}", printable(cluster.sources.path(span.file)), at.line, at.column);
}

class UsesWriter {
 public:
  UsesWriter(const CompiledCluster& cluster, bool color)
      : cluster_(cluster),
        bold_(palette_of(color).bold),
        dim_(palette_of(color).dim),
        reset_(palette_of(color).reset) {}

  void add(const ExplainedValue& value) {
    const bool is_scalar = !value.value.is(Kind::Map) && !value.value.is(Kind::List);
    fmt::format_to(out(), "{}{}{}", bold_, printable(value.path), reset_);
    std::string shown = is_scalar ? values_yaml(cluster_, value.value, Origins::Hidden) : "\n";
    const std::size_t end = shown.find('\n');
    fmt::format_to(out(), "{}{}{}\n", is_scalar ? ": " : "", shown.substr(0, end), end + 1 < shown.size() ? " …" : "");
    std::string_view label = "set at   ";
    for (const ValueSource::Part& part : source_of(cluster_, value.value).parts) {
      fmt::format_to(out(), "  {} {}\n", part.is_default ? "default  " : label, source_place(cluster_, part.where));
      label = "and at   ";
      for (const Span& below : part.overridden)
        fmt::format_to(out(), "  overrides {}\n", source_place(cluster_, below));
    }
    for (const MadePiece& piece : value.made) {
      fmt::format_to(out(), "  makes     {}:{}:{}  `{}`{}  by {}{}\n", printable(piece.file), piece.line, piece.column,
                     printable(piece_text(piece)), dim_, source_place(cluster_, piece.where), reset_);
    }
    for (const DecidedLines& lines : value.decided) {
      const std::string last = lines.last == lines.first ? "" : fmt::format("-{}", lines.last);
      fmt::format_to(out(), "  decides   {}:{}{}{}  {} {}{}\n", printable(lines.file), lines.first, last, dim_,
                     printable(lines.by.what), source_place(cluster_, lines.by.where), reset_);
    }
    if (value.made.empty() && value.decided.empty())
      fmt::format_to(out(), "  makes     nothing in clusters/{}\n", printable(cluster_.name));
    for (std::size_t i = 0; i < std::min(value.read.size(), kMostReads); ++i) {
      const Span place = value.read[i];
      const std::string_view line = cluster_.sources.line_text(place.file, place.begin);
      const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
      fmt::format_to(out(), "  read at   {}{}  `{}`{}\n", source_place(cluster_, place), dim_,
                     printable(std::string(line.substr(first))), reset_);
    }
    if (value.read.size() > kMostReads)
      fmt::format_to(out(), "  and at    {} more places of templates\n", value.read.size() - kMostReads);
  }

  std::string take() { return std::move(text_); }

 private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }

  const CompiledCluster& cluster_;
  std::string_view bold_, dim_, reset_;
  std::string text_;
};

Json place_json(const CompiledCluster& cluster, Span span) {
  if (!span.known()) return nullptr;
  const LineCol at = cluster.sources.line_col(span);
  return {{"file", cluster.sources.path(span.file)}, {"line", at.line}, {"column", at.column}};
}

Json uses_json(const CompiledCluster& cluster, const ExplainedValue& value) {
  Json makes = Json::array(), decides = Json::array(), reads = Json::array();
  for (const MadePiece& piece : value.made) {
    makes.push_back({{"file", piece.file},
                     {"line", piece.line},
                     {"column", piece.column},
                     {"text", piece_text(piece)},
                     {"template", place_json(cluster, piece.where)}});
  }
  for (const DecidedLines& lines : value.decided) {
    decides.push_back({{"file", lines.file},
                       {"first_line", lines.first},
                       {"last_line", lines.last},
                       {"what", lines.by.what},
                       {"at", place_json(cluster, lines.by.where)}});
  }
  for (const Span place : value.read) reads.push_back(place_json(cluster, place));
  const Json values = Json::parse(values_json(cluster, value.value, value.path, Origins::Shown), nullptr, false);
  return {
      {"path", value.path}, {"values", values["values"]}, {"makes", makes}, {"decides", decides}, {"read_at", reads}};
}

}  // namespace

std::string value_uses_text(const CompiledCluster& cluster, std::span<const ExplainedValue> values, bool color) {
  UsesWriter writer(cluster, color);
  for (const ExplainedValue& value : values) writer.add(value);
  return writer.take();
}

std::string value_uses_json(const CompiledCluster& cluster, std::span<const ExplainedValue> values) {
  Json list = Json::array();
  for (const ExplainedValue& value : values) list.push_back(uses_json(cluster, value));
  return Json{{"cluster", cluster.name}, {"explained", list}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string value_uses_document(std::span<const std::string> clusters) {
  Json list = Json::array();
  for (const std::string& cluster : clusters) list.push_back(Json::parse(cluster));
  return Json{{"version", 1}, {"clusters", list}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace capwright::report
