// The values in a request's body: read far enough to find their cluster and the places of findings.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "portal/call.h"
#include "report/finding.h"
#include "value/stage.h"

namespace capwright::portal {

class RequestValues {
 public:
  // `media_type` as in the header `Content-Type`. Its errors don't count: rendering reports them, without secrets.
  RequestValues(const std::string& body, std::string_view media_type);

  // Whether the media type is one of JSON or YAML.
  static bool has_known_type(std::string_view media_type);
  bool is_json() const { return is_json_; }
  // Whether the body is a map.
  bool is_map() const { return document_.is(Kind::Map); }
  // `path` has keys from the uppermost map on: "secrets/management/name".
  bool has(std::string_view path) const { return find(path) != nullptr; }
  // Empty: there is no text.
  std::string_view text_at(std::string_view path) const;
  // `cluster_name`, if it is a valid one; otherwise empty.
  std::string cluster() const;
  std::string pointer_at(std::uint32_t offset) const;

 private:
  const Value* find(std::string_view path) const;

  OwnStage own_;
  bool is_json_;
  Value document_;
};

// The JSON Pointer (RFC 6901) to the innermost value whose key or text contains `offset`, as a URI fragment:
// "#/worker_pools/0/count". "#" for the whole document. `document` was read in the stage.
std::string pointer_at(const Value& document, std::uint32_t offset, const Stage& stage);

// The pointer to a key that is missing, from the message: "#/worker_pools/0/flavor". Empty: the finding is another one.
std::string missing_pointer(const Diagnostic& finding);

// Findings as JSON objects as in reports, but `message` is `detail`, and those in the file with the request's values
// have a `pointer`. Those of missing keys have the key's as `missing`.
nlohmann::ordered_json errors_json(const report::Findings& findings, const RequestValues& values,
                                   std::string_view values_path);
// The same for findings about other files.
nlohmann::ordered_json errors_json(const report::Findings& findings);

}  // namespace capwright::portal
