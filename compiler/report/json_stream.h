// Writes an object of JSON member by member, and its lists item by item, with the bytes of `dump(2)`.
#pragma once
#include <string_view>

#include "report/json_values.h"
#include "report/write.h"

namespace capwright::report {

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
