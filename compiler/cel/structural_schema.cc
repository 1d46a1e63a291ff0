// Reads structural schemas in JSON form into Schemas and the types for the checker.
#include "cel/structural_schema.h"

#include <algorithm>
#include <vector>

namespace capwright::cel {
namespace {

constexpr int kDeepest = 64;

bool flag_at(const Value& json, std::string_view key) {
  const Value* value = json.find(key);
  return value != nullptr && value->is(Kind::Bool) && value->as_bool();
}

// The map at a key; null if there is none.
const Value* map_at(const Value& json, std::string_view key) {
  const Value* value = json.find(key);
  return value != nullptr && value->is(Kind::Map) ? value : nullptr;
}

Shape string_shape(std::string_view format) {
  if (format == "byte") return Shape::Bytes;
  if (format == "duration") return Shape::Duration;
  if (format == "date") return Shape::Date;
  if (format == "date-time") return Shape::DateTime;
  return Shape::String;
}

Shape shape_of(const Value& json) {
  if (flag_at(json, "x-kubernetes-int-or-string")) return Shape::IntOrString;
  const std::string_view type = json.text_at("type");
  if (type == "object") return map_at(json, "additionalProperties") != nullptr ? Shape::Map : Shape::Object;
  if (type == "array") return Shape::List;
  if (type == "string") return string_shape(json.text_at("format"));
  if (type == "integer") return Shape::Integer;
  if (type == "number") return Shape::Number;
  if (type == "boolean") return Shape::Boolean;
  return Shape::Opaque;
}

TypeKind scalar_type(Shape shape) {
  switch (shape) {
    case Shape::String: return TypeKind::String;
    case Shape::Bytes: return TypeKind::Bytes;
    case Shape::Duration: return TypeKind::Duration;
    case Shape::Date:
    case Shape::DateTime: return TypeKind::Timestamp;
    case Shape::Integer: return TypeKind::Int;
    case Shape::Number: return TypeKind::Double;
    case Shape::Boolean: return TypeKind::Bool;
    case Shape::IntOrString: return TypeKind::Dyn;
    default: return TypeKind::Error;
  }
}

class SchemaReader {
 public:
  explicit SchemaReader(Arena& arena) : arena_(arena) {}

  const Schema* read(const Value& json, SchemaRole role, int depth) {
    Schema schema;
    if (depth > kDeepest || !json.is(Kind::Map)) return arena_.make<Schema>(schema);
    schema.shape = role == SchemaRole::ResourceRoot ? Shape::Object : shape_of(json);
    schema.nullable = flag_at(json, "nullable");
    if (schema.shape == Shape::Object) read_object(json, role, schema, depth);
    else if (schema.shape == Shape::Map) read_map(json, schema, depth);
    else if (schema.shape == Shape::List) read_list(json, schema, depth);
    else if (schema.shape != Shape::Opaque) schema.type = simple(scalar_type(schema.shape));
    return arena_.make<Schema>(schema);
  }

 private:
  const Schema* read_below(const Value& json, int depth) {
    const bool embedded = flag_at(json, "x-kubernetes-embedded-resource");
    return read(json, embedded ? SchemaRole::ResourceRoot : SchemaRole::Plain, depth + 1);
  }

  void read_list(const Value& json, Schema& schema, int depth) {
    const Value* items = map_at(json, "items");
    if (items == nullptr) return;
    schema.items = read_below(*items, depth);
    const std::string_view list_type = json.text_at("x-kubernetes-list-type");
    if (list_type == "set") schema.list_type = ListType::Set;
    if (list_type == "map") schema.list_type = ListType::Map;
    if (const Value* keys = json.find("x-kubernetes-list-map-keys"); keys != nullptr && keys->is(Kind::List)) {
      std::vector<std::string_view> names;
      for (const Value& key : keys->items()) {
        if (key.is(Kind::String)) names.push_back(key.text());
      }
      schema.list_map_keys = arena_.copy(names);
    }
    if (schema.items->type != nullptr) schema.type = list_of(schema.items->type, arena_);
  }

  void read_map(const Value& json, Schema& schema, int depth) {
    schema.items = read_below(*map_at(json, "additionalProperties"), depth);
    if (schema.items->type != nullptr) schema.type = map_of(simple(TypeKind::String), schema.items->type, arena_);
  }

  const Schema* scalar(Shape shape) {
    return arena_.make<Schema>(Schema{.shape = shape, .type = simple(scalar_type(shape))});
  }

  // apiVersion, kind and metadata with name and generateName; the schema's definition of metadata is ignored.
  void add_type_and_meta(std::vector<Property>& properties) {
    std::erase_if(properties,
                  [](const Property& p) { return p.name == "apiVersion" || p.name == "kind" || p.name == "metadata"; });
    Schema meta{.shape = Shape::Object, .has_fields = true};
    meta.properties =
        arena_.copy(std::vector<Property>{{"generateName", scalar(Shape::String)}, {"name", scalar(Shape::String)}});
    meta.type = object_type(meta);
    properties.push_back({"apiVersion", scalar(Shape::String)});
    properties.push_back({"kind", scalar(Shape::String)});
    properties.push_back({"metadata", arena_.make<Schema>(meta)});
  }

  void read_object(const Value& json, SchemaRole role, Schema& schema, int depth) {
    std::vector<Property> properties;
    if (const Value* declared = map_at(json, "properties")) {
      schema.has_fields = !declared->entries().empty();
      for (const Entry& entry : declared->entries()) {
        if (entry.key.is(Kind::String)) properties.push_back({entry.key.text(), read_below(entry.value, depth)});
      }
    }
    if (role == SchemaRole::ResourceRoot && !declares_meta(properties)) add_type_and_meta(properties);
    if (role == SchemaRole::ResourceRoot) schema.has_fields = true;
    std::sort(properties.begin(), properties.end(),
              [](const Property& a, const Property& b) { return a.name < b.name; });
    schema.properties = arena_.copy(properties);
    schema.type = object_type(schema);
  }

  static bool is_string(const Schema* schema) { return schema != nullptr && schema->shape == Shape::String; }

  static bool declares_meta(std::span<const Property> properties) {
    const auto find = [&](std::string_view name) -> const Schema* {
      const auto found =
          std::find_if(properties.begin(), properties.end(), [&](const Property& p) { return p.name == name; });
      return found == properties.end() ? nullptr : found->schema;
    };
    const Schema* meta = find("metadata");
    return is_string(find("apiVersion")) && is_string(find("kind")) && meta != nullptr &&
           meta->shape == Shape::Object && is_string(meta->at("name")) && is_string(meta->at("generateName"));
  }

  const Type* object_type(const Schema& schema) {
    std::vector<Field> fields;
    std::string escaped;
    for (const Property& property : schema.properties) {
      if (property.schema->type == nullptr || !escape(property.name, escaped)) continue;
      fields.push_back({arena_.text(escaped), property.schema->type});
    }
    std::sort(fields.begin(), fields.end(), [](const Field& a, const Field& b) { return a.name < b.name; });
    return arena_.make<Type>(TypeKind::Object, std::string_view("object"), nullptr, nullptr, arena_.copy(fields));
  }

  Arena& arena_;
};

}  // namespace

const Schema* Schema::at(std::string_view key) const {
  if (shape == Shape::Map) return items;
  const auto found =
      std::lower_bound(properties.begin(), properties.end(), key,
                       [](const Property& property, std::string_view name) { return property.name < name; });
  return found != properties.end() && found->name == key ? found->schema : nullptr;
}

const Schema* read_schema(const Value& json, SchemaRole role, Arena& arena) {
  const bool embedded = json.is(Kind::Map) && flag_at(json, "x-kubernetes-embedded-resource");
  return SchemaReader(arena).read(json, embedded ? SchemaRole::ResourceRoot : role, 0);
}

}  // namespace capwright::cel
