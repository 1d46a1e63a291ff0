// Compares how YAML 1.2 and PyYAML read the written text of each unquoted scalar and key.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "diag/catalog/layers.h"
#include "pipeline/load_values.h"
#include "schema/type_trap.h"
#include "source/source.h"
#include "values/merge.h"
#include "yaml/read.h"

namespace capwright {
namespace {

// Quick checks for most scalars: both readers agree about booleans, null, other words, and plain decimal numbers.
bool may_differ(const Value& value) {
  if (value.is(Kind::String)) return schema::may_be_retyped(value.text());
  return value.is(Kind::Int) || value.is(Kind::Float);
}

bool is_decimal(std::string_view text) {
  return text == "0" || (!text.starts_with('0') && std::all_of(text.begin(), text.end(), is_digit));
}

bool is_same(const Value& ours, const Value& theirs) {
  if (ours.kind() != theirs.kind()) return false;
  if (ours.is(Kind::Bool)) return ours.as_bool() == theirs.as_bool();
  if (ours.is(Kind::Int)) return ours.as_int() == theirs.as_int();
  const bool is_nan = ours.is(Kind::Float) && std::isnan(ours.as_float()) && std::isnan(theirs.as_float());
  return is_nan || !ours.is(Kind::Float) || ours.as_float() == theirs.as_float();
}

class Readings {
 public:
  explicit Readings(Stage& stage) : stage_(stage) {}

  void visit(const Value& value) {
    if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries()) {
        compare_key(entry.key);
        visit(entry.value, {entry.key.text(), -1});
      }
    } else if (value.is(Kind::List)) {
      std::int64_t number = 0;
      for (const Value& item : value.items()) visit(item, {{}, number++});
    } else if (value.style() == ScalarStyle::Plain && !value.tainted()) {
      compare(value);
    }
  }

 private:
  void visit(const Value& value, const values::PathStep& step) {
    path_.push_back(step);
    visit(value);
    path_.pop_back();
  }

  void compare(const Value& value) {
    const Span where = span_to_compare(value);
    if (!where.known()) return;
    const std::string_view text = stage_.sources.text(where);
    const Value ours = resolve_plain(text, ScalarRules::Core), theirs = resolve_plain(text, ScalarRules::Python);
    if (ours.kind() != value.kind() || is_same(ours, theirs) || is_reported(where)) return;
    Diagnostic& diagnostic =
        stage_.sink.report(diag::read_otherwise, where, fmt::format("`{}`", values::path_text(path_)),
                           std::string(text), schema::reading_words(ours), schema::reading_words(theirs));
    std::string advice = fmt::format("quote it: `\"{}\"`", text);
    if (theirs.is(Kind::Bool)) advice += fmt::format(", or write `{}`", theirs.as_bool());
    if (theirs.is(Kind::Int)) advice += fmt::format(", or write `{}`", theirs.as_int());
    diagnostic.advise(advice);
  }

  // Keys are always text here. To PyYAML, they are what a value with the same text is.
  void compare_key(const Value& key) {
    if (key.style() != ScalarStyle::Plain) return;
    const Span where = span_to_compare(key);
    if (!where.known()) return;
    const std::string_view text = stage_.sources.text(where);
    const Value theirs = resolve_plain(text, ScalarRules::Python);
    if (theirs.is(Kind::String) || is_reported(where)) return;
    const std::string place =
        path_.empty() ? std::string("a key at the top") : fmt::format("a key of `{}`", values::path_text(path_));
    stage_.sink
        .report(diag::read_otherwise, where, place, std::string(text), std::string("text"),
                schema::reading_words(theirs))
        .advise(fmt::format("quote it: `\"{}\"`", text));
  }

  // The place of a text that the two may read otherwise; unknown: they don't.
  Span span_to_compare(const Value& value) const {
    const Span where = may_differ(value) ? stage_.span_of(value) : Span();
    if (!where.known() || !is_yaml_file(where.file)) return {};
    const std::string_view text = stage_.sources.text(where);
    const bool has_lines = text.find_first_of("\n\r") != std::string_view::npos;  // text to both
    return is_decimal(text) || has_lines ? Span() : where;
  }

  // Not JSON, nor the command line.
  bool is_yaml_file(FileId file) const {
    const std::string_view path = stage_.sources.path(file);
    return path.ends_with(".yaml") || path.ends_with(".yml");
  }

  bool is_reported(Span where) const {
    const auto& known = stage_.sink.diagnostics();
    return std::any_of(known.begin(), known.end(), [&](const Diagnostic& each) { return each.where == where; });
  }

  Stage& stage_;
  std::vector<values::PathStep> path_;
};

}  // namespace

void report_yaml11_values(const Value& values, Stage& stage) { Readings(stage).visit(values); }

}  // namespace capwright
