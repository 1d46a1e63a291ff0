// Resolves references depth first, each path once; a path that is met again during its resolution is a cycle.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "diag/catalog/layers.h"
#include "diag/catalog/limits.h"
#include "diag/suggest.h"
#include "values/merge.h"
#include "values/normalize.h"

namespace capwright::values {
namespace {

// Text of other programs: `${…}` there belongs to them.
constexpr std::string_view kRawSection = "addon_values";
constexpr std::string_view kAddons = "addons", kRawText = "values";  // `addons[].values`, if it is text

bool has_reference(std::string_view text) { return text.find("${") != std::string_view::npos; }

// The places of bytes in a string value: exact if the source has the same bytes, otherwise the whole value.
class Places {
 public:
  Places(const Value& value, const Stage& stage) : whole_(stage.origins[value.origin()].span) {
    shift_ = stage.sources.text(whole_).find(value.text());
  }
  Span operator()(std::size_t begin, std::size_t end) const {
    if (shift_ == std::string_view::npos) return whole_;
    const auto at = static_cast<std::uint32_t>(whole_.begin + shift_);
    return {whole_.file, at + static_cast<std::uint32_t>(begin), at + static_cast<std::uint32_t>(end)};
  }

 private:
  Span whole_;
  std::size_t shift_;
};

class Resolver {
 public:
  Resolver(Value root, Stage& stage, Sink& of_defaults) : root_(root), stage_(stage), of_defaults_(of_defaults) {}

  Value resolve(const Value& value, std::uint32_t depth = 0) {
    switch (value.kind()) {
      case Kind::String: return has_reference(value.text()) ? resolve_string(value) : value;
      case Kind::List: return resolve_list(value, depth);
      case Kind::Map: return resolve_map(value, depth);
      default: return value;
    }
  }

 private:
  Value resolve_list(const Value& list, std::uint32_t depth) {
    std::vector<Value> items;
    bool changed = false;
    for (const Value& item : list.items()) {
      items.push_back(resolve(item, depth + 1));
      changed = changed || differs(items.back(), item);
    }
    if (!changed) return list;
    return make_list(stage_.arena, items).with_origin(list.origin()).with_taint(list.tainted());
  }

  Value resolve_map(const Value& map, std::uint32_t depth) {
    std::vector<Entry> entries;
    bool changed = false;
    for (const Entry& entry : map.entries()) {
      entries.push_back({entry.key, resolve_member(entry, depth)});
      changed = changed || differs(entries.back().value, entry.value);
    }
    if (!changed) return map;
    return make_map(stage_.arena, entries).with_origin(map.origin()).with_taint(map.tainted());
  }

  Value resolve_member(const Entry& entry, std::uint32_t depth) {
    if (depth != 0) return resolve(entry.value, depth + 1);
    if (entry.key.text() == kRawSection) return entry.value;
    if (entry.key.text() == kAddons && entry.value.is(Kind::List)) return resolve_addons(entry.value);
    return resolve(entry.value, depth + 1);
  }

  Value resolve_addons(const Value& addons) {
    std::vector<Value> items;
    for (const Value& addon : addons.items())
      items.push_back(addon.is(Kind::Map) ? resolve_addon(addon) : resolve(addon, 2));
    return make_list(stage_.arena, items).with_origin(addons.origin()).with_taint(addons.tainted());
  }

  Value resolve_addon(const Value& addon) {
    std::vector<Entry> entries;
    for (const Entry& entry : addon.entries()) {
      const bool raw = entry.key.text() == kRawText && entry.value.is(Kind::String);
      entries.push_back({entry.key, raw ? entry.value : resolve(entry.value, 3)});
    }
    return make_map(stage_.arena, entries).with_origin(addon.origin()).with_taint(addon.tainted());
  }

  static bool differs(const Value& a, const Value& b) {
    if (a.kind() != b.kind()) return true;
    switch (a.kind()) {
      case Kind::String: return a.text_rep() != b.text_rep();
      case Kind::List: return a.list_rep() != b.list_rep();
      case Kind::Map: return a.map_rep() != b.map_rep();
      default: return false;
    }
  }

  Value resolve_string(const Value& value) {
    const std::string_view text = value.text();
    const Places place(value, stage_);
    std::string result;
    Value only;  // set if the whole string is one reference
    OriginId origin = value.origin();
    bool tainted = value.tainted();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t dollar = text.find("${", at);
      if (dollar == std::string_view::npos) {
        result += text.substr(at);
        break;
      }
      if (dollar > at && text[dollar - 1] == '$') {  // `$${`
        result.append(text.substr(at, dollar - at - 1)).append("${");
        at = dollar + 2;
        continue;
      }
      const std::size_t close = text.find('}', dollar);
      if (close == std::string_view::npos) {
        stage_.sink.report(diag::unclosed_reference, place(dollar, text.size()))
            .advise("close it with `}`, or write `$${` for a literal `${`");
        return Value::error();
      }
      const Span where = place(dollar, close + 1);
      Sink& sink = stage_.origins[value.origin()].kind == Origin::Kind::SchemaDefault ? of_defaults_ : stage_.sink;
      const Value found = look_up(text.substr(dollar + 2, close - dollar - 2), where, sink);
      if (found.is_error()) return found;
      if (dollar == 0 && close + 1 == text.size()) {
        if (!has_room(found, where)) return Value::error();
        return found.with_origin(stage_.origins.combine(found.origin(), origin)).with_taint(found.tainted() || tainted);
      }
      result.append(text.substr(at, dollar - at));
      if (result.size() + text_size(found) > stage_.limits.string_bytes) {
        stage_.sink.report(diag::string_too_long, where, stage_.limits.string_bytes);
        return Value::error();
      }
      if (!append_scalar(found, result)) {
        stage_.sink
            .report(diag::reference_to_container, where, text.substr(dollar, close + 1 - dollar),
                    kind_name(found.kind()))
            .advise("refer to one scalar, or make the whole value this one reference");
        return Value::error();
      }
      origin = stage_.origins.combine(origin, found.origin());
      tainted = tainted || found.tainted();
      at = close + 1;
    }
    return make_string(stage_.arena, result).with_origin(origin).with_taint(tainted).with_style(value.style());
  }

  static std::size_t text_size(const Value& value) { return value.is(Kind::String) ? value.text().size() : 0; }

  // References to containers share them, but later walks visit each copy: nested references, ten to ten and so on,
  // would never end.
  bool has_room(const Value& found, Span where) {
    const bool exhausted = nodes_ > stage_.limits.list_items;
    if (exhausted || count(found)) return !exhausted;
    stage_.sink.report(diag::list_too_long, where, stage_.limits.list_items);
    return false;
  }

  // Counts the nodes of `value`, up to the limit.
  bool count(const Value& value) {
    if (++nodes_ > stage_.limits.list_items) return false;
    if (value.is(Kind::List)) {
      return std::all_of(value.items().begin(), value.items().end(), [&](const Value& item) { return count(item); });
    }
    if (!value.is(Kind::Map)) return true;
    return std::all_of(value.entries().begin(), value.entries().end(),
                       [&](const Entry& entry) { return count(entry.value); });
  }

  static bool append_scalar(const Value& value, std::string& out) {
    switch (value.kind()) {
      case Kind::String: out += value.text(); return true;
      case Kind::Int: out += std::to_string(value.as_int()); return true;
      case Kind::Bool: out += value.as_bool() ? "true" : "false"; return true;
      case Kind::Float: out += fmt::format("{}", value.as_float()); return true;
      default: return false;
    }
  }

  // `unknown` receives the report of a path that isn't set.
  Value look_up(std::string_view path_as_written, Span where, Sink& unknown) {
    const std::vector<PathStep> path = parse_path(path_as_written, where, stage_);
    if (path.empty()) return Value::error();
    const std::string name = path_text(path);
    if (const auto known = resolved_.find(name); known != resolved_.end()) return known->second;
    if (const auto open = std::find(open_.begin(), open_.end(), name); open != open_.end()) {
      std::string chain;
      for (auto i = open; i != open_.end(); ++i) chain += *i + " -> ";
      stage_.sink.report(diag::reference_cycle, where, name).note("the cycle is " + chain + name);
      return Value::error();
    }
    if (open_.size() >= stage_.limits.depth) {
      stage_.sink.report(diag::nested_too_deep, where, "references", stage_.limits.depth);
      return Value::error();
    }
    const Value* found = walk(path, where, unknown);
    if (found == nullptr) return Value::error();
    open_.push_back(name);
    const Value value = resolve(*found, static_cast<std::uint32_t>(path.size()));
    open_.pop_back();
    resolved_.emplace(name, value);
    return value;
  }

  const Value* walk(const std::vector<PathStep>& path, Span where, Sink& unknown) {
    const Value* at = &root_;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const PathStep& step = path[i];
      const Value* next = nullptr;
      if (step.is_index()) {
        if (at->is(Kind::List) && static_cast<std::size_t>(step.index) < at->items().size()) {
          next = &at->items()[static_cast<std::size_t>(step.index)];
        }
      } else {
        next = at->find(step.key);
      }
      if (next == nullptr) {
        report_unknown(unknown.report(diag::unknown_reference, where, path_text(path)), *at, path, i, stage_.sources);
        return nullptr;
      }
      at = next;
    }
    return at;
  }

  static void report_unknown(Diagnostic& diagnostic, const Value& parent, const std::vector<PathStep>& path,
                             std::size_t depth, const SourceSet& sources) {
    std::vector<std::string_view> keys;
    if (parent.is(Kind::Map)) {
      for (const Entry& entry : parent.entries()) keys.push_back(entry.key.text());
    }
    if (depth > 0) {
      diagnostic.note(fmt::format("`{}` is a {} without `{}`", path_text(std::span(path).first(depth)),
                                  kind_name(parent.kind()), path_text(std::span(path).subspan(depth, 1))));
    }
    const std::string_view near = path[depth].is_index() ? std::string_view() : nearest(path[depth].key, keys);
    if (!near.empty()) {
      std::vector<PathStep> meant = path;
      meant[depth].key = near;
      const std::string reference = "${" + path_text(meant) + "}";
      diagnostic.advise("did you mean `" + reference + "`?");
      if (sources.text(diagnostic.where) == "${" + path_text(path) + "}")
        diagnostic.fix = Fix{"write the nearest key", Safety::Unsafe, {{diagnostic.where, reference}}};
    } else {
      diagnostic.advise("no layer sets it and the schema has no default for it; write `$${` for a literal `${`");
    }
  }

  Value root_;
  Stage& stage_;
  Sink& of_defaults_;
  std::map<std::string, Value> resolved_;
  std::vector<std::string> open_;
  std::uint32_t nodes_ = 0;  // added by references to containers
};

}  // namespace

Value resolve_references(Value values, Stage& stage, Sink& of_defaults) {
  return Resolver(values, stage, of_defaults).resolve(values);
}

Value resolve_references_in(Value part, Value values, Stage& stage) {
  return Resolver(values, stage, stage.sink).resolve(part, 1);
}

}  // namespace capwright::values
