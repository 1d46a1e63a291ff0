// Line breaks inside of strings are escaped, so each one that `dump` writes may be indented further.
#include "report/json_stream.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace capwright::report {
namespace {

constexpr std::string_view kMemberLine = "\n  ", kItemLine = "\n    ";

}  // namespace

void JsonStream::begin_member(std::string_view key) {
  write_(has_members_ ? "," : "");
  has_members_ = true;
  write_(kMemberLine);
  dump(Json(std::string(key)), kMemberLine);
  write_(": ");
}

void JsonStream::dump(const Json& value, std::string_view line_break) {
  const std::string text = value.dump(2, ' ', false, Json::error_handler_t::replace);
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    write_(rest.substr(0, end));
    if (end == rest.size()) return;
    write_(line_break);
    rest.remove_prefix(end + 1);
  }
}

void JsonStream::member(std::string_view key, const Json& value) {
  begin_member(key);
  dump(value, kMemberLine);
}

void JsonStream::begin_list(std::string_view key) {
  begin_member(key);
  write_("[");
  has_items_ = false;
}

void JsonStream::item(const Json& value) {
  write_(has_items_ ? "," : "");
  has_items_ = true;
  write_(kItemLine);
  dump(value, kItemLine);
}

void JsonStream::end_list() {
  if (has_items_) write_(kMemberLine);
  write_("]");
}

void JsonStream::end() { write_(has_members_ ? "\n}\n" : "}\n"); }

}  // namespace capwright::report
