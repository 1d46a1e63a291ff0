// Writes an object of JSON member by member, and its lists item by item, with the bytes of `dump(2)`.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "report/json_values.h"

namespace capwright::report {

// Gets the pieces of a report, in order, so that no more than one cluster's is in memory.
using Write = std::function<void(std::string_view)>;

// All pieces that `write_all` writes.
template <class WriteAll>
std::string written_by(WriteAll write_all) {
  std::string text;
  write_all(Write([&text](std::string_view piece) { text += piece; }));
  return text;
}

class JsonStream {
 public:
  explicit JsonStream(const Write& write) : write_(write) { write_("{"); }

  void member(std::string_view key, const Json& value);
  // A member that is a list, with items until end_list().
  void begin_list(std::string_view key);
  void item(const Json& value);
  void end_list();
  // The end of the object, and a line break.
  void end();

 private:
  void begin_member(std::string_view key);
  void dump(const Json& value, std::string_view line_break);

  const Write& write_;
  bool has_members_ = false, has_items_ = false;
};

}  // namespace capwright::report
