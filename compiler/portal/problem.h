// Problem details (RFC 9457): the body of every response that isn't a success.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "portal/message.h"

namespace capwright::portal {

enum class ProblemKind : std::uint8_t {
  Unauthorized,
  Forbidden,
  NotFound,
  MethodNotAllowed,
  UnsupportedMediaType,
  MalformedRequest,
  MalformedValues,
  InvalidValues,
  TooLarge,
  Busy,
  Repository,
  Internal,
  NotReady,
  RequestInProgress,
  Conflict,
  ConsentRequired,
  ProtectedBranch,
  PreconditionFailed,
  LintErrors,
  LimitExceeded,
  KeyReused,
  Remote,
  Locked,
};

struct ProblemInfo {
  ProblemKind kind;
  int status;
  std::string_view id;     // the last part of `type`
  std::string_view title;  // the same for all problems of the kind
};
std::span<const ProblemInfo> all_problems();

// `detail` is about this request.
Response problem(ProblemKind kind, std::string_view detail);
// With `errors`, a list of objects with `detail` and, for errors in the request's values, `pointer`.
Response problem(ProblemKind kind, std::string_view detail, nlohmann::ordered_json errors);

// A JSON document as a response. Bytes that aren't UTF-8 are replaced.
Response json_response(const nlohmann::ordered_json& document);

}  // namespace capwright::portal
