// Uses trailers, because the remote's lock is a commit that `git show` prints.
#include "steps/holder.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "git/commit.h"
#include "steps/clock.h"

namespace capwright::steps {
namespace {

// The rest of the line that starts with `key: `.
std::string value_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with(key) && line.substr(key.size()).starts_with(": "))
      return std::string(line.substr(key.size() + 2));
  }
  return {};
}

template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// The text comes from another repository, and is printed to a terminal.
std::string printable(std::string text) {
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
  return text.substr(0, 200);
}

}  // namespace

std::string lock_text(const Holder& holder, std::string_view subject) {
  return git::commit_message(std::string(subject),
                             fmt::format("Until {}, unless it is done before.", time_text(holder.until)),
                             {{"Holder", holder.who},
                              {"Host", holder.host},
                              {"Process", std::to_string(holder.process)},
                              {"Run", holder.run},
                              {"Since", std::to_string(holder.since)},
                              {"Until", std::to_string(holder.until)}});
}

std::optional<Holder> read_lock(std::string_view text) {
  Holder holder;
  holder.who = printable(value_of(text, "Holder"));
  holder.host = printable(value_of(text, "Host"));
  holder.process = number_in<int>(value_of(text, "Process")).value_or(0);
  holder.run = printable(value_of(text, "Run"));
  const auto since = number_in<std::int64_t>(value_of(text, "Since"));
  const auto until = number_in<std::int64_t>(value_of(text, "Until"));
  if (!since || !until || holder.who.empty()) return std::nullopt;
  holder.since = *since;
  holder.until = *until;
  return holder;
}

std::string shown(const Holder& holder) {
  return fmt::format("{} on {} since {}", holder.who, holder.host, time_text(holder.since));
}

}  // namespace capwright::steps
