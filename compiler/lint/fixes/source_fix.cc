// Replaces a text only if it parses to what the rule saw, and keeps its quoting style.
#include "lint/fixes/source_fix.h"

#include <algorithm>
#include <fmt/format.h>

#include "files/blame.h"
#include "lint/model/printed.h"
#include "lint/model/written.h"
#include "yaml/read.h"
#include "yaml/scalar_text.h"

namespace capwright::lint {
namespace {

using What = Replacement::What;

bool is_quote(char c) { return c == '"' || c == '\''; }

// The parsed text of a single-line scalar or key, before its type is resolved; empty for aliases, tags and blocks.
std::optional<std::string> read_scalar(std::string_view source) {
  if (source.empty() || source.find_first_of("\r\n") != std::string_view::npos) return std::nullopt;
  if (!is_quote(source[0])) {
    constexpr std::string_view kOthers = "&*!|>[]{}";
    return kOthers.find(source[0]) == std::string_view::npos ? std::optional(std::string(source)) : std::nullopt;
  }
  if (source.size() < 2 || source.back() != source[0]) return std::nullopt;
  const ScalarStyle style = source[0] == '"' ? ScalarStyle::DoubleQuoted : ScalarStyle::SingleQuoted;
  return yaml::flow_text(source.substr(1, source.size() - 2), style, yaml::LineBreaks::Yaml11);
}

std::string single_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

std::string double_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return quoted + "\"";
}

bool reads_as_text(std::string_view plain) {
  return resolve_plain(plain, ScalarRules::Kubernetes).is(Kind::String) &&
         resolve_plain(plain, ScalarRules::Core).is(Kind::String);
}

// `text` in the style of the text it replaces, `before`; empty if it doesn't fit on one line.
std::optional<std::string> write_text(std::string_view text, std::string_view before, bool is_json) {
  const yaml::ScalarShape shape = yaml::shape_of(text, true);
  if (!shape.single_quoted || shape.multiline) return std::nullopt;
  if (is_json || before.starts_with('"')) return double_quoted(text);
  if (before.starts_with('\'')) return single_quoted(text);
  return shape.plain_in_flow && reads_as_text(text) ? std::string(text) : double_quoted(text);
}

bool has_jinja(std::string_view text) {
  return text.find("{{") != std::string_view::npos || text.find("{%") != std::string_view::npos ||
         text.find("{#") != std::string_view::npos || text.find("}}") != std::string_view::npos;
}

// A line without surrounding white space, and its offset.
struct Line {
  std::string_view text;
  std::size_t begin;
};

// The lines that aren't blank.
std::vector<Line> lines_of(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t first = line.find_first_not_of(kBlank);
    if (first != std::string_view::npos)
      lines.push_back({line.substr(first, line.find_last_not_of(kBlank) + 1 - first), begin + first});
    begin = end + 1;
  }
  return lines;
}

// The offset in `original` of the byte at `offset` of `printed`; empty unless their lines are equal, apart from
// indentation and blank lines.
std::optional<std::uint32_t> same_place(std::string_view printed, std::size_t offset, std::string_view original) {
  const std::vector<Line> there = lines_of(printed), here = lines_of(original);
  const bool is_same = std::equal(there.begin(), there.end(), here.begin(), here.end(),
                                  [](const Line& a, const Line& b) { return a.text == b.text; });
  if (!is_same) return std::nullopt;
  for (std::size_t i = 0; i < there.size(); ++i) {
    if (offset < there[i].begin || offset >= there[i].begin + there[i].text.size()) continue;
    return static_cast<std::uint32_t>(here[i].begin + (offset - there[i].begin));
  }
  return std::nullopt;
}

class SourceEdits {
 public:
  explicit SourceEdits(const Cluster& cluster) : cluster_(cluster), sources_(cluster.sources()) {}

  // Adds the edits of one part; returns false if it can't be edited.
  bool add(const Replacement& part) {
    const Place& place = part.place;
    if (place.cluster != &cluster_ || !place.span.known()) return false;
    if (part.what == What::Source) return add_edit(place.span, part.text);
    const bool is_rendered = place.file != nullptr && place.file->rendered != nullptr;
    if (is_rendered) return add_rendered(part);
    if (place.file != nullptr && cluster_.inputs() != nullptr) return false;  // other outputs may be made from it, too
    // A default of a schema isn't a value of this cluster.
    if (place.file == nullptr && SourceSet::is_shared(place.span.file)) return false;
    return add_scalar(place.span, part, place.file == nullptr);
  }

  std::vector<Edit> take() { return std::move(edits_); }
  // The safety of the edits, whatever the repair is.
  Safety safety() const { return safety_; }

 private:
  bool add_edit(Span where, std::string text) {
    const bool is_secret = std::any_of(cluster_.secrets().begin(), cluster_.secrets().end(), [&](const Span& secret) {
      return secret.file == where.file && secret.begin < std::max(where.end, where.begin + 1) &&
             where.begin < secret.end;
    });
    if (is_secret) return false;
    edits_.push_back({where, std::move(text)});
    return true;
  }

  // Edits a scalar or key in its source. A value keeps its quotes, whatever the template does with it.
  bool add_scalar(Span where, const Replacement& part, bool is_value) {
    const std::string_view before = sources_.text(where);
    if (read_scalar(before) != part.old) return false;
    const Properties properties = properties_of(sources_.text(where.file), where.begin);
    if (properties.tag) return false;                 // the tag determines the type, with or without quotes
    if (properties.anchor) safety_ = Safety::Unsafe;  // other places use the anchor too
    const bool is_json = sources_.path(where.file).ends_with(".json");
    std::optional<std::string> written = part.text;
    if (part.what != What::Plain || (is_value && is_quote(before[0]))) written = write_text(part.text, before, is_json);
    if (!written || *written == before) return false;
    return add_edit(where, std::move(*written));
  }

  bool add_rendered(const Replacement& part) {
    const MappedText& body = part.place.file->rendered->body;
    const Span whole = part.place.span;
    if (whole.begin >= whole.end || whole.end > body.size()) return false;
    const Stage makers = cluster_.makers();
    const auto found = editable_place(body, whole.begin, whole.end, makers);
    if (found && found->what == EditablePlace::What::Literal)
      return !has_jinja(part.text) && add_scalar(found->where, part, false);
    const std::string_view bytes = sources_.text(whole);
    if (found && !is_quote(bytes[0]) && part.text == part.old) {
      if (const auto number = number_in_values(cluster_, *part.place.file, whole)) return add_quotes_to_number(*number);
      if (prints_alone(body, whole.begin, whole.end)) return add_quotes(found->expression);
    }
    // Quotes usually come from the template, and the text between them from the value.
    const bool quoted = bytes.size() > 2 && is_quote(bytes[0]) && bytes.back() == bytes[0];
    if (quoted && part.place.is_about_quotes) return remove_quotes(body, whole, makers);
    const auto inner = quoted ? editable_place(body, whole.begin + 1, whole.end - 1, makers) : found;
    if (!inner || inner->what != EditablePlace::What::Input) return false;
    if (SourceSet::is_shared(inner->where.file)) return false;
    if (part.text != part.old && is_a_name(inner->where, part.place)) return false;
    if (const auto inside = place_in_block(body, whole, inner->where)) return add_scalar(*inside, part, false);
    return add_scalar(inner->where, part, true);
  }

  // Whether the value also names the cluster or the object: replacing it would rename them, which a finding about one
  // field never intends.
  bool is_a_name(Span value, const Place& place) const {
    if (cluster_.values()["cluster_name"].whole_span() == value) return true;
    if (place.object == nullptr) return false;
    const Span name = (*place.object)["metadata.name"].span();
    return name.file == place.span.file && name.begin < name.end &&
           is_made_of(place.file->rendered->body, name.begin, name.end, value, cluster_.makers().origins);
  }

  // The place of a rendered scalar in the block of a values file that an expression passed through: on the same line,
  // apart from indentation. Empty if the expression changed the lines, or there is no such block.
  std::optional<Span> place_in_block(const MappedText& body, Span scalar, Span value) const {
    if (!sources_.text(value).starts_with('|')) return std::nullopt;
    const Value* block = string_at(cluster_.values().value(), value);
    if (block == nullptr) return std::nullopt;
    const Printed printed = printed_around(body, scalar.begin);
    if (scalar.end > printed.end) return std::nullopt;
    const std::string_view shown = std::string_view(body.text()).substr(printed.begin, printed.end - printed.begin);
    const auto begin = same_place(shown, scalar.begin - printed.begin, block->text());
    if (!begin) return std::nullopt;
    return span_inside(*block, *begin, *begin + scalar.size(), cluster_.makers());
  }

  // The String of the values with this place.
  const Value* string_at(const Value& value, Span where) const {
    if (value.is(Kind::String)) return cluster_.makers().origins[value.origin()].span == where ? &value : nullptr;
    for (const Value& item : value.is(Kind::List) ? value.items() : std::span<const Value>()) {
      if (const Value* found = string_at(item, where)) return found;
    }
    for (const Entry& entry : value.is(Kind::Map) ? value.entries() : std::span<const Entry>()) {
      if (const Value* found = string_at(entry.value, where)) return found;
    }
    return nullptr;
  }

  // Quotes around the printed value would preserve the mistake.
  bool add_quotes_to_number(Span where) {
    if (properties_of(sources_.text(where.file), where.begin).tag) return false;
    safety_ = Safety::Unsafe;  // a template may use it as a number
    return add_edit(where, double_quoted(sources_.text(where)));
  }

  // Removes the quotes that a template writes around an expression.
  bool remove_quotes(const MappedText& body, Span whole, const Stage& makers) {
    for (const std::uint32_t at : {whole.begin, whole.end - 1}) {
      const auto quote = editable_place(body, at, at + 1, makers);
      if (!quote || quote->what != EditablePlace::What::Literal || !is_quote(sources_.text(quote->where)[0]))
        return false;
      if (!add_edit(quote->where, "")) return false;
    }
    safety_ = Safety::Unsafe;
    return true;
  }

  // Adds quotes around an expression that prints a complete scalar, whose output may contain quotes.
  bool add_quotes(Span expression) {
    if (!expression.known()) return false;
    const std::string_view printing = sources_.text(expression);
    if (!printing.starts_with("{{") || !printing.ends_with("}}")) return false;
    safety_ = Safety::Unsafe;
    return add_edit(expression, fmt::format("\"{}\"", printing));
  }

  const Cluster& cluster_;
  const SourceSet& sources_;
  std::vector<Edit> edits_;
  Safety safety_ = Safety::Safe;
};

}  // namespace

std::optional<Fix> source_fix(const Finding& finding) {
  if (!finding.repair || finding.redacts || finding.place.cluster == nullptr) return std::nullopt;
  SourceEdits edits(*finding.place.cluster);
  for (const Replacement& part : finding.repair->parts) {
    if (!edits.add(part)) return std::nullopt;
  }
  return Fix{finding.repair->title, std::max(finding.repair->safety, edits.safety()), edits.take()};
}

}  // namespace capwright::lint
