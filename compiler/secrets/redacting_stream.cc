// Searches each byte together with its neighbors: a match has at most kShortestRun bytes, and depends on one more at
// either side.
#include "secrets/redacting_stream.h"

#include <algorithm>

#include "secrets/urls.h"

namespace capwright::secrets {
namespace {

constexpr std::size_t kReach = SecretTexts::kShortestRun + 1;
constexpr std::size_t kLongestLine = 64 * 1024;  // bytes; a longer one is passed on in parts

}  // namespace

void RedactingStream::write(std::string_view bytes) {
  held_.append(bytes);
  if (held_.size() > known_ + kReach) advance(held_.size() - kReach);
  pass_lines(false);
}

void RedactingStream::finish() {
  advance(held_.size());
  pass_lines(true);
}

// Passes on the bytes up to `end`, whose neighbors are all known.
void RedactingStream::advance(std::size_t end) {
  const std::vector<SecretTexts::Run> runs = texts_.empty() ? std::vector<SecretTexts::Run>() : texts_.find(held_);
  std::size_t at = std::min(known_, end);
  const auto pass_plain = [&](std::size_t up_to) {
    if (up_to <= at) return;
    line_.append(held_, at, up_to - at);
    in_secret_ = false;
    at = up_to;
  };
  for (const SecretTexts::Run& run : runs) {
    if (run.end <= at || run.begin >= end) continue;
    pass_plain(run.begin);
    if (!in_secret_) line_.append("<secret>");
    in_secret_ = true;
    at = std::min(run.end, end);
  }
  pass_plain(end);
  const std::size_t dropped = at > kReach ? at - kReach : 0;
  held_.erase(0, dropped);
  known_ = at - dropped;
}

void RedactingStream::pass_lines(bool all) {
  const std::size_t lines = line_.rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t end = all || line_.size() > kLongestLine ? line_.size() : lines;
  if (end == 0) return;
  take_(redact_urls(line_.substr(0, end)));
  line_.erase(0, end);
}

}  // namespace capwright::secrets
