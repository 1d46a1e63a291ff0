// The server's names for its steps and error types.
#include "crd/server_finding.h"

#include "base/check.h"

namespace capwright::crd {

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::Parse: return "parse";
    case Phase::DuplicateKey: return "duplicate-key";
    case Phase::Version: return "version";
    case Phase::UnknownField: return "unknown-field";
    case Phase::Decode: return "decode";
    case Phase::Metadata: return "metadata";
    case Phase::Schema: return "schema";
    case Phase::EmbeddedMetadata: return "embedded-metadata";
    case Phase::ListType: return "list-type";
    case Phase::Scale: return "scale";
    case Phase::Cel: return "cel";
    case Phase::Admission: return "webhook";
    case Phase::Conversion: return "conversion";
  }
  CW_UNREACHABLE("a Phase has no such value");
}

std::string_view reason_text(Reason reason) {
  switch (reason) {
    case Reason::Invalid:
    case Reason::TypeInvalid: return "Invalid value";
    case Reason::Required: return "Required value";
    case Reason::Duplicate: return "Duplicate value";
    case Reason::NotSupported: return "Unsupported value";
    case Reason::Forbidden: return "Forbidden";
    case Reason::TooLong: return "Too long";
    case Reason::TooMany: return "Too many";
    case Reason::NotFound: return "Not found";
    case Reason::UnknownField: return "unknown field";
    case Reason::Malformed: return "malformed";
  }
  CW_UNREACHABLE("a Reason has no such value");
}

}  // namespace capwright::crd
