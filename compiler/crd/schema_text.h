// Structural schemas as the text of a digest: keywords in a fixed order, one line per property, and repeated parts
// written once. Prose is omitted.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace capwright::crd {

class SchemaText {
 public:
  // Reads a schema in JSON form; drops keywords that the server ignores. One object per schema.
  explicit SchemaText(const Value& schema) : root_(add(schema, "schema")) {}

  // `"definitions":{…},` (if there are any) and `"schema":{…}`, each on lines of its own.
  std::string text();

 private:
  static constexpr std::uint32_t kNoChild = 0xffffffff;
  // The size in bytes from which a definition is shorter than repeating the part.
  static constexpr std::size_t kLeastDefinition = 100;

  struct Piece {
    std::string text;
    std::uint32_t child = kNoChild;  // the part that follows `text`
    bool new_line = false;           // `text` starts a line, one level deeper
  };
  // A schema, or the rest of one; equal ones share a part.
  struct Part {
    std::vector<Piece> pieces;
    std::string_view hint;  // the first property with this schema
    std::size_t size = 0;   // of its text, including all parts below
    std::uint32_t uses = 0;
    std::string name;  // of its definition; empty for none
  };

  std::uint32_t add(const Value& schema, std::string_view hint);
  void add_keyword(std::string_view keyword, const Value& value, std::string_view hint, std::vector<Piece>& pieces);
  void add_properties(const Value& properties, std::vector<Piece>& pieces);
  void add_list(const Value& schemas, std::string_view hint, std::vector<Piece>& pieces);
  std::uint32_t intern(std::vector<Piece> pieces, std::string_view hint);
  void name_definitions(std::uint32_t part, std::map<std::string, int, std::less<>>& names, std::vector<bool>& seen,
                        std::vector<std::uint32_t>& definitions);
  void write(std::uint32_t part, std::size_t depth, std::string& out) const;
  void write_reference(std::uint32_t part, std::size_t depth, std::string& out) const;

  std::vector<Part> parts_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::uint32_t root_;
};

}  // namespace capwright::crd
