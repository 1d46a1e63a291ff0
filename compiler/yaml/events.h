// The stream of events that both readers, YAML and JSON, give to the builder.
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
    Fault,  // reported already; nothing follows
  };
  Kind kind = Kind::StreamEnd;
  ScalarStyle style = ScalarStyle::None;
  bool flow = false;  // of ListStart and MapStart: brackets, whose places are in begin and end of start and end
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view text{};    // of a Scalar: decoded; lives as long as the text read or the Stage's Arena
  std::string_view anchor{};  // without `&`; empty for none
  std::string_view tag{};     // written out (`tag:yaml.org,2002:str`, `!local`, `!`); empty for none
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
// The library alone, for text that the fast lane doesn't read; `start` is what check_bytes() gave.
std::unique_ptr<EventSource> library_yaml_events(Reading&, std::uint32_t start);
std::unique_ptr<EventSource> json_events(Reading&);

}  // namespace capwright::yaml
