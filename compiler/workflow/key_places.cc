// Each file gives a list of keys with their paths. A rename selects the equal paths.
#include "workflow/key_places.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "lint/model/template_tree.h"
#include "template/resolve/template_references.h"

namespace capwright::workflow {
namespace {

// References of schemas may be recursive.
constexpr std::size_t kDeepestKey = 12;

Span key_span(Span span, const SourceSet& sources) {
  const std::string_view text = sources.text(span);
  const bool is_quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'');
  if (is_quoted) return {span.file, span.begin + 1, span.end - 1};
  return span;
}

KeyPath joined(KeyPath path, std::string_view step) {
  path.emplace_back(step);
  return path;
}

bool is_key_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

class ValueKeys {
 public:
  explicit ValueKeys(const Stage& stage) : stage_(stage) {}

  void add_keys(const Value& value, const KeyPath& path) {
    if (value.is(Kind::List)) {
      for (const Value& item : value.items()) add_keys(item, joined(path, kAnyItem));
    } else if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries()) {
        const KeyPath below = joined(path, entry.key.text());
        const Span where = stage_.origins[entry.key.origin()].span;
        if (where.known()) found.push_back({below, key_span(where, stage_.sources)});
        add_keys(entry.value, below);
      }
    }
  }

  void add_references(const Value& value, const KeyPath& path) {
    if (value.is(Kind::String)) return add_text(stage_.span_of(value));
    if (value.is(Kind::List)) {
      for (const Value& item : value.items()) add_references(item, joined(path, kAnyItem));
    } else if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries()) {
        if (!is_text_of_others(path, entry)) add_references(entry.value, joined(path, entry.key.text()));
      }
    }
  }

  std::vector<KeyPlace> found;

 private:
  // As the resolver of references leaves them: `addon_values`, and text in `addons[].values`.
  static bool is_text_of_others(const KeyPath& path, const Entry& entry) {
    if (path.empty()) return entry.key.text() == "addon_values";
    return path == KeyPath{"addons", std::string(kAnyItem)} && entry.key.text() == "values" &&
           entry.value.is(Kind::String);
  }

  void add_text(Span where) {
    if (!where.known()) return;
    const std::string_view text = stage_.sources.text(where);
    for (std::size_t at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 2)) {
      const std::size_t end = text.find('}', at);
      const bool is_text = at > 0 && text[at - 1] == '$';
      if (end != std::string_view::npos && !is_text) add_path(where, at + 2, end);
    }
  }

  // The path in `[at, end)` of a text.
  void add_path(Span where, std::size_t at, std::size_t end) {
    const std::string_view text = stage_.sources.text(where);
    KeyPath path;
    while (at < end) {
      if (text[at] == '[') {
        path.emplace_back(kAnyItem);
        at = std::min(text.find(']', at), end - 1) + 1;
        continue;
      }
      std::size_t after = at;
      while (after < end && is_key_byte(text[after])) ++after;
      if (after != at) {
        path.emplace_back(text.substr(at, after - at));
        found.push_back({path,
                         {where.file, where.begin + static_cast<std::uint32_t>(at),
                          where.begin + static_cast<std::uint32_t>(after)},
                         true});
      }
      at = std::max(after, at + 1);
    }
  }

  const Stage& stage_;
};

class SchemaKeys {
 public:
  SchemaKeys(const Value& document, const Stage& stage) : document_(document), stage_(stage) {}

  void add(const Value& schema, const KeyPath& path) {
    if (!schema.is(Kind::Map) || path.size() > kDeepestKey || !open_.emplace(path, schema.map_rep()).second) return;
    if (const Value* properties = schema.find("properties"); properties != nullptr && properties->is(Kind::Map)) {
      for (const Entry& property : properties->entries()) {
        add_place(joined(path, property.key.text()), stage_.origins[property.key.origin()].span);
        add(property.value, joined(path, property.key.text()));
      }
    }
    add_words(schema.find("required"), path);
    if (const Value* unique = schema.find("x-unique"); unique != nullptr && unique->is(Kind::String))
      add_place(joined(joined(path, kAnyItem), unique->text()), stage_.span_of(*unique));
    for (const std::string_view items : {"items", "contains", "additionalProperties"}) {
      if (const Value* below = schema.find(items)) add(*below, joined(path, kAnyItem));
    }
    for (const std::string_view same : {"if", "then", "else", "not"}) {
      if (const Value* here = schema.find(same)) add(*here, path);
    }
    for (const std::string_view several : {"allOf", "anyOf", "oneOf"}) {
      const Value* list = schema.find(several);
      if (list == nullptr || !list->is(Kind::List)) continue;
      for (const Value& each : list->items()) add(each, path);
    }
    constexpr std::string_view kDefinitions = "#/$defs/";
    const std::string_view reference = schema.text_at("$ref");
    const Value* definitions = document_.find("$defs");
    if (!reference.starts_with(kDefinitions) || definitions == nullptr || !definitions->is(Kind::Map)) return;
    if (const Value* found_one = definitions->find(reference.substr(kDefinitions.size()))) add(*found_one, path);
  }

  std::vector<KeyPlace> found;

 private:
  void add_words(const Value* list, const KeyPath& path) {
    if (list == nullptr || !list->is(Kind::List)) return;
    for (const Value& word : list->items()) {
      if (word.is(Kind::String)) add_place(joined(path, word.text()), stage_.span_of(word));
    }
  }

  void add_place(const KeyPath& path, Span where) {
    if (where.known()) found.push_back({path, key_span(where, stage_.sources)});
  }

  const Value& document_;
  const Stage& stage_;
  std::set<std::pair<KeyPath, const void*>> open_;  // what was added
};

}  // namespace

std::string text_of(const KeyPath& path) {
  std::string text;
  for (const std::string& step : path) {
    if (step != kAnyItem && !text.empty()) text += '.';
    text += step;
  }
  return text;
}

std::vector<KeyPlace> keys_of_values(const Value& values, const Stage& stage) {
  ValueKeys keys(stage);
  keys.add_keys(values, {});
  keys.add_references(values, {});
  return std::move(keys.found);
}

std::vector<KeyPlace> references_in(const Value& values, const Stage& stage) {
  ValueKeys keys(stage);
  keys.add_references(values, {});
  return std::move(keys.found);
}

std::vector<KeyPlace> keys_of_schema(const Value& schema, const Stage& stage) {
  SchemaKeys keys(schema, stage);
  keys.add(schema, {});
  return std::move(keys.found);
}

std::vector<KeyPlace> keys_of_template(const jinja::Template& parsed, const SourceSet& sources) {
  std::vector<KeyPlace> found;
  std::set<std::pair<Span, KeyPath>> known;
  for (const jinja::ReadPath& read : parsed.references.reads) {
    KeyPath path;
    for (const jinja::PathStep& step : read.steps) {
      const bool is_key = step.kind == jinja::PathStep::Kind::Key;
      const bool is_method = read.called && &step == &read.steps.back() && !path.empty();
      if (is_method) continue;
      path.emplace_back(is_key ? step.key : kAnyItem);
      const Span where = key_span(step.span, sources);
      if (known.emplace(where, path).second) found.push_back({path, where});
    }
  }
  return found;
}

std::vector<Span> untraced_uses(const jinja::Template& parsed, std::string_view key,
                                const std::vector<KeyPlace>& traced, const SourceSet& sources) {
  std::set<Span> known;
  for (const KeyPlace& place : traced) known.insert(place.where);
  std::vector<Span> found;
  const auto add = [&](Span where) {
    if (!known.contains(key_span(where, sources))) found.push_back(where);
  };
  const auto names_key = [&](std::string_view text) {
    const std::string dotted = "." + std::string(text) + ".";
    return dotted.find("." + std::string(key) + ".") != std::string::npos;
  };
  const auto look_at = [&](const jinja::Expr& part) {
    if (part.kind == jinja::NodeKind::GetAttr) {
      const auto& attribute = static_cast<const jinja::GetAttr&>(part);
      if (attribute.name.text == key) add(attribute.name.span);
    } else if (part.kind == jinja::NodeKind::Constant) {
      const auto& constant = static_cast<const jinja::Constant&>(part);
      if (constant.value.is(Kind::String) && names_key(constant.value.text())) add(constant.span);
    }
  };
  lint::for_each_statement(parsed.body, [&](const jinja::Stmt& statement) {
    lint::for_each_expression(statement, [&](const jinja::Expr& expr) { lint::for_each_part(expr, look_at); });
  });
  return found;
}

}  // namespace capwright::workflow
