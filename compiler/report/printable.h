// Makes text from inputs safe for terminals and logs: without control characters, partial characters and secrets.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace capwright::report {

// Control characters as `
// `, `\t`, `\x1b`; bytes that aren't UTF-8 as `\xNN`; bidirectional overrides as `\u202e`.
std::string printable(std::string_view text);
void append_printable(std::string& out, std::string_view text);

// The number of terminal columns of `text`: code points; East Asian wide ones count twice, combining ones not at all.
std::size_t display_width(std::string_view text);

// The sorted places of secret values in the sources of a run, to redact them in displayed lines.
class SecretSpans {
 public:
  SecretSpans() = default;
  explicit SecretSpans(std::vector<Span> spans);
  // `line` is sources.text(file)[begin, begin + size); replaces each code point of a secret with `*`.
  std::string mask(std::string_view line, FileId file, std::uint32_t begin) const;

 private:
  std::vector<Span> spans_;  // without overlaps
};

}  // namespace capwright::report
