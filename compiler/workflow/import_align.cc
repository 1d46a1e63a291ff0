// References are followed along equal paths: a pool's template is the template of the imported pool, whatever its name.
#include "workflow/import_align.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>

#include "yaml/write.h"

namespace capwright::workflow {

Alignment::Alignment(const diff::Side& side, const ImportedCluster& imported,
                     const std::map<std::string, std::string>& pools, const Value& by_name) {
  for (const diff::Object& object : side.objects()) {
    if (!object.kind.empty() && !object.is_secret())
      rendered_.try_emplace({std::string(object.kind), std::string(object.name)}, &object);
  }
  for (const ImportedObject& object : imported.objects)
    imported_.try_emplace({std::string(object.kind), std::string(object.name)}, &object);
  pairs_.reserve(rendered_.size() + imported_.size());
  pair_names(pools);
  pair_rest(by_name);
  for (const auto& [id, object] : rendered_) pairs_.push_back({object, nullptr});
  for (const auto& [id, object] : imported_) pairs_.push_back({nullptr, object});
  for (const AlignedPair& each : pairs_) {
    TreePath path;
    const bool is_whole = each.rendered == nullptr || each.imported == nullptr;
    if (is_whole) cost_ += 2 + leaves_of(each.rendered == nullptr ? each.imported->value : each.rendered->value);
    else compare(each, path, &each.rendered->value, &each.imported->value);
  }
}

void Alignment::pair(const diff::Object* rendered, const ImportedObject* imported) {
  pairs_.push_back({rendered, imported});
  new_names_[{std::string(rendered->kind), std::string(rendered->name)}] = imported->name;
  rendered_.erase({std::string(rendered->kind), std::string(rendered->name)});
  imported_.erase({std::string(imported->kind), std::string(imported->name)});
  follow(rendered->value, imported->value);
}

void Alignment::follow(const Value& rendered, const Value& imported) {
  if (rendered.is(Kind::List) && imported.is(Kind::List)) {
    for (std::size_t i = 0; i < std::min(rendered.items().size(), imported.items().size()); ++i)
      follow(rendered.items()[i], imported.items()[i]);
    return;
  }
  if (!rendered.is(Kind::Map) || !imported.is(Kind::Map)) return;
  const auto from = rendered_.find({std::string(rendered.text_at("kind")), std::string(rendered.text_at("name"))});
  const auto to = imported_.find({std::string(imported.text_at("kind")), std::string(imported.text_at("name"))});
  const bool is_reference = from != rendered_.end() && to != imported_.end() && from->first.first == to->first.first;
  if (is_reference) pair(from->second, to->second);
  for (const Entry& entry : rendered.entries()) {
    const Value* other = imported.find(entry.key.text());
    if (other != nullptr) follow(entry.value, *other);
  }
}

// Owners of machines come first, because references lead from them to their templates.
void Alignment::pair_names(const std::map<std::string, std::string>& pools) {
  for (const std::string_view first : {"Cluster", "MachineDeployment", "MachinePool", ""}) {
    std::vector<Id> ids;
    for (const auto& [id, object] : rendered_) {
      if (first.empty() || id.first == first) ids.push_back(id);
    }
    for (const Id& id : ids) {
      const auto from = rendered_.find(id);
      const auto pool = is_pool(id.first) ? pools.find(id.second) : pools.end();
      const auto to = imported_.find(pool == pools.end() ? id : Id(id.first, pool->second));
      if (from != rendered_.end() && to != imported_.end()) pair(from->second, to->second);
    }
  }
  pair_bases();
}

// A template that nothing refers to is rendered with a digest in its name, also as one of the `resources`.
void Alignment::pair_bases() {
  std::vector<const diff::Object*> left;
  for (const auto& [id, object] : rendered_) {
    if (!object->base.empty()) left.push_back(object);
  }
  for (const diff::Object* object : left) {
    const auto to = imported_.find({std::string(object->kind), std::string(object->base)});
    const bool is_free = rendered_.contains({std::string(object->kind), std::string(object->name)});
    if (is_free && to != imported_.end()) pair(object, to->second);
  }
}

void Alignment::pair_rest(const Value& by_name) {
  std::map<std::string, std::vector<const diff::Object*>> from;
  std::map<std::string, std::vector<const ImportedObject*>> to;
  for (const auto& [id, object] : rendered_) from[id.first].push_back(object);
  for (const auto& [id, object] : imported_) to[id.first].push_back(object);
  for (const auto& [kind, objects] : from) {
    const auto other = to.find(kind);
    if (other == to.end() || objects.size() != 1 || other->second.size() != 1 || has_word(by_name, kind)) continue;
    const bool is_free = rendered_.contains({kind, std::string(objects[0]->name)}) &&
                         imported_.contains({kind, std::string(other->second[0]->name)});
    if (is_free) pair(objects[0], other->second[0]);
  }
}

bool Alignment::is_renamed(const Value& rendered, const Value& imported) const {
  const auto found = new_names_.find({std::string(rendered.text_at("kind")), std::string(rendered.text_at("name"))});
  return found != new_names_.end() && found->second == imported.text_at("name") &&
         rendered.text_at("kind") == imported.text_at("kind");
}

void Alignment::compare(const AlignedPair& pair, TreePath& path, const Value* rendered, const Value* imported) {
  const auto is_missing = [](const Value* value) { return value == nullptr || value->is(Kind::Null); };
  if (is_missing(rendered) && is_missing(imported)) return;
  if (is_missing(rendered) || is_missing(imported)) {
    cost_ += leaves_of(is_missing(rendered) ? *imported : *rendered);
    differences_.push_back(
        {&pair, path, is_missing(rendered) ? nullptr : rendered, is_missing(imported) ? nullptr : imported});
    return;
  }
  if (rendered->is(Kind::Map) && imported->is(Kind::Map)) return compare_maps(pair, path, *rendered, *imported);
  if (rendered->is(Kind::List) && imported->is(Kind::List)) {
    const auto from = rendered->items(), to = imported->items();
    for (std::size_t i = 0; i < std::max(from.size(), to.size()); ++i) {
      path.push_back({"", static_cast<int>(i)});
      compare(pair, path, i < from.size() ? &from[i] : nullptr, i < to.size() ? &to[i] : nullptr);
      path.pop_back();
    }
    return;
  }
  if (json_equal(*rendered, *imported)) return;
  cost_ += std::max(leaves_of(*rendered), leaves_of(*imported));
  differences_.push_back({&pair, path, rendered, imported});
}

void Alignment::compare_maps(const AlignedPair& pair, TreePath& path, const Value& rendered, const Value& imported) {
  const bool renamed = is_renamed(rendered, imported);
  const bool is_metadata = path.size() == 1 && path[0].key == "metadata";
  std::set<std::string_view> keys;
  for (const Entry& entry : rendered.entries()) keys.insert(entry.key.text());
  for (const Entry& entry : imported.entries()) keys.insert(entry.key.text());
  for (const std::string_view key : keys) {
    if (key == "name" && (renamed || is_metadata)) continue;
    path.push_back({std::string(key)});
    compare(pair, path, rendered.find(key), imported.find(key));
    path.pop_back();
  }
}

std::set<std::string> Alignment::surplus() const {
  std::set<std::string> found;
  const std::function<void(const std::string&, const Value&)> visit = [&](const std::string& path, const Value& value) {
    if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries()) visit(fmt::format("{}.{}", path, entry.key.text()), entry.value);
    } else if (value.is(Kind::List)) {
      for (const Value& item : value.items()) visit(path + "[]", item);
    } else {
      found.insert(fmt::format("{}: {}", path, canonical_json(value)));
    }
  };
  for (const FieldDifference& difference : differences_) {
    if (difference.imported != nullptr) continue;
    std::string path = fmt::format("{}/{}", difference.pair->imported->kind, difference.pair->imported->name);
    for (const Step& step : difference.path) path += step.index < 0 ? "." + step.key : "[]";
    visit(path, *difference.rendered);
  }
  return found;
}

std::set<std::string> Alignment::missing_maps() const {
  std::set<std::string> found;
  // Also those inside: a render with some fields of a map misses fewer maps than one without it.
  const std::function<void(const std::string&, const Value&)> visit = [&](const std::string& path, const Value& value) {
    if (!value.is(Kind::Map)) return;
    found.insert(path);
    for (const Entry& entry : value.entries()) visit(fmt::format("{}.{}", path, entry.key.text()), entry.value);
  };
  for (const FieldDifference& difference : differences_) {
    if (difference.rendered != nullptr) continue;
    visit(fmt::format("{}/{}/{}", difference.pair->imported->kind, difference.pair->imported->name,
                      workflow::text_of(difference.path)),
          *difference.imported);
  }
  return found;
}

std::size_t Alignment::matches() const {
  std::size_t fields = 0, missed = 0;
  for (const AlignedPair& pair : pairs_) {
    if (pair.rendered != nullptr && pair.imported != nullptr) fields += leaves_of(pair.imported->value);
  }
  for (const FieldDifference& difference : differences_)
    missed += difference.imported == nullptr ? 0 : leaves_of(*difference.imported);
  return fields - std::min(fields, missed);
}

bool Alignment::is_better_than(const Alignment& other) const {
  if (cost_ >= other.cost_) return false;
  const std::set<std::string> missed = other.missing_maps(), misses = missing_maps();
  if (!std::includes(missed.begin(), missed.end(), misses.begin(), misses.end())) return false;
  if (matches() > other.matches()) return true;
  const std::set<std::string> before = other.surplus(), after = surplus();
  return std::includes(before.begin(), before.end(), after.begin(), after.end());
}

}  // namespace capwright::workflow
