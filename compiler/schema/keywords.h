// The keywords of JSON Schema and capwright's own: their drafts and vocabularies, and the places of their subschemas.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace capwright::schema {

enum class Vocabulary : std::uint8_t { Core, Applicator, Unevaluated, Validation, Format, Annotation };
enum class Drafts : std::uint8_t { Both, Draft7, Draft2020 };

// The form of a keyword's value.
enum class Shape : std::uint8_t {
  Plain,  // no subschema
  Schema,
  Schemas,          // a list
  Named,            // a map from names to schemas
  SchemaOrSchemas,  // `items`, whose list form is draft 7's `prefixItems`
  Dependencies,     // a map from names to schemas or lists of names
};

// The rules for reading a resource: its `$schema`.
struct Dialect {
  bool draft7 = false;
  bool applicators = true;
  bool unevaluated = true;
  bool validation = true;

  bool has(Vocabulary vocabulary) const {
    switch (vocabulary) {
      case Vocabulary::Applicator: return applicators;
      case Vocabulary::Unevaluated: return unevaluated;
      case Vocabulary::Validation: return validation;
      default: return true;
    }
  }
};

class NodeBuilder;
class KeywordValue;

struct Keyword {
  std::string_view name;
  Vocabulary vocabulary;
  Drafts drafts;
  Shape shape;
  void (NodeBuilder::*fill)(const KeywordValue&);

  bool is_in(const Dialect& dialect) const {
    if (drafts == (dialect.draft7 ? Drafts::Draft2020 : Drafts::Draft7)) return false;
    return dialect.has(vocabulary);
  }
};

// Null for an unknown name.
const Keyword* find_keyword(std::string_view name);
std::vector<std::string_view> keyword_names();

}  // namespace capwright::schema
