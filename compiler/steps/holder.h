// The holder of a deploy lock. It is stored as a commit message and as a file.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace capwright::steps {

struct Holder {
  std::string who;  // "Fleet Team <fleet@example.com>"
  std::string host;
  int process = 0;
  std::string run;         // a unique name
  std::int64_t since = 0;  // seconds since 1970 in UTC
  std::int64_t until = 0;
};

// `subject`: what the holder does, as the first line, such as "capwright publishes main".
std::string lock_text(const Holder& holder, std::string_view subject);
// Empty if the text isn't from lock_text().
std::optional<Holder> read_lock(std::string_view text);

// "Fleet Team <fleet@example.com> on build-7 since 2026-11-22 02:06:09 UTC".
std::string shown(const Holder& holder);

}  // namespace capwright::steps
