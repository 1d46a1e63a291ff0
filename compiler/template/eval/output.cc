// Prints literal text and values, each byte with its segment.
#include <algorithm>
#include <charconv>

#include "diag/catalog/limits.h"
#include "diag/catalog/template_eval.h"
#include "template/builtins/builtin.h"
#include "template/builtins/methods.h"
#include "template/eval/evaluator.h"
#include "template/eval/template_objects.h"
#include "template/runtime/objects.h"
#include "text/trim.h"

namespace capwright::jinja {
namespace {

// The expression of `{{ … }}`, if it is short enough for a message; otherwise "the expression".
std::string printed_expression(const SourceSet& sources, Span span) {
  constexpr std::size_t kLongest = 60;
  constexpr std::size_t kBraces = 2;
  std::string_view text = sources.text(span);
  text = text.substr(0, text.rfind("}}"));  // blanks that `-}}` removes are part of the span
  text.remove_prefix(std::min(kBraces, text.size()));
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.ends_with('-')) text.remove_suffix(1);
  text = trimmed(text);
  const bool is_shown = !text.empty() && text.size() <= kLongest && text.find_first_of("\n`") == std::string_view::npos;
  return is_shown ? std::string(text) : "the expression";
}

// "method", "macro" or "function", if the value is one; otherwise empty. Printing other objects can be intended.
std::string_view callable_kind(const Value& value) {
  if (!value.is(Kind::Object) || !value.object_rep()->callable()) return {};
  const std::string_view type = value.object_rep()->type_name();
  if (type == "builtin_function_or_method" || type == "method") return "method";
  if (type == "type" || type == "function") return "function";
  return type == "Macro" ? "macro" : std::string_view();
}

// `hosts.append(name)`
bool is_change(const Expr& expr) {
  if (expr.kind != NodeKind::Call) return false;
  const Expr& callee = *static_cast<const Call&>(expr).callee;
  return callee.kind == NodeKind::GetAttr && changes_container(static_cast<const GetAttr&>(callee).name.text);
}

// Methods of texts that are names of values more often.
bool is_likely_key(std::string_view name) {
  return name == "count" || name == "format" || name == "index" || name == "title";
}

// How a method is used that is of no use without arguments, or whose result isn't a text. `{0}` is its object.
struct Use {
  std::string_view name, form;
};
constexpr Use kUses[] = {
    {"append", "{{% do {0}.append(item) %}}"},
    {"count", "{{{{ {0}.count(item) }}}}"},
    {"endswith", "{{% if {0}.endswith(\"text\") %}}"},
    {"extend", "{{% do {0}.extend(items) %}}"},
    {"find", "{{{{ {0}.find(\"text\") }}}}"},
    {"format", "{{{{ {0}.format(value) }}}}"},
    {"get", "{{{{ {0}.get(\"key\", \"default\") }}}}"},
    {"index", "{{{{ {0}.index(item) }}}}"},
    {"items", "{{% for key, value in {0}.items() %}}"},
    {"join", "{{{{ items | join({0}) }}}}"},
    {"keys", "{{% for key in {0} %}}"},
    {"removeprefix", "{{{{ {0}.removeprefix(\"text\") }}}}"},
    {"removesuffix", "{{{{ {0}.removesuffix(\"text\") }}}}"},
    {"replace", "{{{{ {0} | replace(\"old\", \"new\") }}}}"},
    {"rsplit", "{{{{ {0}.rsplit(\",\", 1) | last }}}}"},
    {"split", "{{{{ {0}.split(\",\") | first }}}}"},
    {"splitlines", "{{% for line in {0}.splitlines() %}}"},
    {"startswith", "{{% if {0}.startswith(\"text\") %}}"},
    {"update", "{{% do {0}.update({{\"key\": \"value\"}}) %}}"},
    {"values", "{{% for value in {0}.values() %}}"},
};

// The advice for `{{ text }}`, which looks up the method `name`; `text` ends with the name.
std::string advice_to_call(const std::string& text, std::string_view name) {
  const auto* use =
      std::find_if(std::begin(kUses), std::end(kUses), [&](const Use& each) { return each.name == name; });
  const std::string end = fmt::format(".{}", name);
  if (!text.ends_with(end)) return "call it: add `()`";
  if (use == std::end(kUses)) return fmt::format("call it: `{{{{ {}() }}}}`", text);
  const std::string object = text.substr(0, text.size() - end.size());
  return fmt::format("use it as in `{}`", fmt::format(fmt::runtime(use->form), object));
}

}  // namespace

void Evaluator::exec_output(const Output& output) {
  if (!runs(output.runs)) return;
  for (const OutputPart& part : output.parts) {
    if (part.expr == nullptr) {
      emit_text(part);
    } else {
      const bool prints = part.expr->kind == NodeKind::Call && !escapes_;
      const Value value = prints ? eval_call(static_cast<const Call&>(*part.expr), {nullptr, true}) : eval(*part.expr);
      stand_at(*part.expr, part.span);
      if (value.is(Kind::Null) || value.is(Kind::Object)) warn_of_print(*part.expr, value);
      emit(value, part.span);
    }
    if (out_->size() > stage.limits.output_bytes && !stopped()) {
      here = part.span;
      fail(diag::output_too_large, stage.limits.output_bytes);
      stop();
    }
  }
}

// Reports texts that no manifest needs: `None`, and the name of a method. `here` is the place of `{{ … }}`.
void Evaluator::warn_of_print(const Expr& expr, const Value& value) {
  const std::string text = printed_expression(stage.sources, here);
  if (value.is(Kind::Null)) {
    if (expr.kind == NodeKind::Constant) return;  // on purpose
    Diagnostic* warning = report(diag::none_printed, here, text);
    if (warning == nullptr) return;
    const Origin& origin = stage.origins[value.origin()];
    if (origin.kind == Origin::Kind::Input) warning->also(origin.span, "it is set here");
    if (is_change(expr)) warning->advise(fmt::format("call it for its effect only: `{{% do {} %}}`", text));
    else warning->advise("add a default: `| default(\"…\", true)`");
    return;
  }
  const std::string_view callable = callable_kind(value);
  if (callable.empty()) return;
  Diagnostic* warning = report(diag::callable_printed, here, text, callable);
  if (warning == nullptr) return;
  const std::string name = text.substr(0, text.find_first_of(" |"));  // of `namespace | default("x")`
  if (callable == "function" && find_builtin(BuiltinKind::Function, name, false) != nullptr) {
    warning->note(fmt::format("no value is named `{}`, so Jinja2's function with this name is read", name));
    warning->advise(fmt::format("set `{0}` in the values, or call the function: `{{{{ {0}(…) }}}}`", name));
    return;
  }
  if (expr.kind != NodeKind::GetAttr) {
    warning->advise("call it: add `()`");
    return;
  }
  const auto& look_up = static_cast<const GetAttr&>(expr);
  const std::string shown = str(value);
  const std::string call = advice_to_call(text, look_up.name.text);
  if (is_likely_key(look_up.name.text) && shown.find(" of str object") != std::string::npos) {
    warning->note(fmt::format("it is looked up in a text, which has no key `{}`", look_up.name.text));
    warning->advise(
        "for maps in a map, loop over its `values()`, because a loop over a map gives its keys; otherwise, " + call);
  } else {
    warning->advise(call);
  }
  if (shown.ends_with("of dict object>"))
    warning->note(fmt::format("a key of the map with this name is read as `[\"{}\"]`", look_up.name.text));
}

void Evaluator::emit_text(const OutputPart& part) {
  if (part.span.size() != part.text.size()) {
    emit_unaligned(part);
    return;
  }
  Segment maker;
  maker.where = part.span;
  maker.frame = frame;
  maker.literal = true;
  maker.value = decisions_.now.origin;
  maker.tainted = decisions_.now.secret;
  out_->append(part.text, maker);
}

// Text with normalized newlines: one segment per line, so that each still maps byte by byte.
void Evaluator::emit_unaligned(const OutputPart& part) {
  const std::string_view source = stage.sources.text(part.span);
  Segment maker;
  maker.frame = frame;
  maker.literal = true;
  maker.value = decisions_.now.origin;
  maker.tainted = decisions_.now.secret;
  std::size_t from = 0;
  for (std::size_t begin = 0; begin < part.text.size();) {
    std::size_t end = begin;
    while (end < part.text.size() && from + (end - begin) < source.size() &&
           part.text[end] == source[from + (end - begin)] && part.text[end] != '\r') {
      ++end;
    }
    const auto place = static_cast<std::uint32_t>(part.span.begin + from);
    if (end == begin) {  // a line break that is written differently
      const std::size_t written = source.substr(from).starts_with("\r\n") ? 2 : 1;
      const std::size_t printed =
          part.text.substr(begin).starts_with(options.newline_sequence) ? options.newline_sequence.size() : 1;
      maker.where = {part.span.file, place, static_cast<std::uint32_t>(place + written)};
      out_->append(part.text.substr(begin, printed), maker);
      from += written;
      begin += printed;
    } else {
      maker.where = {part.span.file, place, static_cast<std::uint32_t>(place + (end - begin))};
      out_->append(part.text.substr(begin, end - begin), maker);
      from += end - begin;
      begin = end;
    }
  }
}

void Evaluator::emit_bytes(std::string_view bytes, const Value& value, Span where) {
  Segment maker;
  maker.where = where;
  maker.frame = frame;
  maker.value = value.origin() != OriginId::None ? value.origin() : decisions_.now.origin;
  maker.tainted = value.tainted() || decisions_.now.secret;
  out_->append(bytes, maker);
}

void Evaluator::append_string(const Value& string, Span where) {
  const Text& text = *string.text_rep();
  if (text.map == nullptr) {
    emit_bytes(text.view(), string, where);
    return;
  }
  Segment outer;
  outer.where = where;
  outer.frame = frame;
  outer.tainted = decisions_.now.secret;
  out_->append(text.view(), text.map->segments, outer);
}

void Evaluator::emit(const Value& value, Span where) {
  if (value.is_error()) return;
  decisions_.output = decisions_.output || value.tainted();
  if (escapes_ && !value.is_markup()) {
    const Value escaped = escape(value);
    if (!escaped.is_error()) append_string(escaped, where);
    return;
  }
  if (value.is(Kind::String)) {
    append_string(value, where);
  } else if (value.is(Kind::Int)) {
    char digits[24];
    const char* end = std::to_chars(digits, digits + sizeof digits, value.as_int()).ptr;
    emit_bytes({digits, static_cast<std::size_t>(end - digits)}, value, where);
  } else if (const auto* module = as<ModuleObject>(value)) {
    append_string(module->body(), where);
  } else {
    const std::uint64_t before = failures();
    const std::string text_of_value = str(value);
    if (failures() != before) return;
    const Lineage from = lineage(value);
    emit_bytes(text_of_value, derived(value, from.origin, from.tainted), where);
  }
}

}  // namespace capwright::jinja
