// Text from inputs made safe to show: no control character, no half character, no secret reaches a terminal or a log.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace capwright::report {

// Control characters as `\n`, `\t`, `\x1b`; bytes that are no UTF-8 as `\xNN`; bidirectional overrides as `\u202e`.
std::string printable(std::string_view text);
void append_printable(std::string& out, std::string_view text);

// How many columns of a terminal `text` takes: code points, East Asian wide ones counted twice, combining ones not.
std::size_t display_width(std::string_view text);

// The places of secret values in the sources of a run: sorted, so that a shown line can be masked.
class SecretSpans {
 public:
  SecretSpans() = default;
  explicit SecretSpans(std::vector<Span> spans);
  // `line` is sources.text(file)[begin, begin + size); every byte of a secret becomes `*`, code point by code point.
  std::string mask(std::string_view line, FileId file, std::uint32_t begin) const;

 private:
  std::vector<Span> spans_;  // that overlap nowhere
};

}  // namespace capwright::report
