// See misreads.h. Each check names the reader whose rule it applies.
#include "yaml/misreads.h"

#include <algorithm>

#include "diag/catalog/text.h"
#include "yaml/characters.h"

namespace capwright::yaml {
namespace {

constexpr std::size_t kLongestMisread = 40;

bool is_block_text(const Event& event) {
  return event.style == ScalarStyle::Literal || event.style == ScalarStyle::Folded;
}

bool is_start(const Event& event) {
  return event.kind == Event::Kind::ListStart || event.kind == Event::Kind::MapStart;
}

}  // namespace

std::int32_t Misreads::column_of(std::uint32_t at) const {
  const std::size_t line_begin = std::max<std::size_t>(reading_.text.substr(0, at).rfind('\n') + 1, start_);
  return static_cast<std::int32_t>(at - line_begin);
}

std::uint32_t Misreads::end_of_empty_block(const Event& block) const {
  const std::string_view text = reading_.text;
  const std::size_t line_end = std::min(text.find('\n', block.begin), text.size());
  return static_cast<std::uint32_t>(std::min(text.find_first_not_of(" \n\r", line_end), text.size()));
}

// libfyaml 0.7 reads a line at the column of the key or item as the text of an empty block.
bool Misreads::has_siblings_in_block(const Event& event) const {
  if (event.kind != Event::Kind::Scalar || !is_block_text(event) || open_.empty()) return false;
  for (const char c : reading_.text.substr(event.begin + 1, 2)) {
    if (c >= '1' && c <= '9') return false;
  }
  const std::uint32_t content = end_of_empty_block(event);
  return content < event.end && column_of(content) <= column();
}

// A value that isn't indented deeper than its key. Other readers expect a key there and report a missing `:`.
bool Misreads::stands_left(const Event& event) const {
  if (open_.empty() || open_.back().flow || (open_.back().map && open_.back().key_is_next)) return false;
  const bool is_text = event.kind == Event::Kind::Scalar && !is_block_text(event) && event.begin < event.end;
  const bool is_value = is_text || event.kind == Event::Kind::Alias || (is_start(event) && event.flow);
  return is_value && column_of(event.begin) <= column();
}

void Misreads::report_left(const Event& event) {
  if (report_open_bracket(reading_, event.begin)) return;
  const std::string_view text = reading_.text;
  const std::size_t line_end = std::min(text.find_first_of("\r\n", event.begin), text.size());
  const std::string_view word = cut(text.substr(event.begin, line_end - event.begin), kLongestMisread);
  const auto end = event.begin + static_cast<std::uint32_t>(word.size());
  reading_.report(diag::missing_colon, event.begin, end, word)
      .advise("end a key with `:`, or indent a value below its key");
}

// Characters that YAML 1.1 reserves in brackets.
bool Misreads::is_reserved(const Event& event) const {
  return reading_.options.rules != ScalarRules::Core && event.kind == Event::Kind::Scalar &&
         event.style == ScalarStyle::Plain && is_in_brackets() && event.begin < event.end &&
         (event.text[0] == ':' || event.text[0] == '?');
}

bool Misreads::refuses(const Event& event) {
  if (stands_left(event)) {
    report_left(event);
    return true;
  }
  if (is_reserved(event)) {
    reading_.report(diag::reserved_character, event.begin, event.begin + 1, event.text.substr(0, 1))
        .advise("put the text in double quotes");
    return true;
  }
  if (reading_.options.rules == ScalarRules::Kubernetes) {
    const std::uint32_t tab = tabs_.refused(event, column(), is_in_brackets());
    if (tab != Tabs::kNone) {
      reading_.report(diag::tab_indentation, tab, tab + 1).advise("replace the tab with spaces, or remove it");
      return true;
    }
  }
  follow(event);
  return false;
}

void Misreads::follow(const Event& event) {
  using enum Event::Kind;
  if (event.kind == DocumentStart) return open_.clear();
  if (event.kind == ListEnd || event.kind == MapEnd) return open_.pop_back();
  if (event.kind != Scalar && event.kind != Alias && !is_start(event)) return;
  if (!open_.empty()) open_.back().key_is_next = !open_.back().key_is_next;
  if (is_start(event))
    open_.push_back({event.flow ? column() : column_of(event.begin), event.flow, event.kind == MapStart});
}

}  // namespace capwright::yaml
