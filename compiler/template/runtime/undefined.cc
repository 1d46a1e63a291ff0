// Messages of undefined values in Jinja2's wording, and reports of their use.
#include "template/runtime/undefined.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/check.h"
#include "diag/catalog/template_eval.h"
#include "diag/catalog/template_operations.h"
#include "diag/suggest.h"
#include "template/runtime/runtime.h"

namespace capwright::jinja {
namespace {

struct QualifiedName {
  std::string_view type;
  std::string_view module;
};
// Types that aren't Python built-ins.
constexpr QualifiedName kModules[] = {
    {"BlockReference", "jinja2.runtime"},
    {"ChainableUndefined", "jinja2.runtime"},
    {"Cycler", "jinja2.utils"},
    {"DebugUndefined", "jinja2.runtime"},
    {"Joiner", "jinja2.utils"},
    {"LoopContext", "jinja2.runtime"},
    {"Macro", "jinja2.runtime"},
    {"Markup", "markupsafe"},
    {"Namespace", "jinja2.utils"},
    {"StrictUndefined", "jinja2.runtime"},
    {"TemplateModule", "jinja2.environment"},
    {"TemplateReference", "jinja2.runtime"},
    {"Undefined", "jinja2.runtime"},
};

std::string type_of(Runtime& runtime, const Value& value) {
  if (value.is(Kind::Null)) return "None";
  const std::string_view type = runtime.type_name(value);
  const auto* known =
      std::find_if(std::begin(kModules), std::end(kModules), [&](const auto& m) { return m.type == type; });
  const std::string module = known == std::end(kModules) ? "" : std::string(known->module) + ".";
  return module + std::string(type) + " object";
}

// The edit for a key that may be missing, if the look-up is short enough to be shown.
std::string default_for(const UndefinedInfo& info) {
  constexpr std::size_t kLongest = 40;
  const bool is_shown = !info.owner_text.empty() && info.owner_text.size() <= kLongest &&
                        info.owner_text.find_first_of("\n`") == std::string_view::npos;
  const bool is_name = !info.name.empty() && std::all_of(info.name.begin(), info.name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_';
  });
  if (!is_shown || !is_name) return {};
  return fmt::format("; if `{0}` is optional, write `{1}.{0} | default(…)`", info.name, info.owner_text);
}

void explain_list(Diagnostic& fault, const UndefinedInfo& info) {
  const std::size_t size = info.owner.items().size();
  if (!info.key.is(Kind::String))
    return static_cast<void>(fault.note(fmt::format("it has {} item{}", size, size == 1 ? "" : "s")));
  fault.note("it is a list").advise("loop over it, or choose an item such as `[0]`");
}

// A loop over a text gives its characters, so the value to edit can be one that the message doesn't show.
void explain_text(Diagnostic& fault, const Value& text, const OriginTable& origins) {
  fault.note("it is a text");
  const Origin& origin = origins[text.origin()];
  if (origin.kind == Origin::Kind::Input && origin.span.known()) fault.also(origin.span, "the text is set here");
}

// The most similar key of the owner, or all its keys.
void explain_choices(Diagnostic& fault, const UndefinedInfo& info, const Value& choices) {
  std::vector<std::string_view> keys;
  for (const Entry& entry : choices.entries()) {
    if (entry.key.is(Kind::String)) keys.push_back(entry.key.text());
  }
  std::string hint = did_you_mean(info.name, keys);
  if (hint.empty() && !keys.empty()) hint = "it has " + list_names(keys) + default_for(info);
  if (!hint.empty()) fault.advise(std::move(hint));
}

// The keys of the owner, or the place where it is null.
void explain_key(Diagnostic& fault, const UndefinedInfo& info, const OriginTable& origins) {
  if (info.owner.is(Kind::Null)) return explain_null(fault, info.owner, info.owner_text, origins);
  if (info.owner.is(Kind::List) && !info.owner.is_tuple()) return explain_list(fault, info);
  if (info.owner.is(Kind::String)) return explain_text(fault, info.owner, origins);
  const Value choices = info.owner.is(Kind::Object) ? info.owner.object_rep()->names() : info.owner;
  if (choices.is(Kind::Map)) explain_choices(fault, info, choices);
}

void explain_hint(Diagnostic& fault, const UndefinedInfo& info) {
  if (info.parameter.known()) {
    fault.also(info.parameter, "it has no default");
    fault.advise(fmt::format("pass `{0}` in the call, or give it a default: `{0}=…`", info.name));
  }
  if (info.owner.is(Kind::Map)) explain_choices(fault, info, info.owner);
}

std::string owner_name(Runtime& runtime, const UndefinedInfo& info) {
  if (!info.owner_text.empty()) return std::string(info.owner_text);
  return std::string(runtime.type_name(info.owner));
}

}  // namespace

void explain_null(Diagnostic& fault, const Value& null, std::string_view text, const OriginTable& origins) {
  const Origin& origin = origins[null.origin()];
  if (origin.kind != Origin::Kind::Input || !origin.span.known()) return;
  fault.also(origin.span, "it is null here");
  fault.advise(fmt::format("give it a value there, or write a default: `{}default(…, true)`",
                           text.empty() ? "| " : fmt::format("{} | ", text)));
}

Diagnostic* report_type(Runtime& runtime, std::string message, const Value& a, const Value& b) {
  Diagnostic* fault = runtime.report(diag::wrong_type, runtime.here, message);
  if (fault == nullptr) return nullptr;
  if (a.is(Kind::Null)) explain_null(*fault, a, {}, runtime.stage.origins);
  else if (b.is(Kind::Null)) explain_null(*fault, b, {}, runtime.stage.origins);
  return fault;
}

std::string_view class_name(UndefinedMode mode) {
  switch (mode) {
    case UndefinedMode::Strict: return "StrictUndefined";
    case UndefinedMode::Default: return "Undefined";
    case UndefinedMode::Chainable: return "ChainableUndefined";
    case UndefinedMode::Debug: return "DebugUndefined";
  }
  CW_UNREACHABLE("there are four undefined types");
}

std::string debug_text(Runtime& runtime, const UndefinedInfo& info) {
  if (info.why == UndefinedInfo::Why::Hint) return "{{ undefined value printed: " + std::string(info.hint) + " }}";
  if (info.why == UndefinedInfo::Why::Name) return "{{ " + std::string(info.name) + " }}";
  return "{{ no such element: " + type_of(runtime, info.owner) + "[" + runtime.repr(info.key) + "] }}";
}

Value Runtime::undefined(std::string_view name, Value owner) {
  if (owner.is(Kind::Null)) return undefined_name(Identifier{name, 0, here});
  return undefined_item(owner, string(name), {here, {}});
}

Value Runtime::undefined_name(const Identifier& name) {
  UndefinedInfo* info = arena().make<UndefinedInfo>();
  info->mode = options.undefined;
  info->name = name.text;
  info->where = name.span;
  return Value::undefined(info);
}

Value Runtime::undefined_item(const Value& owner, const Value& key, const LookupPlace& place) {
  UndefinedInfo* info = arena().make<UndefinedInfo>();
  info->why = UndefinedInfo::Why::Item;
  info->mode = options.undefined;
  if (key.is(Kind::String)) info->name = key.text();
  info->owner = owner;
  info->key = key;
  info->owner_text = place.owner;
  info->where = place.span;
  return derived(Value::undefined(info), owner, key);
}

Value Runtime::undefined_because(std::string_view hint, std::string_view name, const Value& choices) {
  UndefinedInfo* info = arena().make<UndefinedInfo>();
  info->why = UndefinedInfo::Why::Hint;
  info->mode = options.undefined;
  info->hint = arena().text(hint);
  info->name = name;
  info->owner = choices;
  info->where = here;
  return Value::undefined(info);
}

bool Runtime::usable_slow(const Value& value) {
  if (value.is_error()) return false;
  if (value.undefined_info()->mode != UndefinedMode::Strict) return true;
  fail_undefined(value);
  return false;
}

Value Runtime::fail_undefined(const Value& undefined) {
  const UndefinedInfo& info = *undefined.undefined_info();
  const Span where = info.where.known() ? info.where : here;
  switch (info.why) {
    case UndefinedInfo::Why::Name:
      if (Diagnostic* fault = report(diag::undefined_variable, where, info.name)) explain_name(*fault, info.name);
      break;
    case UndefinedInfo::Why::Hint:
      if (Diagnostic* fault = report(diag::undefined_value, where, info.hint)) explain_hint(*fault, info);
      break;
    case UndefinedInfo::Why::Item: {
      const bool named = info.key.is(Kind::String);
      const std::string key = named ? std::string(info.name) : repr(info.key);
      if (Diagnostic* fault = report(diag::undefined_attribute, where, owner_name(*this, info), key)) {
        explain_key(*fault, info, stage.origins);
      }
      break;
    }
  }
  return Value::error();
}

}  // namespace capwright::jinja
