// The event stream that the YAML and JSON readers pass to the builder.
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>

#include "value/value.h"
#include "yaml/reading.h"

namespace capwright::yaml {

struct Event {
  enum class Kind : std::uint8_t {
    DocumentStart,
    DocumentEnd,
    Scalar,
    Alias,  // `text` is the name
    ListStart,
    ListEnd,
    MapStart,
    MapEnd,
    StreamEnd,
    Fault,  // already reported; no event follows
  };
  Kind kind = Kind::StreamEnd;
  ScalarStyle style = ScalarStyle::None;
  bool flow = false;  // of ListStart and MapStart: in brackets; `start` and `end` then span the brackets
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view text{};    // of a Scalar: decoded; lives as long as the source text or the Stage's Arena
  std::string_view anchor{};  // without `&`; empty for none
  std::string_view tag{};     // in full (`tag:yaml.org,2002:str`, `!local`, `!`); empty for none
  std::uint32_t tag_begin = 0;
  std::uint32_t tag_end = 0;
};

class EventSource {
 public:
  virtual ~EventSource() = default;
  // Valid until the next call.
  virtual const Event& next() = 0;
};

std::unique_ptr<EventSource> yaml_events(Reading&);
// The library alone, for text that the fast path doesn't support; `start` is the result of check_bytes().
std::unique_ptr<EventSource> library_yaml_events(Reading&, std::uint32_t start);
std::unique_ptr<EventSource> json_events(Reading&);

}  // namespace capwright::yaml
