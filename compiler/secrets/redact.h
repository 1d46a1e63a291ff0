// Redacts values and rendered files, for display and for data that is kept for long.
#pragma once
#include <cstdint>
#include <string>

#include "base/arena.h"
#include "files/file_set.h"
#include "value/provenance.h"
#include "value/value.h"

namespace capwright::secrets {

// Returns `value` with every tainted leaf replaced by the text `<secret>`.
Value redact(const Value& value, Arena&);

// Calls `visit(begin, end)` for each segment from a secret value.
template <class Visit>
void each_secret(const MappedText& body, const Visit& visit) {
  const auto segments = body.segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::uint32_t end = i + 1 < segments.size() ? segments[i + 1].begin : body.size();
    if (segments[i].tainted) visit(segments[i].begin, end);
  }
}

// The file for storage: its text with `<secret, 44 B>` in place of each run of such bytes.
std::string redact(const RenderedFile& file);

}  // namespace capwright::secrets
