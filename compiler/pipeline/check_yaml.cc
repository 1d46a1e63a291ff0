// Parses the rendered file with the same reader as manifests, and reports errors at the place to edit.
#include "pipeline/check_yaml.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "diag/catalog/manifest.h"
#include "diag/catalog/text.h"
#include "files/lost_break.h"
#include "files/path_rules.h"
#include "pipeline/reader_gaps.h"
#include "yaml/characters.h"
#include "yaml/read.h"

namespace capwright {
namespace {

// Whether a text can be more than a plain scalar or a part of one.
bool means_something_to_yaml(std::string_view text) {
  static constexpr yaml::CharacterSet kIndicators("&*!|>%@`\"'{[#?-"), kSpaces("\n\t");
  if (text.empty()) return false;
  if (kIndicators.has(text.front()) || kSpaces.has(text.front()) || text.back() == ':') return true;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool separates = (text[i] == ' ' && text[i - 1] == ':') || (text[i] == '#' && text[i - 1] == ' ');
    if (separates || kSpaces.has(text[i])) return true;
  }
  return false;
}

std::string_view segment_text(const MappedText& body, std::span<const Segment> segments, std::size_t i) {
  const std::uint32_t end = i + 1 < segments.size() ? segments[i + 1].begin : body.size();
  return std::string_view(body.text()).substr(segments[i].begin, end - segments[i].begin);
}

// Whether the segment is a value that may change the structure of the file; false for null.
bool is_risky(const MappedText& body, const Segment* segment) {
  if (segment == nullptr || segment->value == OriginId::None) return false;
  const auto number = static_cast<std::size_t>(segment - body.segments().data());
  return means_something_to_yaml(segment_text(body, body.segments(), number));
}

bool has_risky_value(const MappedText& body) {
  const auto segments = body.segments();
  return std::any_of(segments.begin(), segments.end(), [&](const Segment& each) { return is_risky(body, &each); });
}

// Whether a text is quoted or in brackets as a whole, as by `tojson`: then it can't break the next line.
bool is_closed(std::string_view text) {
  if (text.size() < 2) return false;
  const char end = text.back();
  return (text.front() == '"' && end == '"') || (text.front() == '[' && end == ']') ||
         (text.front() == '{' && end == '}');
}

// The begin of the line above the one at `offset`.
std::uint32_t line_above(std::string_view text, std::uint32_t offset) {
  const std::size_t line = offset == 0 ? 0 : text.rfind('\n', std::min<std::size_t>(offset, text.size()) - 1) + 1;
  return line < 2 ? 0 : static_cast<std::uint32_t>(text.rfind('\n', line - 2) + 1);
}

// The segment that caused an error at `offset`: the last risky value at or before it, but not above the previous line;
// otherwise the segment at `offset`.
const Segment* culprit(const MappedText& body, std::uint32_t offset) {
  const auto segments = body.segments();
  if (segments.empty()) return nullptr;
  const std::size_t earliest = line_above(body.text(), offset);
  const std::size_t line = offset == 0 ? 0 : body.text().rfind('\n', offset - 1) + 1;  // npos + 1 is 0
  const Segment* there = body.segment_at(std::min(offset, body.size() - 1));
  for (std::size_t i = segments.size(); i-- > 0;) {
    const auto end = segments[i].begin + segment_text(body, segments, i).size();
    if (segments[i].begin > offset) continue;
    if (end <= earliest) break;
    if (end <= line && is_closed(segment_text(body, segments, i))) continue;
    if (is_risky(body, &segments[i])) return &segments[i];
  }
  return there;
}

// The rendered bytes of secrets, which are redacted where the file's lines are shown.
void add_secrets(const MappedText& body, FileId rendered, std::vector<Span>& secrets) {
  const auto segments = body.segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto end = segments[i].begin + static_cast<std::uint32_t>(segment_text(body, segments, i).size());
    if (segments[i].tainted) secrets.push_back({rendered, segments[i].begin, end});
  }
}

// The value or the template text that an error is reported at.
struct Maker {
  const Segment* segment = nullptr;
  bool is_value = false;
  Span where, template_place;
};

Maker maker_of(const Segment* segment, const Stage& stage) {
  if (segment == nullptr) return {};
  const std::vector<OriginId> leaves = stage.origins.leaves(segment->value);
  const Span where = leaves.size() == 1 ? stage.origins[leaves[0]].span : segment->where;
  return {segment, !leaves.empty(), where, segment->where};
}

void explain(const Maker& maker, const RenderTrace& trace, Diagnostic& diagnostic) {
  if (maker.where != maker.template_place)
    diagnostic.at_caret("this value").also(maker.template_place, "is printed here");
  if (maker.segment == nullptr) return;
  for (FrameId id = maker.segment->frame; id != FrameId::Root;) {
    const RenderFrame& frame = trace[static_cast<std::uint32_t>(id)];
    if (frame.kind == RenderFrame::Kind::Call) diagnostic.trace.push_back({frame.call_site, frame.what});
    id = frame.parent;
  }
}

// Where the printed text is in the template text at `where`, which may have more: a marker `# FILE:` cuts it, and a tag
// trims it. Empty if that is unclear.
std::optional<std::uint32_t> begin_in_template(std::string_view printed, Span where, const Stage& stage) {
  const std::string_view whole = stage.sources.text(where.file).substr(where.begin, where.end - where.begin);
  const std::size_t found = whole.find(printed);
  if (found == std::string_view::npos || whole.find(printed, found + 1) != std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(found);
}

// The maker of a segment whose byte at `offset` is of interest. Template text that is printed as it is gives the place
// of that byte.
Maker maker_at(const MappedText& body, const Segment* segment, std::size_t offset, const Stage& stage) {
  Maker maker = maker_of(segment, stage);
  if (segment == nullptr || maker.is_value || !maker.where.known() || offset < segment->begin) return maker;
  const std::size_t number = static_cast<std::size_t>(segment - body.segments().data());
  const std::string_view printed = segment_text(body, body.segments(), number);
  const auto begin = segment->literal ? begin_in_template(printed, maker.where, stage) : std::nullopt;
  if (!begin) return maker;
  const auto size = static_cast<std::uint32_t>(printed.size());
  maker.where.begin += *begin + std::min(static_cast<std::uint32_t>(offset - segment->begin), size);
  maker.template_place = maker.where;
  return maker;
}

// Where the line of an error, or the one above it, consists of two lines of templates.
bool explain_joined_lines(const MappedText& body, std::uint32_t offset, const Stage& stage, Diagnostic& diagnostic) {
  const std::string_view text = body.text();
  const auto end = static_cast<std::uint32_t>(std::min(text.find('\n', offset), text.size()));
  auto lost = find_lost_break(body, line_above(text, offset), std::min(offset + 1, end), stage);
  if (!lost) lost = find_lost_break(body, offset, end, stage);
  if (!lost) return false;
  diagnostic.also(lost->where, lost->what);
  diagnostic.advise(lost->edit);
  return true;
}

// A key of an object, not of a map in it, that the same document already has.
bool repeats_object_key(const Diagnostic& fault, std::string_view text) {
  const std::uint32_t at = fault.where.begin;
  return fault.info == &diag::duplicate_key.info && (at == 0 || text[at - 1] == '\n');
}

// The first key of another object that no `---` separates from the one before it.
bool begins_object(const Diagnostic& fault, std::string_view text) {
  if (!repeats_object_key(fault, text)) return false;
  const std::string_view key = text.substr(fault.where.begin, fault.where.end - fault.where.begin);
  return key == "apiVersion" || key == "kind";
}

std::string message_of(const RenderedFile& file, const Diagnostic& fault) {
  if (file.secret) return "it contains a secret, so the details are redacted";
  const std::string_view text = file.body.text();
  if (!begins_object(fault, text)) return fault.message;
  const auto lines = std::count(text.begin(), text.begin() + fault.where.begin, '\n');
  return fmt::format("`---` is missing before line {}, where another object begins", lines + 1);
}

void report(const RenderedFile& file, const Diagnostic& fault, const RenderTrace& trace, Stage& stage) {
  const bool misses_separator = begins_object(fault, file.body.text());
  const Segment* segment =
      misses_separator ? file.body.segment_at(fault.where.begin) : culprit(file.body, fault.where.begin);
  const Maker maker = maker_at(file.body, segment, fault.where.begin, stage);
  Diagnostic& diagnostic = stage.sink.report(diag::broken_manifest, maker.where, file.path, message_of(file, fault));
  diagnostic.pattern = fault.info->code;  // one line of a template may break a file of each add-on and cluster
  explain(maker, trace, diagnostic);
  diagnostic.also(fault.where, "and breaks the file here");
  if (!is_risky(file.body, segment) && explain_joined_lines(file.body, fault.where.begin, stage, diagnostic)) return;
  if (misses_separator) diagnostic.advise("begin each object with a line `---`");
  else if (maker.is_value) diagnostic.advise("print it through `tojson`, or a block through `indent`");
}

// The first value among the bytes, otherwise the first text.
const Segment* segment_of(const MappedText& body, std::size_t begin, std::size_t end) {
  const auto segments = body.segments();
  for (std::size_t i = 0; i < segments.size() && segments[i].begin < end; ++i) {
    const std::size_t segment_end = segments[i].begin + segment_text(body, segments, i).size();
    if (segment_end > begin && segments[i].value != OriginId::None) return &segments[i];
  }
  return body.segment_at(static_cast<std::uint32_t>(begin));
}

// The maker of the bytes.
Maker maker_of(const MappedText& body, std::size_t begin, std::size_t end, const Stage& stage) {
  return maker_at(body, segment_of(body, begin, end), begin, stage);
}

// Reports texts that hide objects of the file from Argo CD or from Kubernetes clients.
void check_readers(const RenderedFile& file, const RenderTrace& trace, Stage& stage) {
  const std::string_view text = file.body.text();
  if (!has_manifest_name(file.path) || is_chart_values(file.path)) return;
  if (is_skipped_by_argo(file.path, text)) {
    const std::size_t at = text.find(kSkipMarker);
    const Maker maker = maker_of(file.body, at, at + kSkipMarker.size(), stage);
    Diagnostic& diagnostic = stage.sink.report(diag::skipped_manifest, maker.where, file.path, kSkipMarker);
    diagnostic.pattern = diagnostic.info->code;
    explain(maker, trace, diagnostic);
    diagnostic.advise(maker.is_value ? "remove it from the value" : "remove it from the template");
  }
  const auto gap = has_yaml_name(file.path) ? reader_gap(text) : std::nullopt;
  if (!gap) return;
  const Maker maker = maker_of(file.body, gap->begin, gap->end, stage);
  Diagnostic& diagnostic = stage.sink.report(diag::unclear_documents, maker.where, file.path, gap->what);
  diagnostic.pattern = diagnostic.info->code;
  explain(maker, trace, diagnostic);
  diagnostic.advise("separate documents by lines that consist of `---`");
}

}  // namespace

CheckedYaml check_rendered_yaml(const FileSet& files, KnownShapes* known, const RenderTrace& trace, Stage& stage) {
  CheckedYaml checked;
  rotation::ReadManifests& manifests = checked.manifests;
  for (std::size_t number = 0; number < files.files().size(); ++number) {
    const RenderedFile& file = files.files()[number];
    check_readers(file, trace, stage);
    if (!has_yaml_name(file.path)) continue;
    if (known != nullptr && !has_risky_value(file.body) && has_sound_shape(file, *known, stage.limits)) continue;
    Sink faults;
    Stage reading{stage.sources, faults, manifests.arena, manifests.origins, stage.limits};
    const FileId rendered = stage.sources.add(file.path, file.body.text());
    add_secrets(file.body, rendered, checked.secrets);
    manifests.files.push_back(
        {number, rendered, read_yaml_documents(rendered, reading, {ScalarRules::Kubernetes, TextSyntax::Yaml})});
    bool misses_separator = false;  // then each key of the next object is repeated, too
    for (const Diagnostic& fault : faults.diagnostics()) {
      if (fault.severity != Severity::Error) continue;
      if (misses_separator && repeats_object_key(fault, file.body.text())) continue;
      report(file, fault, trace, stage);
      misses_separator = misses_separator || begins_object(fault, file.body.text());
    }
  }
  return checked;
}

}  // namespace capwright
