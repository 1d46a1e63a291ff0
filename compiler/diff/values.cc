// Walks both values in parallel. Matches lists by their keys, parses texts with YAML or JSON and walks them, and marks
// parts that may contain secrets.
#include "diff/values.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>

#include "diff/align.h"
#include "diff/fields.h"
#include "diff/inner.h"
#include "migrate/convert.h"
#include "rotation/naming.h"
#include "secrets/manifest_text.h"
#include "yaml/write.h"

namespace capwright::diff {
namespace {

// The context of a place.
struct ValueContext {
  const crd::Node* schema = nullptr;  // of the value; null: unknown
  std::string_view field;             // the nearest key
  bool inner_root = false;            // the root of a document inside a text
  bool secret_object = false;         // any part of a Secret
  bool secret_data = false;           // the parts of it that aren't public: `data`, `stringData`, or a misspelt one
  bool secret = false;                // must not be shown
};

const crd::Node* member_schema(const crd::Node* map, const Value& key) {
  if (map == nullptr) return nullptr;
  const crd::Property* property = map->table.find(key);
  return property != nullptr ? property->node : map->additional;
}

ValueContext below_key(const Value& key, const ValueContext& context, bool is_object) {
  const std::string_view name = key.text();
  ValueContext below{member_schema(context.schema, key), name, false, context.secret_object, false, context.secret};
  below.secret_data = context.secret_object && is_object && !secrets::is_public_in_secret(name);
  below.secret |= below.secret_data || (context.secret_object && name == kLastApplied);
  return below;
}

ValueContext below_list(const ValueContext& context) {
  return {context.schema != nullptr ? context.schema->items : nullptr,
          context.field,
          false,
          context.secret_object,
          false,
          context.secret};
}

class Walk {
 public:
  Walk(ObjectPair& pair, const Sides& sides) : pair_(pair), sides_(sides) {}

  void run(const crd::Node* schema) {
    ValueContext context;
    context.schema = schema;
    context.secret_object = pair_.object().is_secret();
    const Value& before = pair_.before->value;
    const Value converted = migrate::in_version_of(before, pair_.after->value, sides_.before.stage().arena);
    walk(converted, pair_.after->value, context);
    add_conversion(before, converted);
  }

 private:
  void walk(const Value& before, const Value& after, const ValueContext& context) {
    if (before.is(Kind::Map) && after.is(Kind::Map)) return walk_maps(before, after, context);
    if (before.is(Kind::List) && after.is(Kind::List)) return walk_lists(before, after, context);
    if (json_equal(before, after)) return;
    const bool both_texts = before.is(Kind::String) && after.is(Kind::String);
    if (!both_texts || !walk_texts(before, after, context)) add(Change::Kind::Replace, before, after, context);
  }

  // ---- maps ----
  void walk_maps(const Value& before, const Value& after, const ValueContext& outer) {
    const Rename* rename = renamed_reference(before, after, outer.field);
    ValueContext context = outer;
    const bool is_secret = is_secret_object(before) || is_secret_object(after);
    context.secret_object |= is_secret;
    // Items of a list may inherit its kind.
    const bool is_object =
        is_secret || path_.empty() || before.find("kind") != nullptr || after.find("kind") != nullptr;
    for (const Entry& entry : before.entries()) {
      const Value* there = after.find(entry.key.text());
      const ValueContext below = below_key(entry.key, context, is_object);
      push({Step::Kind::Key, context.inner_root, std::string(entry.key.text()), 0, 0});
      if (there == nullptr) {
        add_tree(Change::Kind::Remove, entry.value, below);
      } else if (rename != nullptr && entry.key.text() == "name") {
        add(Change::Kind::Replace, entry.value, *there, below).follows = rename->pair;
      } else if (!is_own_name()) {
        walk(entry.value, *there, below);
      }
      path_.pop_back();
    }
    for (const Entry& entry : after.entries()) {
      if (before.find(entry.key.text()) != nullptr) continue;
      push({Step::Kind::Key, context.inner_root, std::string(entry.key.text()), 0, 0});
      add_tree(Change::Kind::Add, entry.value, below_key(entry.key, context, is_object));
      path_.pop_back();
    }
  }

  bool is_own_name() const {
    return pair_.kind == ObjectPair::Kind::Renamed && path_.size() == 2 && path_[0].text == "metadata" &&
           path_[1].text == "name";
  }

  const Rename* renamed_reference(const Value& before, const Value& after, std::string_view field) const {
    if (sides_.renames.empty()) return nullptr;
    auto kind = rotation::string_at(before, "kind"), new_kind = rotation::string_at(after, "kind");
    const auto name = rotation::string_at(before, "name"), new_name = rotation::string_at(after, "name");
    if (field == rotation::kClassReference && !kind && !new_kind) kind = new_kind = rotation::kClusterClass;
    if (!kind || !name || kind != new_kind || !new_name) return nullptr;
    const auto found = sides_.renames.find({*kind, *name});
    return found != sides_.renames.end() && found->second.to == *new_name ? &found->second : nullptr;
  }

  // ---- lists ----
  struct Naming {
    Step::Kind kind;
    std::function<std::string(const Value&)> name;
  };

  void walk_lists(const Value& before, const Value& after, const ValueContext& context) {
    if (json_equal(before, after)) return;
    // The path would reveal keys.
    const ListRule rule = context.secret ? ListRule() : list_rule(context.field, context.schema, before, after);
    if (rule.kind == ListRule::Kind::Ordered) return walk_ordered(before, after, context);
    const bool keyed = rule.kind == ListRule::Kind::Keyed;
    const auto name = [&](const Value& item) {
      if (keyed) return selector_of(item, rule.keys, context.schema);
      return item.is(Kind::String) ? std::string(item.text()) : canonical_json(item);
    };
    const bool reordered = walk_named(before, after, {keyed ? Step::Kind::Keyed : Step::Kind::Member, name}, context);
    if (reordered) add(rule.order_counts ? Change::Kind::Reorder : Change::Kind::Format, before, after, context);
  }

  // Walks items with names. Returns whether those on both sides have another order.
  bool walk_named(const Value& before, const Value& after, const Naming& naming, const ValueContext& context) {
    const ValueContext below = below_list(context);
    std::unordered_map<std::string, std::uint32_t> numbers;
    for (const Value& item : after.items())
      numbers.emplace(naming.name(item), static_cast<std::uint32_t>(numbers.size()));
    std::vector<char> matched(after.items().size(), 0);
    std::uint32_t number = 0, last = 0;
    bool reordered = false;
    for (const Value& item : before.items()) {
      std::string name = naming.name(item);
      const auto found = numbers.find(name);
      const bool gone = found == numbers.end();
      const std::uint32_t there = gone ? number : found->second;
      push({naming.kind, context.inner_root, std::move(name), there, number++});
      if (gone) {
        add_tree(Change::Kind::Remove, item, below);
      } else {
        reordered |= there < last;
        last = there;
        matched[there] = 1;
        walk(item, after.items()[there], below);
      }
      path_.pop_back();
    }
    for (std::uint32_t i = 0; i < matched.size(); ++i) {
      if (matched[i] != 0) continue;
      const Value& item = after.items()[i];
      push({naming.kind, context.inner_root, naming.name(item), i, i});
      add_tree(Change::Kind::Add, item, below);
      path_.pop_back();
    }
    return reordered;
  }

  void walk_ordered(const Value& before, const Value& after, const ValueContext& context) {
    const ValueContext below = below_list(context);
    for (const ItemPair& pair : align_items(before.items(), after.items())) {
      const bool gone = pair.after == ItemPair::kGone, is_new = pair.before == ItemPair::kGone;
      push({Step::Kind::Item,
            context.inner_root,
            {},
            gone ? pair.before : pair.after,
            is_new ? pair.after : pair.before});
      if (gone) add_tree(Change::Kind::Remove, before.items()[pair.before], below);
      else if (is_new) add_tree(Change::Kind::Add, after.items()[pair.after], below);
      else walk(before.items()[pair.before], after.items()[pair.after], below);
      path_.pop_back();
    }
  }

  // ---- texts ----
  // Returns whether both were parsed as data. If the data is equal, only the format differs.
  bool walk_texts(const Value& before, const Value& after, const ValueContext& context) {
    if (path_.empty()) return false;  // a file that isn't YAML
    if (context.secret && !is_open_inside(context.field)) return false;
    const std::vector<Value> old_documents = documents_in(before, sides_.before);
    if (old_documents.empty()) return false;
    const std::vector<Value> new_documents = documents_in(after, sides_.after);
    if (new_documents.empty()) return false;
    ValueContext inner;
    inner.inner_root = true;
    inner.secret_object = context.secret_object;
    inner.secret = context.secret;
    const std::size_t known = pair_.changes.size();
    if (old_documents.size() == 1 && new_documents.size() == 1) walk(old_documents[0], new_documents[0], inner);
    else walk_documents(old_documents, new_documents, inner);
    if (pair_.changes.size() == known) add(Change::Kind::Format, before, after, context);
    return true;
  }

  void walk_documents(const std::vector<Value>& before, const std::vector<Value>& after, const ValueContext& inner) {
    const std::vector<std::string> old_names = names_of(before), new_names = names_of(after);
    ValueContext below = inner;
    below.inner_root = false;
    for (std::uint32_t i = 0; i < before.size(); ++i) {
      const auto found = std::find(new_names.begin(), new_names.end(), old_names[i]);
      const bool gone = found == new_names.end();
      const auto there = static_cast<std::uint32_t>(found - new_names.begin());
      push({Step::Kind::Document, true, old_names[i], gone ? i : there, i});
      if (gone) add_tree(Change::Kind::Remove, before[i], below);
      else walk(before[i], after[there], below);
      path_.pop_back();
    }
    for (std::uint32_t i = 0; i < after.size(); ++i) {
      if (std::find(old_names.begin(), old_names.end(), new_names[i]) != old_names.end()) continue;
      push({Step::Kind::Document, true, new_names[i], i, i});
      add_tree(Change::Kind::Add, after[i], below);
      path_.pop_back();
    }
  }

  // ---- recording changes ----
  void push(Step step) { path_.push_back(std::move(step)); }

  // Adds a value that exists on one side only; part by part if one of its parts must not be shown.
  void add_tree(Change::Kind kind, const Value& value, ValueContext context) {
    Side& side = kind == Change::Kind::Add ? sides_.after : sides_.before;
    const bool can_part = value.is(Kind::Map) && !value.entries().empty();
    const bool must_part = context.secret_data || (!context.secret && holds_secret(value, side));
    if (!can_part || !must_part) {
      if (kind == Change::Kind::Add) add(kind, Value(), value, context);
      else add(kind, value, Value(), context);
      return;
    }
    const bool is_secret = is_secret_object(value), is_object = is_secret || value.find("kind") != nullptr;
    context.secret_object |= is_secret;
    for (const Entry& entry : value.entries()) {
      push({Step::Kind::Key, context.inner_root, std::string(entry.key.text()), 0, 0});
      add_tree(kind, entry.value, below_key(entry.key, context, is_object));
      path_.pop_back();
    }
  }

  // Another version of the same object, which the server converts: the version is its format.
  void add_conversion(const Value& before, const Value& converted) {
    const Value* old_version = before.find("apiVersion");
    const Value* version = converted.find("apiVersion");
    if (old_version == nullptr || version == nullptr || json_equal(*old_version, *version)) return;
    push({Step::Kind::Key, false, "apiVersion", 0, 0});
    add(Change::Kind::Format, *old_version, *pair_.after->value.find("apiVersion"), {});
    path_.pop_back();
  }

  Change& add(Change::Kind kind, const Value& before, const Value& after, const ValueContext& context) {
    Change& change = pair_.changes.emplace_back();
    change.kind = kind;
    change.path = path_;
    change.before = before;
    change.after = after;
    change.secret = context.secret;
    if (kind != Change::Kind::Add) {
      change.before_where = sides_.before.span(before);
      change.secret |= holds_secret(before, sides_.before);
    }
    if (kind != Change::Kind::Remove) {
      change.after_where = sides_.after.span(after);
      change.secret |= holds_secret(after, sides_.after);
    }
    return change;
  }

  ObjectPair& pair_;
  const Sides& sides_;
  Path path_;
};

}  // namespace

void find_changes(ObjectPair& pair, const Sides& sides, const crd::Node* schema) { Walk(pair, sides).run(schema); }

}  // namespace capwright::diff
