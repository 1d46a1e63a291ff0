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

// The one segment that printed all bytes of a scalar. Null when there are several, when template text is among them, or
// when the expression printed more than the scalar: YAML inside a value is meant to be parsed.
const Segment* maker_of(const Node& scalar, const MappedText& rendered) {
  const Span span = scalar.span();
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

}  // namespace

std::optional<PrintedText> text_without_quotes(const Node& scalar, const Cluster& cluster, const File& file) {
  if (cluster.templates() == nullptr || file.rendered == nullptr) return std::nullopt;
  if (scalar.value().style() != ScalarStyle::Plain) return std::nullopt;
  const Segment* maker = maker_of(scalar, file.rendered->body);
  if (maker == nullptr || maker->value == OriginId::None || maker->tainted) return std::nullopt;
  const Span value = text_value(*maker, *cluster.compiled());
  const Expr* expr = value.known() ? interpolated(*cluster.templates(), maker->where) : nullptr;
  if (expr == nullptr || !keeps_text(*expr)) return std::nullopt;
  return PrintedText{maker->where, expr->span, value};
}

}  // namespace capwright::lint
