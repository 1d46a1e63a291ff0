// What libfyaml takes and the other readers don't, or read otherwise: values that aren't deeper than their keys, tabs
// in manifests, reserved characters in brackets, and blocks without a line, whose siblings it takes for the text.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "yaml/events.h"
#include "yaml/tabs.h"

namespace capwright::yaml {

// Follows the library's events, each handed over once and in order.
class Misreads {
 public:
  // `start`: where the documents begin, behind a byte order mark.
  Misreads(Reading& reading, std::uint32_t start) : reading_(reading), start_(start), tabs_(reading.text, start) {}

  // The event is a block without a line that has its siblings for text. To be asked before refuses().
  bool has_siblings_in_block(const Event&) const;
  // Where the siblings of such a block begin: behind its header and blank lines.
  std::uint32_t end_of_empty_block(const Event&) const;

  // Whether the event is a fault, which is reported then.
  bool refuses(const Event&);

  // Of the innermost block collection that is open, -1 for none: what indentation counts from.
  std::int32_t column() const { return open_.empty() ? -1 : open_.back().column; }

 private:
  struct Open {
    std::int32_t column;  // brackets repeat the one around them
    bool flow, map;
    bool key_is_next = true;  // in a map
  };

  std::int32_t column_of(std::uint32_t at) const;
  bool is_in_brackets() const { return !open_.empty() && open_.back().flow; }
  bool stands_left(const Event&) const;
  bool is_reserved(const Event&) const;
  void report_left(const Event&);
  void follow(const Event&);

  Reading& reading_;
  std::uint32_t start_;
  Tabs tabs_;
  std::vector<Open> open_;
};

}  // namespace capwright::yaml
