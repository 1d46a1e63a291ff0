// Text that libfyaml accepts but other readers reject or read differently: values that aren't indented deeper than
// their keys, tabs in manifests, reserved characters in brackets, and empty blocks, whose siblings libfyaml reads as
// the text.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "yaml/events.h"
#include "yaml/tabs.h"

namespace capwright::yaml {

// Receives each event of the library once and in order.
class Misreads {
 public:
  // `start`: the offset of the first document, after a byte order mark.
  Misreads(Reading& reading, std::uint32_t start) : reading_(reading), start_(start), tabs_(reading.text, start) {}

  // Whether the event is an empty block that has its siblings as text. Call this before refuses().
  bool has_siblings_in_block(const Event&) const;
  // The offset of the siblings of such a block: after its header and blank lines.
  std::uint32_t end_of_empty_block(const Event&) const;

  // Whether the event is an error. Reports it.
  bool refuses(const Event&);

  // The column of the innermost open block collection, -1 for none: the base of indentation.
  std::int32_t column() const { return open_.empty() ? -1 : open_.back().column; }

 private:
  struct Open {
    std::int32_t column;  // brackets repeat the column of the collection around them
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
