// Errors that the API server would report for an object, as data: `lint` adds a code and a severity, `capwright-dev
// verdicts` prints them unchanged.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace capwright::crd {

// The server's steps, in order. An error in one step may hide errors of later steps.
enum class Phase : std::uint8_t {
  Parse,
  DuplicateKey,
  Version,
  UnknownField,
  Decode,
  Metadata,
  Schema,
  EmbeddedMetadata,
  ListType,
  Scale,
  Cel,
  Admission,
  Conversion,
};

// The server's error types.
enum class Reason : std::uint8_t {
  Invalid,
  Required,
  Duplicate,
  NotSupported,
  Forbidden,
  TooLong,
  TooMany,
  TypeInvalid,
  NotFound,
  UnknownField,
  Malformed,  // the text can't be parsed or decoded
};

struct Finding {
  Phase phase;
  Reason reason;
  std::string path;            // the server's form: `spec.ports[0].name`; empty for the whole object
  std::string message;         // the server's message, without the path
  Span where;                  // the key or value to edit; always known if the object was read from a text
  std::string help;            // the suggested edit, such as "did you mean `flavor`?"; may be empty
  std::string meant;           // the likely intended key or value, such as `flavor`; empty if none is similar
  std::string field = {};      // the affected field, in the form of field_of(); empty: the same as `path`
  bool lacks_quotes = false;   // an unquoted number or boolean where a string is required
  bool lacks_members = false;  // a map with too few of them
  std::string unquoted = {};   // the number or boolean in a quoted text; empty for other values
};
using Findings = std::vector<Finding>;

std::string_view phase_name(Phase);    // "unknown-field", "list-type" …
std::string_view reason_text(Reason);  // "Required value" …, the beginning of the server's messages

}  // namespace capwright::crd
