// Maps a rendered scalar to the one expression that printed it, and to its value.
#include <algorithm>
#include <array>

#include "lint/model/printed.h"
#include "lint/model/template_reads.h"
#include "lint/model/template_tree.h"
#include "yaml/read.h"

namespace capwright::lint {
namespace {

using jinja::Expr;
using jinja::NodeKind;

// Filters that roughly keep a text; others, such as `int`, change its type.
constexpr std::array<std::string_view, 7> kKeepText = {"d", "default", "lower", "replace", "string", "trim", "upper"};

bool keeps_text(const Expr& expr) {
  if (expr.kind == NodeKind::Name || expr.kind == NodeKind::GetAttr || expr.kind == NodeKind::GetItem) return true;
  if (expr.kind != NodeKind::Filter) return false;
  const auto& filter = static_cast<const jinja::Filter&>(expr);
  const bool keeps = std::find(kKeepText.begin(), kKeepText.end(), filter.name.text) != kKeepText.end();
  return keeps && filter.operand != nullptr && keeps_text(*filter.operand);
}

// `value` of `value | quote`: Ansible's filter quotes for a shell, and Helm's function of that name for YAML.
const Expr& without_quote(const Expr& expr) {
  if (expr.kind != NodeKind::Filter) return expr;
  const auto& filter = static_cast<const jinja::Filter&>(expr);
  return filter.name.text == "quote" && filter.operand != nullptr ? *filter.operand : expr;
}

// The expression of the `{{ … }}` at `where`; null if there is none.
const Expr* interpolated(const TemplateSet& set, Span where) {
  const Expr* found = nullptr;
  for (const jinja::Template* parsed : all_templates(set)) {
    if (parsed->file != where.file) continue;
    for_each_statement(parsed->body, [&](const jinja::Stmt& node) {
      if (node.kind != NodeKind::Output) return;
      for (const jinja::OutputPart& part : static_cast<const jinja::Output&>(node).parts) {
        if (part.expr != nullptr && part.span == where) found = part.expr;
      }
    });
  }
  return found;
}

// The one segment that printed all bytes of a scalar or key. Null when there are several, when template text is among
// them, or when the expression printed more than the scalar: YAML inside a value is meant to be parsed.
const Segment* maker_of(Span span, const MappedText& rendered) {
  if (!prints_alone(rendered, span.begin, span.end)) return nullptr;
  const Segment* first = rendered.segment_at(span.begin);
  const Segment* last = rendered.segment_at(span.end - 1);
  return first == last && !first->literal ? first : nullptr;
}

// The place of the value if it is a text, quoted or a string in YAML 1.2. Unknown for other values.
Span text_value(const Segment& maker, const CompiledCluster& compiled) {
  const std::vector<OriginId> leaves = compiled.origins.leaves(maker.value);
  if (leaves.size() != 1) return {};
  const Span span = compiled.origins[leaves.front()].span;
  if (!span.known() || span.size() == 0) return {};
  const std::string_view written = compiled.sources.text(span);
  const bool is_quoted = written.front() == '"' || written.front() == '\'';
  return is_quoted || resolve_plain(written, ScalarRules::Core).is(Kind::String) ? span : Span();
}

// Where the rest of a scalar begins that YAML drops as a comment; empty: there is none. A value that begins with `#` is
// null, without a place, so its key says where it is printed.
struct Cut {
  std::uint32_t begin = 0, end = 0, hash = 0;
};

std::optional<Cut> cut_of(const Node& scalar, std::string_view text) {
  const auto after_blanks = [&](std::size_t at) {
    return static_cast<std::uint32_t>(std::min(text.find_first_not_of(" \t", at), text.size()));
  };
  const Span span = scalar.span();
  if (!scalar.is(Kind::Null)) {
    if (!span.known() || span.size() == 0 || span.end > text.size()) return std::nullopt;
    const std::uint32_t hash = after_blanks(span.end);
    const bool is_cut = hash > span.end && hash < text.size() && text[hash] == '#';
    return is_cut ? std::optional(Cut{span.begin, span.end, hash}) : std::nullopt;
  }
  const Span key = scalar.key_span();
  if (!key.known() || key.end > text.size()) return std::nullopt;
  const std::uint32_t colon = after_blanks(key.end);
  if (colon == text.size() || text[colon] != ':') return std::nullopt;
  const std::uint32_t hash = after_blanks(colon + 1);
  const bool is_cut = hash > colon + 1 && hash < text.size() && text[hash] == '#';
  return is_cut ? std::optional(Cut{hash, hash, hash}) : std::nullopt;
}

// Null if the expression is tainted, has no value, or computes something else than a text of the values.
std::optional<PrintedText> text_printed_by(const Segment& maker, const Cluster& cluster) {
  if (maker.literal || maker.value == OriginId::None || maker.tainted) return std::nullopt;
  const Span value = text_value(maker, *cluster.compiled());
  const Expr* expr = value.known() ? interpolated(*cluster.templates(), maker.where) : nullptr;
  if (expr == nullptr || !keeps_text(without_quote(*expr))) return std::nullopt;
  return PrintedText{maker.where, expr->span, without_quote(*expr).span, value};
}

}  // namespace

std::string_view expression_at(std::uint32_t offset, const Cluster& cluster, const File& file) {
  if (file.rendered == nullptr || offset >= file.rendered->body.size()) return {};
  const Segment* maker = file.rendered->body.segment_at(offset);
  if (maker == nullptr || maker->literal || !maker->where.known()) return {};
  const std::string_view printed = cluster.sources().text(maker->where);
  return printed.starts_with("{{") ? printed : std::string_view();
}

std::optional<PrintedText> text_without_quotes(const Node& scalar, const Cluster& cluster, const File& file) {
  if (cluster.templates() == nullptr || file.rendered == nullptr) return std::nullopt;
  if (scalar.value().style() != ScalarStyle::Plain) return std::nullopt;
  const Segment* maker = maker_of(scalar.span(), file.rendered->body);
  return maker != nullptr ? text_printed_by(*maker, cluster) : std::nullopt;
}

std::optional<PrintedText> key_without_quotes(const Node& member, const Cluster& cluster, const File& file) {
  const Span span = member.key_span();
  if (cluster.templates() == nullptr || file.rendered == nullptr || !span.known()) return std::nullopt;
  const Segment* maker = maker_of(span, file.rendered->body);
  return maker != nullptr ? text_printed_by(*maker, cluster) : std::nullopt;
}

bool is_quoted_for_shell(const Node& scalar, const Cluster& cluster, const File& file) {
  if (cluster.templates() == nullptr || file.rendered == nullptr) return false;
  const Segment* maker = maker_of(scalar.span(), file.rendered->body);
  const Expr* expr = maker != nullptr ? interpolated(*cluster.templates(), maker->where) : nullptr;
  return expr != nullptr && &without_quote(*expr) != expr;
}

std::optional<CutText> text_cut_off(const Node& scalar, const Cluster& cluster, const File& file) {
  if (cluster.templates() == nullptr || file.rendered == nullptr) return std::nullopt;
  if (scalar.value().style() != ScalarStyle::Plain) return std::nullopt;
  const MappedText& rendered = file.rendered->body;
  const std::string_view text = rendered.text();
  const std::optional<Cut> cut = cut_of(scalar, text);
  if (!cut || rendered.segment_at(cut->hash)->literal) return std::nullopt;
  const Printed whole = printed_around(rendered, cut->hash);
  const std::string_view printed = text.substr(whole.begin, whole.end - whole.begin);
  const std::size_t first = printed.find_first_not_of(" \t\r\n"), last = printed.find_last_not_of(" \t\r\n");
  const std::string_view line = printed.substr(first, last + 1 - first);
  const auto begin = static_cast<std::uint32_t>(whole.begin + first);
  const bool is_null = cut->begin == cut->hash;
  const bool holds_scalar = cut->begin <= begin && begin < (is_null ? cut->hash + 1 : cut->end);
  if (!holds_scalar || line.find('\n') != std::string_view::npos) return std::nullopt;
  const auto found = text_printed_by(*rendered.segment_at(cut->hash), cluster);
  if (!found) return std::nullopt;
  const std::string_view after = text.substr(begin + line.size());
  const std::string_view rest = after.substr(0, after.find('\n'));
  const std::size_t more = rest.find_first_not_of(" \t\r");
  const bool ends = more == std::string_view::npos || (more > 0 && rest[more] == '#');
  for (const Segment* part = rendered.segment_at(cut->begin); part->begin < begin; ++part) {
    if (part->tainted) return std::nullopt;
  }
  return CutText{*found, std::string(text.substr(cut->begin, begin + line.size() - cut->begin)),
                 cut->begin == begin && ends};
}

}  // namespace capwright::lint
