// What the API server would refuse in an object, as data: `lint` gives it a code and a severity, `dev verdicts` prints
// it as it is.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace capwright::crd {

// The server's steps, in its order. What one finds may hide what a later one would find.
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

// The server's types of errors.
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
  Malformed,  // the text can't be read or decoded
};

struct Finding {
  Phase phase;
  Reason reason;
  std::string path;            // as the server has it: `spec.ports[0].name`; empty for the object as a whole
  std::string message;         // as the server words it, without the path
  Span where;                  // the key or value to edit; known whenever the object was read from a text
  std::string help;            // what to do, such as "did you mean `flavor`?"; may be empty
  std::string meant;           // the key or value that was meant, such as `flavor`; empty when nothing is near
  std::string field = {};      // that it is about, as field_of() has it; empty: `path` says it
  bool lacks_quotes = false;   // a number or boolean without quotes, where a text is wanted
  bool lacks_members = false;  // a map with too few of them
  std::string unquoted = {};   // the number or boolean that only its quotes make a text; else empty
};
using Findings = std::vector<Finding>;

std::string_view phase_name(Phase);    // "unknown-field", "list-type" …
std::string_view reason_text(Reason);  // "Required value" …, what the server's messages open with

}  // namespace capwright::crd
