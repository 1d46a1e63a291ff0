// Columns are counted from the line's bytes; a position inside a character counts as its start.
#include "report/region.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/sha.h"
#include "embedded/embedded.h"

namespace capwright::report {
namespace {

constexpr std::size_t kFingerprintDigits = 32;

// The number of units in the characters of `text`.
std::uint32_t units(std::string_view text, ColumnUnit unit) {
  if (unit == ColumnUnit::Utf8) return static_cast<std::uint32_t>(text.size());
  std::uint32_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool starts = (byte & 0xc0U) != 0x80;
    const bool is_pair = unit == ColumnUnit::Utf16 && byte >= 0xf0;  // beyond U+FFFF: two UTF-16 units
    count += (starts ? 1 : 0) + (is_pair ? 1 : 0);
  }
  return count;
}

LineCol place(FileId file, std::uint32_t offset, const SourceSet& sources, ColumnUnit unit) {
  LineCol at = sources.line_col(file, offset);
  const std::string_view before = sources.text({file, 0, offset});
  at.column = 1 + units(before.substr(before.rfind('\n') + 1), unit);
  return at;
}

// Whether the text is built-in: no repository has the file, unless it has vendored the template set.
bool is_built_in(FileId file, const SourceSet& sources) {
  const auto all = embedded::files();
  const std::string_view path = sources.path(file);
  const auto known =
      std::lower_bound(all.begin(), all.end(), path,
                       [](const embedded::File& each, std::string_view sought) { return each.path < sought; });
  return known != all.end() && known->path == path && known->text == sources.text(file);
}

bool is_file(FileId file, const SourceSet& sources) {
  const std::string_view path = sources.path(file);
  return !path.empty() && !path.starts_with("--") && !path.starts_with('<') && !is_built_in(file, sources);
}

std::string place_words(const Finding& finding) {
  const Span where = finding.diagnostic->where;
  const std::string in = finding.revision.empty() ? "" : fmt::format(" in {}", finding.revision);
  if (!where.known()) return in.empty() ? "" : fmt::format(" ({})", in.substr(1));
  if (in.empty() && is_file(where.file, *finding.sources)) return {};
  const LineCol at = finding.sources->line_col(where);
  return fmt::format(" (at {}:{}:{}{})", finding.sources->path(where.file), at.line, at.column, in);
}

}  // namespace

std::optional<Region> region_of(Span where, const SourceSet& sources, ColumnUnit unit, std::string_view folder) {
  if (!where.known() || !is_file(where.file, sources)) return std::nullopt;
  const auto size = static_cast<std::uint32_t>(sources.text(where.file).size());
  const std::uint32_t begin = std::min(where.begin, size), end = std::clamp(where.end, begin, size);
  return Region{std::string(folder) + std::string(sources.path(where.file)), place(where.file, begin, sources, unit),
                place(where.file, end, sources, unit)};
}

std::optional<Region> region_of(const Finding& finding, ColumnUnit unit, std::string_view folder) {
  if (!finding.revision.empty()) return std::nullopt;
  const Diagnostic& diagnostic = *finding.diagnostic;
  std::optional<Region> region = region_of(diagnostic.where, *finding.sources, unit, folder);
  for (std::size_t i = 0; !region && i < diagnostic.labels.size(); ++i)
    region = region_of(diagnostic.labels[i].where, *finding.sources, unit, folder);
  return region;
}

std::string one_line(const Finding& finding) { return printable(finding.diagnostic->message) + place_words(finding); }

std::string whole_message(const Finding& finding) {
  const Diagnostic& diagnostic = *finding.diagnostic;
  std::string text = one_line(finding);
  for (const std::string& note : diagnostic.notes) text += "\n" + printable(note);
  if (finding.clusters.size() > 1)
    text += fmt::format("\nin {} clusters: {}", finding.clusters.size(), clusters_of(finding));
  if (diagnostic.help) text += "\nhelp: " + printable(*diagnostic.help);
  return text;
}

std::string rule_name(const DiagInfo& info) {
  std::string name(info.name);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string Fingerprints::next(const Finding& finding) {
  const Span where = finding.diagnostic->where;
  const std::string_view path = where.known() ? finding.sources->path(where.file) : std::string_view();
  std::string key = fmt::format("{}\n{}\n{}", finding.diagnostic->info->code, path, finding.diagnostic->message);
  const std::size_t number = seen_[key]++;
  if (number != 0) key += fmt::format("\n{}", number);
  return to_hex(sha256(key)).substr(0, kFingerprintDigits);
}

}  // namespace capwright::report
