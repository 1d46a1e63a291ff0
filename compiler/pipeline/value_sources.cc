// Suggestions prefer keys at the typed position, then the same key at another one.
#include "pipeline/value_sources.h"

#include <algorithm>

#include "diag/suggest.h"
#include "schema/schema.h"

namespace capwright {
namespace {

// A vendored file is one value: its whole text.
bool is_whole_file(Span place, const SourceSet& sources) {
  return place.begin == 0 && place.end == sources.text(place.file).size();
}

std::vector<std::string_view> keys_of(const Value& map) {
  std::vector<std::string_view> keys;
  if (!map.is(Kind::Map)) return keys;
  for (const Entry& entry : map.entries()) keys.push_back(entry.key.text());
  return keys;
}

schema::Declaration declaration_of(const CompiledCluster& cluster, std::span<const values::PathStep> path) {
  std::vector<std::string_view> steps;
  for (const values::PathStep& step : path) steps.push_back(step.is_index() ? "[]" : step.key);
  if (cluster.set == nullptr || cluster.set->schema == nullptr) return {schema::Declared::No, 0, {}};
  return schema::find_declaration(*cluster.set->schema, steps);
}

}  // namespace

ValueSource source_of(const CompiledCluster& cluster, const Value& value) {
  ValueSource source;
  const OriginTable& origins = cluster.origins;
  for (const OriginId leaf : origins.leaves(value.origin())) {
    const Origin& origin = origins[leaf];
    if (!origin.span.known()) continue;
    ValueSource::Part part{origin.span, origin.kind == Origin::Kind::SchemaDefault, {}};
    for (OriginId below = origin.overrides; below != OriginId::None; below = origins[below].overrides)
      part.overridden.push_back(origins[below].span);
    source.parts.push_back(std::move(part));
  }
  if (source.parts.size() != 1) return source;
  const ValueSource::Part& part = source.parts.front();
  if (part.is_default) {
    source.kind = ValueSource::Kind::Default;
  } else if (!SourceSet::is_shared(part.where.file) && !is_whole_file(part.where, cluster.sources)) {
    const bool is_own = cluster.sources.path(part.where.file) == cluster.values_path;
    source.kind = is_own ? ValueSource::Kind::Values : ValueSource::Kind::Layer;
  }
  return source;
}

const Value* value_at(const Value& root, std::span<const values::PathStep> path) {
  const Value* value = &root;
  for (const values::PathStep& step : path) {
    if (!step.is_index()) {
      value = value->find(step.key);
    } else {
      const auto index = static_cast<std::size_t>(step.index);
      const bool has_item = value->is(Kind::List) && index < value->items().size();
      value = has_item ? &value->items()[index] : nullptr;
    }
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::string similar_path(const CompiledCluster& cluster, std::span<const values::PathStep> path) {
  std::size_t known = 0;
  while (known < path.size() && value_at(cluster.values, path.first(known + 1)) != nullptr) ++known;
  if (known == path.size() || path[known].is_index()) return {};
  std::vector<std::string_view> candidates = keys_of(*value_at(cluster.values, path.first(known)));
  const schema::Declaration declared = declaration_of(cluster, path.first(known + 1));
  candidates.insert(candidates.end(), declared.candidates.begin(), declared.candidates.end());
  const std::string_view key = path[known].key;
  if (const std::string_view near = nearest(key, candidates); !near.empty()) {
    std::vector<values::PathStep> meant(path.begin(), path.end());
    meant[known].key = near;
    return values::path_text(meant);
  }
  if (cluster.set == nullptr || cluster.set->schema == nullptr) return {};
  return schema::path_of_key(*cluster.set->schema, path.back().is_index() ? key : path.back().key);
}

bool is_declared(const CompiledCluster& cluster, std::span<const values::PathStep> path) {
  return declaration_of(cluster, path).declared == schema::Declared::Yes;
}

}  // namespace capwright
