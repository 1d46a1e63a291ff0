// Filters between values and their text in YAML and JSON. Every written byte keeps its origin.
#include <array>
#include <limits>
#include <optional>
#include <string>

#include "diag/catalog/limits.h"
#include "diag/catalog/template_extras.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"
#include "yaml/read.h"
#include "yaml/write.h"

namespace capwright::jinja {
namespace {

constexpr std::uint64_t kTooMuch = std::numeric_limits<std::uint64_t>::max();

// The text from a writer, or the reported error that prevented it.
Value written(Runtime& runtime, std::string_view filter, EmitStatus result, MappedText& text) {
  switch (result) {
    case EmitStatus::Done:
      text.restore_places(runtime.stage.origins);
      return runtime.room_for_text(text.size()) ? runtime.mapped_string(text) : Value::error();
    case EmitStatus::TooDeep: return runtime.fail(diag::nested_too_deep, "values", runtime.stage.limits.depth);
    case EmitStatus::TooLong: runtime.room_for_text(kTooMuch); return Value::error();
    case EmitStatus::UnsortedKeys: return runtime.fail(diag::keys_without_order, filter);
    case EmitStatus::NoData: return runtime.fail(diag::unwritable_value, filter);
  }
  return Value::error();
}

// An optional whole number: Null leaves `number` unchanged.
template <class Number>
bool read_number(Runtime& runtime, std::string_view filter, const Value& value, Number& number) {
  if (value.is(Kind::Null)) return true;
  const auto given = extras::integer_argument(runtime, filter, value);
  if (given) number = *given;
  return given.has_value();
}

bool read_flag(Runtime& runtime, const Value& value, bool& flag) {
  const auto given = truth_of(runtime, value);
  if (given) flag = *given;
  return given.has_value();
}

// Arguments 1 to 6 of `to_yaml` and `to_nice_yaml`: those of yaml.dump(), in the order of extras.def.
std::optional<YamlStyle> yaml_style(Runtime& runtime, std::string_view filter, const BoundArguments& arguments) {
  YamlStyle style;
  if (!read_number(runtime, filter, arguments[1], style.indent)) return std::nullopt;
  if (arguments[2].is(Kind::Null)) {
    style.flow = YamlStyle::Flow::Leaves;
  } else {
    const auto flow = truth_of(runtime, arguments[2]);
    if (!flow) return std::nullopt;
    style.flow = *flow ? YamlStyle::Flow::All : YamlStyle::Flow::Block;
  }
  const bool read =
      read_number(runtime, filter, arguments[3], style.width) && read_flag(runtime, arguments[4], style.sort_keys) &&
      read_flag(runtime, arguments[5], style.explicit_start) && read_flag(runtime, arguments[6], style.explicit_end);
  return read ? std::optional(style) : std::nullopt;
}

void warn_of_misreading(Runtime& runtime, std::string_view filter, const Value& data) {
  const Value text = misread_by_go(data, runtime.stage.limits.depth);
  if (text.is(Kind::Null)) return;
  const Value reading = resolve_plain(text.text(), ScalarRules::Kubernetes);
  const std::string read = text.tainted() ? "something else" : "`" + canonical_json(reading) + "`";
  Diagnostic* warning = runtime.report(diag::text_read_otherwise, runtime.here, filter,
                                       text.tainted() ? "<secret>" : std::string(text.text()), read);
  if (warning == nullptr) return;
  const Origin& origin = runtime.stage.origins[text.origin()];
  if (origin.kind == Origin::Kind::Input) warning->also(origin.span, "the text is set here");
  warning->advise("use `to_flow`, which quotes every text");
}

Value to_yaml(Runtime& runtime, std::string_view filter, const BoundArguments& arguments) {
  auto style = yaml_style(runtime, filter, arguments);
  const Value data = style ? extras::plain_data(runtime, filter, arguments[0]) : Value::error();
  if (data.is_error()) return data;
  style->for_go = runtime.options.yaml_reader == YamlReader::Go;
  if (runtime.options.yaml_reader == YamlReader::Warned) warn_of_misreading(runtime, filter, data);
  MappedText text;
  const EmitStatus result = write_yaml(data, *style, Runtime::segment_of(data), runtime.stage.limits, text);
  return written(runtime, filter, result, text);
}

// Python's `separators`: a pair of texts. Views into `value`.
bool read_separators(Runtime& runtime, std::string_view filter, const Value& value, JsonStyle& style) {
  if (value.is(Kind::Null)) return true;
  const bool is_pair =
      value.is(Kind::List) && value.items().size() == 2 && is_text(value.items()[0]) && is_text(value.items()[1]);
  if (!is_pair) {
    extras::needs(runtime, filter, "a pair of texts as `separators`", value);
    return false;
  }
  style.item_separator = value.items()[0].text();
  style.key_separator = value.items()[1].text();
  return true;
}

// Arguments 1 to 3 of `to_json` and `to_nice_json`: those of json.dumps().
std::optional<JsonStyle> json_style(Runtime& runtime, std::string_view filter, const BoundArguments& arguments) {
  JsonStyle style;
  std::int64_t indent = 0;
  if (!read_number(runtime, filter, arguments[1], indent) || !read_flag(runtime, arguments[2], style.sort_keys) ||
      !read_flag(runtime, arguments[3], style.ensure_ascii)) {
    return std::nullopt;
  }
  if (arguments[1].is(Kind::Null)) return style;
  style.indent = indent;
  style.item_separator = ",";
  return style;
}

Value to_json(Runtime& runtime, std::string_view filter, const Value& value, const JsonStyle& style) {
  const Value data = extras::plain_data(runtime, filter, value);
  if (data.is_error()) return data;
  MappedText text;
  const EmitStatus result = write_json(data, style, Runtime::segment_of(data), runtime.stage.limits, text);
  return written(runtime, filter, result, text);
}

// Parses YAML or JSON in a text. Text of a values file keeps its exact places.
Value parsed(Runtime& runtime, const Value& text, const ReadOptions& options) {
  const Origin::Kind kind = runtime.stage.origins[text.origin()].kind;
  const bool is_written = kind == Origin::Kind::Input || kind == Origin::Kind::SchemaDefault;
  const Value value = is_written && text.text_rep()->map == nullptr
                          ? read_yaml_inside(text, runtime.stage, options)
                          : read_yaml_printed(text, runtime.here, runtime.stage, options);
  if (value.is_error()) runtime.fail_elsewhere(FaultKind::Runtime);
  return text.tainted() ? extras::tainted_copy(runtime, value) : runtime.thaw(value);
}

}  // namespace

Value to_yaml_filter(Runtime& runtime, const BoundArguments& arguments) {
  return to_yaml(runtime, "to_yaml", arguments);
}
Value to_nice_yaml_filter(Runtime& runtime, const BoundArguments& arguments) {
  return to_yaml(runtime, "to_nice_yaml", arguments);
}

Value to_json_filter(Runtime& runtime, const BoundArguments& arguments) {
  auto style = json_style(runtime, "to_json", arguments);
  if (!style || !read_separators(runtime, "to_json", arguments[4], *style)) return Value::error();
  return to_json(runtime, "to_json", arguments[0], *style);
}

Value to_nice_json_filter(Runtime& runtime, const BoundArguments& arguments) {
  auto style = json_style(runtime, "to_nice_json", arguments);
  if (!style) return Value::error();
  style->item_separator = ",";
  return to_json(runtime, "to_nice_json", arguments[0], *style);
}

Value to_flow_filter(Runtime& runtime, const BoundArguments& arguments) {
  JsonStyle style;
  style.as_yaml = true;
  return to_json(runtime, "to_flow", arguments[0], style);
}

Value from_json_filter(Runtime& runtime, const BoundArguments& arguments) {
  if (!is_text(arguments[0])) return extras::needs(runtime, "from_json", "text", arguments[0]);
  return parsed(runtime, arguments[0], {ScalarRules::Core, TextSyntax::Json});
}

Value from_yaml_filter(Runtime& runtime, const BoundArguments& arguments) {
  // Ansible returns values that aren't text unchanged.
  if (!is_text(arguments[0])) return arguments[0];
  const bool for_go = runtime.options.yaml_reader == YamlReader::Go;
  return parsed(runtime, arguments[0], {for_go ? ScalarRules::Kubernetes : ScalarRules::Python, TextSyntax::Yaml});
}

}  // namespace capwright::jinja
