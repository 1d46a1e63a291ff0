// Dumps for visual comparison: complete, and without ids.
#include "support/dump.h"

#include <fmt/format.h>

#include "report/printable.h"

namespace capwright::spec {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20) out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else out += c;
  }
  return out + '"';
}

std::string place(Span span, const SourceSet& sources) {
  const LineCol begin = sources.line_col(span.file, span.begin), end = sources.line_col(span.file, span.end);
  const std::string last =
      begin.line == end.line ? fmt::format("{}", end.column) : fmt::format("{}:{}", end.line, end.column);
  return fmt::format("{}:{}:{}-{}", sources.path(span.file), begin.line, begin.column, last);
}

}  // namespace

std::string dump_json(const Value& value) {
  if (value.tainted() && !value.is(Kind::List) && !value.is(Kind::Map)) return "\"<secret>\"";
  switch (value.kind()) {
    case Kind::Null: return "null";
    case Kind::Bool: return value.as_bool() ? "true" : "false";
    case Kind::Int: return fmt::format("{}", value.as_int());
    case Kind::Float: return fmt::format("{}", value.as_float());
    case Kind::String: return quoted(value.text());
    case Kind::List: {
      std::string text;
      for (const Value& item : value.items()) text += (text.empty() ? "" : ", ") + dump_json(item);
      return "[" + text + "]";
    }
    case Kind::Map: {
      std::string text;
      for (const Entry& entry : value.entries()) {
        text += (text.empty() ? "" : ", ") + dump_json(entry.key) + ": " + dump_json(entry.value);
      }
      return "{" + text + "}";
    }
    default: return fmt::format("<{}>", kind_name(value.kind()));
  }
}

std::string dump_segments(const MappedText& text, const SourceSet& sources, const OriginTable& origins) {
  std::string dump;
  const auto segments = text.segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::uint32_t end = i + 1 < segments.size() ? segments[i + 1].begin : text.size();
    dump += fmt::format("{} <- {}",
                        quoted(std::string_view(text.text()).substr(segments[i].begin, end - segments[i].begin)),
                        place(segments[i].where, sources));
    for (const OriginId leaf : origins.leaves(segments[i].value)) dump += " " + place(origins[leaf].span, sources);
    if (segments[i].literal) dump += " literal";
    if (segments[i].tainted) dump += " secret";
    dump += '\n';
  }
  return dump;
}

}  // namespace capwright::spec
