// The fast path for collections in brackets, also over several lines.
#include <string_view>

#include "yaml/characters.h"
#include "yaml/common_reader.h"

namespace capwright::yaml {
namespace {

constexpr CharacterSet kNoFlowStart{"[]{},#&*!|>%@`?:-"};
constexpr CharacterSet kFlowIndicators{",[]{}"};

}  // namespace

bool CommonReader::flow() {
  if (!deeper()) return false;
  const bool done = look() == '[' ? flow_list() : flow_map();
  ++levels_left_;
  return done;
}

// Spaces, comments and line breaks between brackets; the next character is then content.
bool CommonReader::flow_space() {
  while (true) {
    const std::uint32_t begin = at_;
    skip_spaces();
    if (look() == '#' && at_ != begin) at_ = line_end(at_);
    if (at_ >= text_.size()) return false;
    if (text_[at_] != '\n') return text_[at_] != '#' && text_[at_] != '\t';
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '#' || is_marker(at_, "---") || is_marker(at_, "..."))) return false;
  }
}

bool CommonReader::flow_list() {
  emit(Event::Kind::ListStart, at_, at_ + 1, true);
  ++at_;
  if (!flow_space()) return false;
  while (look() != ']') {
    if (!flow_value() || !flow_space()) return false;
    if (look() == ',') {
      ++at_;
      if (!flow_space()) return false;
    } else if (look() != ']') {
      return false;
    }
  }
  emit(Event::Kind::ListEnd, at_, at_ + 1, true);
  ++at_;
  return true;
}

bool CommonReader::flow_map() {
  emit(Event::Kind::MapStart, at_, at_ + 1, true);
  ++at_;
  if (!flow_space()) return false;
  while (look() != '}') {
    if (!flow_scalar()) return false;
    const Event written = events_.back();
    if (look() == ' ') skip_spaces();
    if (look() != ':' || at_ - written.begin > kLongestKey) return false;
    if (written.style == ScalarStyle::Plain && !blank(1)) return false;
    ++at_;
    if (!flow_space()) return false;
    if (look() == ',' || look() == '}') return false;  // no value
    if (!flow_value() || !flow_space()) return false;
    if (look() == ',') {
      ++at_;
      if (!flow_space()) return false;
    } else if (look() != '}') {
      return false;
    }
  }
  emit(Event::Kind::MapEnd, at_, at_ + 1, true);
  ++at_;
  return true;
}

bool CommonReader::flow_value() {
  if (look() == '*') return alias();
  if (look() == '&' && !anchor()) return false;
  return look() == '[' || look() == '{' ? flow() : flow_scalar();
}

bool CommonReader::flow_scalar() {
  if (look() == '"' || look() == '\'') return quoted();
  return flow_plain();
}

bool CommonReader::flow_plain() {
  if (kNoFlowStart.has(look())) {
    const bool number = look() == '-' && look(1) >= '0' && look(1) <= '9';
    if (!number) return false;
  }
  const std::uint32_t begin = at_;
  for (;; ++at_) {
    const char c = look();
    if (c == '\n' || c == ',' || c == ']' || c == '}') break;
    if (c == '[' || c == '{' || c == '\t') return false;
    if (c == '#' && text_[at_ - 1] == ' ') return false;
    if (c != ':') continue;
    if (blank(1)) break;
    if (kFlowIndicators.has(look(1))) return false;
  }
  const auto end = static_cast<std::uint32_t>(text_.find_last_not_of(' ', at_ - 1) + 1);
  if (end <= begin) return false;
  // A text that continues on the next line isn't supported here; a comma or bracket there ends it.
  if (look() == '\n') {
    const std::size_t next = text_.find_first_not_of(" \n", at_);
    if (next == std::string_view::npos || std::string_view(",]}").find(text_[next]) == std::string_view::npos)
      return false;
  }
  at_ = end;
  emit_scalar(ScalarStyle::Plain, begin, end, text_.substr(begin, end - begin));
  return true;
}

}  // namespace capwright::yaml
