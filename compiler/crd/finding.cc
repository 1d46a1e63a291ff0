// The server's words for phases and reasons, paths and values.
#include "crd/finding.h"

#include <fmt/format.h>

#include "base/check.h"
#include "cel/text_forms.h"
#include "crd/place.h"
#include "diag/suggest.h"
#include "yaml/write.h"

namespace capwright::crd {
namespace {

void append_path(std::string& path, const Place& place) {
  if (place.parent == nullptr) return;
  append_path(path, *place.parent);
  if (place.key == nullptr) path += fmt::format("[{}]", place.index);
  else path += (path.empty() ? "" : ".") + std::string(place.key->text());
}

Span written_at(const Value& value, const OriginTable& origins) {
  if (value.origin() == OriginId::None) return {};
  const Origin& origin = origins[value.origin()];
  if (origin.kind == Origin::Kind::Input) return origin.span;
  for (const OriginId leaf : origins.leaves(value.origin())) {
    if (origins[leaf].kind == Origin::Kind::Input) return origins[leaf].span;
  }
  return {};
}

// Only the first line of a long piece of text is pointed at.
Span first_line(Span span, const SourceSet& sources) {
  const std::size_t line_break = sources.text(span).find_first_of("\r\n");
  if (line_break != std::string_view::npos) span.end = span.begin + static_cast<std::uint32_t>(line_break);
  return span;
}

}  // namespace

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::Parse: return "parse";
    case Phase::DuplicateKey: return "duplicate-key";
    case Phase::Version: return "version";
    case Phase::UnknownField: return "unknown-field";
    case Phase::Decode: return "decode";
    case Phase::Metadata: return "metadata";
    case Phase::Schema: return "schema";
    case Phase::EmbeddedMetadata: return "embedded-metadata";
    case Phase::ListType: return "list-type";
    case Phase::Scale: return "scale";
    case Phase::Cel: return "cel";
    case Phase::Admission: return "webhook";
    case Phase::Conversion: return "conversion";
  }
  CW_UNREACHABLE("a Phase has no such value");
}

std::string_view reason_text(Reason reason) {
  switch (reason) {
    case Reason::Invalid:
    case Reason::TypeInvalid: return "Invalid value";
    case Reason::Required: return "Required value";
    case Reason::Duplicate: return "Duplicate value";
    case Reason::NotSupported: return "Unsupported value";
    case Reason::Forbidden: return "Forbidden";
    case Reason::TooLong: return "Too long";
    case Reason::TooMany: return "Too many";
    case Reason::NotFound: return "Not found";
    case Reason::UnknownField: return "unknown field";
    case Reason::Malformed: return "malformed";
  }
  CW_UNREACHABLE("a Reason has no such value");
}

std::string path_of(const Place& place) {
  std::string path;
  append_path(path, place);
  return path;
}

std::string path_of(const Place& place, std::string_view member) {
  std::string path = path_of(place);
  return path + (path.empty() ? "" : ".") + std::string(member);
}

Span key_span_of(const Place& place, const OriginTable& origins, const SourceSet& sources) {
  for (const Place* at = &place; at != nullptr; at = at->parent) {
    const Span written = written_at(at->key != nullptr ? *at->key : at->value, origins);
    if (written.known()) return first_line(written, sources);
  }
  return {};
}

Span span_of(const Place& place, const OriginTable& origins, const SourceSet& sources) {
  const Span written = written_at(place.value, origins);
  const bool container = place.value.is(Kind::List) || place.value.is(Kind::Map);
  if (!written.known() || container) return key_span_of(place, origins, sources);
  return first_line(written, sources);
}

void suggest(Finding& finding, std::string_view written, std::span<const std::string_view> candidates) {
  finding.meant = nearest(written, candidates);
  finding.help = did_you_mean(written, candidates);
}

std::string with_value(Reason reason, const Value& value) {
  std::string text(reason_text(reason));
  text += ": ";
  if (value.tainted()) return text + "<redacted>";
  return text + (value.is(Kind::String) ? cel::quoted(value.text()) : canonical_json(value));
}

}  // namespace capwright::crd
