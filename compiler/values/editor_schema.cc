// Keywords apply only to values of their type. So a map, a list or a number gets the type `string` and a pattern for
// references beside its own keywords; that keeps messages of editors simpler than `anyOf`, which only texts with other
// limits need.
#include "values/editor_schema.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "values/examples.h"
#include "values/merge.h"

namespace capwright::values {
namespace {

// A reference, or a value that sops has encrypted.
constexpr std::string_view kReference = R"(\$\{|^ENC\[AES256_GCM,)";

using Words = std::span<const std::string_view>;

constexpr std::string_view kAnnotationsWords[] = {"title", "description", "default", "examples", "deprecated"};
constexpr std::string_view kLimitsWords[] = {"enum", "const", "format", "maxLength"};
constexpr std::string_view kScalarWords[] = {"minimum",          "maximum",    "exclusiveMinimum",
                                             "exclusiveMaximum", "multipleOf", "minLength"};
constexpr std::string_view kArrayWords[] = {"minItems", "maxItems", "uniqueItems"};
constexpr std::string_view kTitleWords[] = {"title", "description"};
constexpr std::string_view kTextWords[] = {"type", "pattern"};
constexpr std::string_view kNameWords[] = {"pattern", "maxLength"};

bool is_one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class EditorSchema {
 public:
  EditorSchema(const Value& effective, Arena& arena) : effective_(effective), arena_(arena) {}

  Value root(const Value& flat, ValuesFile file) {
    Rewritten result;
    set(result, "$schema", text("https://json-schema.org/draft/2020-12/schema"));
    copy(effective_, kTitleWords, result);
    set(result, "type", list({text("object"), text("null")}));
    set(result, "additionalProperties", Value::boolean(false));
    if (file == ValuesFile::Cluster) set(result, "required", list({text("cluster_name")}));
    std::vector<Entry> properties = members(effective_, true);
    const Value* short_forms = flat.find("properties");
    for (const Entry& form : short_forms->entries()) {
      const auto same = std::find_if(properties.begin(), properties.end(),
                                     [&](const Entry& known) { return known.key.text() == form.key.text(); });
      if (same == properties.end()) properties.push_back({form.key, rewritten(form.value, true)});
      else same->value = with_short_items(same->value, form.value);
    }
    add_file_keys(properties);
    set(result, "properties", make_map(arena_, properties));
    return make_map(arena_, result);
  }

 private:
  using Rewritten = std::vector<Entry>;

  Value text(std::string_view bytes) { return make_string(arena_, bytes); }
  Value list(std::initializer_list<Value> items) { return make_list(arena_, std::vector<Value>(items)); }
  void set(Rewritten& entries, std::string_view key, const Value& value) {
    entries.push_back({make_key(arena_, key), value});
  }
  static void copy(const Value& from, Words keywords, Rewritten& to) {
    for (const Entry& entry : from.entries()) {
      if (is_one_of(entry.key.text(), keywords)) to.push_back(entry);
    }
  }

  // `open`: layers are merged here, so keys may be missing, and null deletes.
  Value rewritten(const Value& written, bool open) {
    if (!written.is(Kind::Map)) return written;
    const Value schema = without_references(written, effective_, arena_);
    const std::vector<std::string_view> types = types_of(schema);
    const auto has = [&](std::string_view type) { return std::find(types.begin(), types.end(), type) != types.end(); };
    Rewritten result;
    copy(schema, kAnnotationsWords, result);
    if (types.empty()) return make_map(arena_, result);
    const auto is_limit = [](const Entry& entry) { return is_one_of(entry.key.text(), kLimitsWords); };
    const auto keywords = schema.entries();
    if (!has("object") && !has("array") && std::any_of(keywords.begin(), keywords.end(), is_limit)) {
      set(result, "anyOf", alternatives(schema, open));
      return make_map(arena_, result);
    }
    std::vector<Value> accepted;
    for (const std::string_view type : types) accepted.push_back(text(type));
    if (!has("string")) accepted.push_back(text("string"));
    if (open && !has("null")) accepted.push_back(text("null"));
    set(result, "type", make_list(arena_, accepted));
    if (!has("string")) set(result, "pattern", text(kReference));
    else if (const std::string_view own = schema.text_at("pattern"); !own.empty())
      set(result, "pattern", text(fmt::format("(?:{})|{}", own, kReference)));
    copy(schema, kScalarWords, result);
    if (has("object")) add_members(schema, open, result);
    if (has("array")) add_items(schema, result);
    return make_map(arena_, result);
  }

  static std::vector<std::string_view> types_of(const Value& schema) {
    std::vector<std::string_view> types;
    const Value* type = schema.find("type");
    if (type == nullptr && schema.find("properties") != nullptr) return {"object"};
    if (type == nullptr) return types;
    if (type->is(Kind::String)) return {type->text()};
    for (const Value& each : type->items()) types.push_back(each.text());
    return types;
  }

  Value alternatives(const Value& schema, bool open) {
    Rewritten own, reference, null;
    copy(schema, kTextWords, own);
    copy(schema, kScalarWords, own);
    copy(schema, kLimitsWords, own);
    set(reference, "type", text("string"));
    set(reference, "pattern", text(kReference));
    std::vector<Value> all{make_map(arena_, own), make_map(arena_, reference)};
    set(null, "type", text("null"));
    if (open) all.push_back(make_map(arena_, null));
    return make_list(arena_, all);
  }

  std::vector<Entry> members(const Value& schema, bool open) {
    std::vector<Entry> properties;
    const Value* all = schema.find("properties");
    if (all == nullptr) return properties;
    for (const Entry& member : all->entries()) properties.push_back({member.key, rewritten(member.value, open)});
    return properties;
  }

  void add_members(const Value& schema, bool open, Rewritten& result) {
    if (schema.find("properties") != nullptr) set(result, "properties", make_map(arena_, members(schema, open)));
    if (const Value* others = schema.find("additionalProperties"))
      set(result, "additionalProperties", rewritten(*others, open));
    if (const Value* names = schema.find("propertyNames")) {
      Rewritten kept;
      copy(without_references(*names, effective_, arena_), kNameWords, kept);
      set(result, "propertyNames", make_map(arena_, kept));
    }
    if (open) return;
    std::vector<Value> required;
    const Value* all = schema.find("required");
    for (const Value& key : all == nullptr ? std::span<const Value>() : all->items()) {
      const Value* property =
          schema.find("properties") == nullptr ? nullptr : schema.find("properties")->find(key.text());
      if (property == nullptr || property->find("x-normalized-from") == nullptr) required.push_back(key);
    }
    if (!required.empty()) set(result, "required", make_list(arena_, required));
  }

  // A layer replaces a list as a whole, so its items are complete.
  void add_items(const Value& schema, Rewritten& result) {
    copy(schema, kArrayWords, result);
    if (const Value* items = schema.find("items")) set(result, "items", rewritten(*items, false));
  }

  // The canonical list with the short forms of its items.
  Value with_short_items(const Value& canonical, const Value& flat) {
    const Value* items = flat.find("items");
    const Value* forms = items == nullptr ? nullptr : items->find("anyOf");
    if (forms == nullptr) return canonical;
    std::vector<Value> accepted;
    for (const Value& form : forms->items()) {
      const bool is_canonical = form.text_at("type") == "object";
      accepted.push_back(is_canonical ? *canonical.find("items") : rewritten(form, false));
    }
    Rewritten entries;
    for (const Entry& entry : canonical.entries()) {
      if (entry.key.text() != "items") entries.push_back(entry);
    }
    const Entry any{make_key(arena_, "anyOf"), make_list(arena_, accepted)};
    set(entries, "items", make_map(arena_, {&any, 1}));
    return make_map(arena_, entries);
  }

  // Keys that belong to the file and not to the cluster.
  void add_file_keys(std::vector<Entry>& properties) {
    Rewritten name, extends, sops;
    set(name, "type", text("string"));
    set(extends, "title", text("Layers below"));
    set(extends, "description", text("Files that this file adds to or overrides, relative to its folder."));
    set(extends, "type", list({text("string"), text("array")}));
    set(extends, "items", make_map(arena_, name));
    set(sops, "description", text("What `sops` needs to decrypt this file."));
    set(sops, "type", text("object"));
    set(properties, "extends", make_map(arena_, extends));
    set(properties, "sops", make_map(arena_, sops));
  }

  const Value& effective_;
  Arena& arena_;
};

}  // namespace

Value editor_schema(const Value& effective, const Value& flat, ValuesFile file, Arena& arena) {
  return EditorSchema(effective, arena).root(flat, file);
}

}  // namespace capwright::values
