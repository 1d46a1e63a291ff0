// Each metaschema as one document: the types of the keywords in the draft's vocabularies.
#include "schema/documents.h"

namespace capwright::schema {
namespace {

constexpr std::string_view kText2020 = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://json-schema.org/draft/2020-12/schema",
  "$vocabulary": {
    "https://json-schema.org/draft/2020-12/vocab/core": true,
    "https://json-schema.org/draft/2020-12/vocab/applicator": true,
    "https://json-schema.org/draft/2020-12/vocab/unevaluated": true,
    "https://json-schema.org/draft/2020-12/vocab/validation": true,
    "https://json-schema.org/draft/2020-12/vocab/meta-data": true,
    "https://json-schema.org/draft/2020-12/vocab/format-annotation": true,
    "https://json-schema.org/draft/2020-12/vocab/content": true
  },
  "$dynamicAnchor": "meta",
  "title": "Schema of JSON Schema 2020-12",
  "type": ["object", "boolean"],
  "properties": {
    "$id": {"type": "string", "format": "uri-reference", "pattern": "^[^#]*#?$"},
    "$schema": {"type": "string", "format": "uri"},
    "$ref": {"type": "string", "format": "uri-reference"},
    "$anchor": {"$ref": "#/$defs/anchor"},
    "$dynamicRef": {"type": "string", "format": "uri-reference"},
    "$dynamicAnchor": {"$ref": "#/$defs/anchor"},
    "$vocabulary": {"type": "object", "propertyNames": {"format": "uri"}, "additionalProperties": {"type": "boolean"}},
    "$comment": {"type": "string"},
    "$defs": {"$ref": "#/$defs/named"},
    "definitions": {"$ref": "#/$defs/named"},
    "dependencies": {
      "type": "object",
      "additionalProperties": {"anyOf": [{"$dynamicRef": "#meta"}, {"$ref": "#/$defs/names"}]}
    },
    "prefixItems": {"$ref": "#/$defs/schemas"},
    "items": {"$dynamicRef": "#meta"},
    "contains": {"$dynamicRef": "#meta"},
    "additionalProperties": {"$dynamicRef": "#meta"},
    "properties": {"$ref": "#/$defs/named"},
    "patternProperties": {"$ref": "#/$defs/named", "propertyNames": {"format": "regex"}},
    "dependentSchemas": {"$ref": "#/$defs/named"},
    "propertyNames": {"$dynamicRef": "#meta"},
    "if": {"$dynamicRef": "#meta"},
    "then": {"$dynamicRef": "#meta"},
    "else": {"$dynamicRef": "#meta"},
    "allOf": {"$ref": "#/$defs/schemas"},
    "anyOf": {"$ref": "#/$defs/schemas"},
    "oneOf": {"$ref": "#/$defs/schemas"},
    "not": {"$dynamicRef": "#meta"},
    "unevaluatedItems": {"$dynamicRef": "#meta"},
    "unevaluatedProperties": {"$dynamicRef": "#meta"},
    "type": {
      "anyOf": [
        {"$ref": "#/$defs/type"},
        {"type": "array", "items": {"$ref": "#/$defs/type"}, "minItems": 1, "uniqueItems": true}
      ]
    },
    "const": true,
    "enum": {"type": "array"},
    "multipleOf": {"type": "number", "exclusiveMinimum": 0},
    "maximum": {"type": "number"},
    "exclusiveMaximum": {"type": "number"},
    "minimum": {"type": "number"},
    "exclusiveMinimum": {"type": "number"},
    "maxLength": {"$ref": "#/$defs/count"},
    "minLength": {"$ref": "#/$defs/count"},
    "pattern": {"type": "string", "format": "regex"},
    "maxItems": {"$ref": "#/$defs/count"},
    "minItems": {"$ref": "#/$defs/count"},
    "uniqueItems": {"type": "boolean"},
    "maxContains": {"$ref": "#/$defs/count"},
    "minContains": {"$ref": "#/$defs/count"},
    "maxProperties": {"$ref": "#/$defs/count"},
    "minProperties": {"$ref": "#/$defs/count"},
    "required": {"$ref": "#/$defs/names"},
    "dependentRequired": {"type": "object", "additionalProperties": {"$ref": "#/$defs/names"}},
    "title": {"type": "string"},
    "description": {"type": "string"},
    "default": true,
    "deprecated": {"type": "boolean"},
    "readOnly": {"type": "boolean"},
    "writeOnly": {"type": "boolean"},
    "examples": {"type": "array"},
    "format": {"type": "string"},
    "contentEncoding": {"type": "string"},
    "contentMediaType": {"type": "string"},
    "contentSchema": {"$dynamicRef": "#meta"}
  },
  "$defs": {
    "anchor": {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"},
    "named": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}},
    "schemas": {"type": "array", "minItems": 1, "items": {"$dynamicRef": "#meta"}},
    "type": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
    "count": {"type": "integer", "minimum": 0},
    "names": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
  }
})json";

constexpr std::string_view kText7 = R"json({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": "http://json-schema.org/draft-07/schema#",
  "title": "Schema of JSON Schema draft 7",
  "type": ["object", "boolean"],
  "properties": {
    "$id": {"type": "string", "format": "uri-reference"},
    "$schema": {"type": "string", "format": "uri"},
    "$ref": {"type": "string", "format": "uri-reference"},
    "$comment": {"type": "string"},
    "title": {"type": "string"},
    "description": {"type": "string"},
    "default": true,
    "readOnly": {"type": "boolean"},
    "writeOnly": {"type": "boolean"},
    "examples": {"type": "array"},
    "multipleOf": {"type": "number", "exclusiveMinimum": 0},
    "maximum": {"type": "number"},
    "exclusiveMaximum": {"type": "number"},
    "minimum": {"type": "number"},
    "exclusiveMinimum": {"type": "number"},
    "maxLength": {"$ref": "#/definitions/count"},
    "minLength": {"$ref": "#/definitions/count"},
    "pattern": {"type": "string", "format": "regex"},
    "additionalItems": {"$ref": "#"},
    "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/schemas"}]},
    "maxItems": {"$ref": "#/definitions/count"},
    "minItems": {"$ref": "#/definitions/count"},
    "uniqueItems": {"type": "boolean"},
    "contains": {"$ref": "#"},
    "maxProperties": {"$ref": "#/definitions/count"},
    "minProperties": {"$ref": "#/definitions/count"},
    "required": {"$ref": "#/definitions/names"},
    "additionalProperties": {"$ref": "#"},
    "definitions": {"$ref": "#/definitions/named"},
    "properties": {"$ref": "#/definitions/named"},
    "patternProperties": {
      "type": "object",
      "additionalProperties": {"$ref": "#"},
      "propertyNames": {"format": "regex"}
    },
    "dependencies": {
      "type": "object",
      "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/names"}]}
    },
    "propertyNames": {"$ref": "#"},
    "const": true,
    "enum": {"type": "array"},
    "type": {
      "anyOf": [
        {"$ref": "#/definitions/type"},
        {"type": "array", "items": {"$ref": "#/definitions/type"}, "minItems": 1, "uniqueItems": true}
      ]
    },
    "format": {"type": "string"},
    "contentMediaType": {"type": "string"},
    "contentEncoding": {"type": "string"},
    "if": {"$ref": "#"},
    "then": {"$ref": "#"},
    "else": {"$ref": "#"},
    "allOf": {"$ref": "#/definitions/schemas"},
    "anyOf": {"$ref": "#/definitions/schemas"},
    "oneOf": {"$ref": "#/definitions/schemas"},
    "not": {"$ref": "#"}
  },
  "definitions": {
    "named": {"type": "object", "additionalProperties": {"$ref": "#"}},
    "schemas": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
    "type": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
    "count": {"type": "integer", "minimum": 0},
    "names": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
  }
})json";

}  // namespace

std::string_view metaschema_text(std::string_view uri) {
  if (uri == kDraft2020) return kText2020;
  return uri == kDraft7 ? kText7 : std::string_view();
}

}  // namespace capwright::schema
