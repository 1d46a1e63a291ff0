// See complete_addons.h.
#include <fmt/format.h>
#include <string>

#include "diag/catalog/layers.h"
#include "diag/catalog/values.h"
#include "schema/type_trap.h"
#include "value/provenance.h"
#include "values/complete_addons.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright::values {
namespace {

class ChartValues {
 public:
  ChartValues(std::string_view id, bool is_text, bool merges, Stage& stage)
      : id_(id), is_text_(is_text), merges_(merges), stage_(stage) {}

  void check(const Value& value, const std::string& path) {
    if (value.is(Kind::List)) {
      for (std::size_t i = 0; i < value.items().size(); ++i) check(value.items()[i], fmt::format("{}[{}]", path, i));
    } else if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries()) {
        const std::string below =
            path.empty() ? std::string(entry.key.text()) : fmt::format("{}.{}", path, entry.key.text());
        check_key(entry.key, path);
        check_empty(entry, below);
        check(entry.value, below);
      }
    } else if (!is_text_) {
      check_scalar(value, path);
    }
  }

 private:
  // The unquoted text of a scalar in a values file; empty for other scalars.
  std::string_view written(const Value& scalar) const {
    const Origin& origin = stage_.origins[scalar.origin()];
    if (origin.kind != Origin::Kind::Input || scalar.style() != ScalarStyle::Plain || scalar.tainted()) return {};
    const std::string_view text = stage_.sources.text(origin.span);
    return text.starts_with('*') ? std::string_view() : text;
  }

  // `key:` with nothing after it is null, too, but rarely meant as a deletion.
  void check_empty(const Entry& entry, const std::string& path) {
    const Span text = stage_.origins[entry.value.origin()].span;
    const bool is_written = !text.known() || text.begin != text.end;
    if (!merges_ || !entry.value.is(Kind::Null) || is_written) return;
    stage_.sink.report(diag::empty_chart_value_drops, stage_.origins[entry.key.origin()].span, path, id_)
        .advise(
            fmt::format("delete this line to keep the defaults, or write `{}: null` to drop them", entry.key.text()));
  }

  void check_scalar(const Value& value, const std::string& path) {
    const std::string_view text = written(value);
    if (text.empty()) return;
    const Value to_helm = resolve_plain(text, ScalarRules::Kubernetes);
    const bool same = to_helm.is(Kind::String) ? value.is(Kind::String) : json_equal(to_helm, value);
    if (same || (value.is(Kind::String) && value.text() != text)) return;
    Diagnostic& fault = report(value, fmt::format("`{}` of `{}`", path, id_), text);
    if (value.is(Kind::String) && to_helm.is(Kind::Bool))
      fault.advise(fmt::format("quote it, `\"{}\"`, or write `{}` for a boolean", text, canonical_json(to_helm)));
    if (value.is(Kind::Bool) || value.is(Kind::String)) return;
    fault.note(fmt::format("values files are YAML 1.2, which reads {}", canonical_json(value)));
  }

  // Helm's parser converts each key to text: a boolean or a number in its printed form.
  void check_key(const Value& key, const std::string& path) {
    const std::string_view text = written(key);
    if (text.empty()) return;
    const Value to_helm = resolve_plain(text, ScalarRules::Kubernetes);
    if (to_helm.is(Kind::String) || to_helm.is(Kind::Null)) return;
    if (!to_helm.is(Kind::Float) && canonical_json(to_helm) == text) return;  // Helm keeps only 32 bits of a fraction
    report(key, path.empty() ? fmt::format("a key of `{}`", id_) : fmt::format("a key in `{}` of `{}`", path, id_),
           text);
  }

  Diagnostic& report(const Value& value, std::string subject, std::string_view text) {
    const Span where = stage_.origins[value.origin()].span;
    Diagnostic& fault = stage_.sink.report(diag::ambiguous_scalar, where, std::move(subject), std::string(text),
                                           schema::yaml11_reading(text));
    // A text for Helm has no source bytes here.
    const Value to_helm = resolve_plain(text, ScalarRules::Kubernetes);
    if (value.is(Kind::String) || to_helm.is(Kind::String)) schema::offer_quotes(text, where, fault);
    else fault.advise(fmt::format("quote it, `\"{}\"`, or write `{}`", text, canonical_json(to_helm)));
    return fault;
  }

  std::string_view id_;
  bool is_text_, merges_;
  Stage& stage_;
};

}  // namespace

void check_chart_values(std::string_view id, const Value& own, bool merges, Stage& stage) {
  if (!own.is(Kind::String)) return ChartValues(id, false, merges, stage).check(own, "");
  // Errors in the text were reported when the values were read.
  Sink unheard;
  Stage quiet{stage.sources, unheard, stage.arena, stage.origins, stage.limits};
  const Value parsed = read_yaml_inside(own, quiet, {ScalarRules::Kubernetes, TextSyntax::Yaml});
  if (!unheard.failed()) ChartValues(id, true, merges, stage).check(parsed, "");
}

}  // namespace capwright::values
