// Reads headers as HTTP's, without their continuation lines.
#include "lsp/frames.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/ascii.h"
#include "schema/uri.h"

namespace capwright::lsp {
namespace {

constexpr std::string_view kHeaderEnd = "\r\n\r\n";
constexpr std::size_t kMostHeaderBytes = 4096;

std::optional<std::size_t> content_length(std::string_view headers) {
  constexpr std::string_view kName = "content-length:";
  while (!headers.empty()) {
    const std::size_t end = std::min(headers.find("\r\n"), headers.size());
    std::string_view line = headers.substr(0, end);
    headers.remove_prefix(std::min(end + 2, headers.size()));
    if (lowered(line.substr(0, kName.size())) != kName) continue;
    line.remove_prefix(kName.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    std::size_t length = 0;
    const auto [at, error] = std::from_chars(line.data(), line.data() + line.size(), length);
    if (error != std::errc() || at != line.data() + line.size()) return std::nullopt;
    return length;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> FrameReader::next() {
  const std::size_t end = waiting_.find(kHeaderEnd);
  if (is_broken_ || end == std::string::npos) {
    is_broken_ = is_broken_ || waiting_.size() > kMostHeaderBytes;
    return std::nullopt;
  }
  const auto length = content_length(std::string_view(waiting_).substr(0, end));
  is_broken_ = !length || *length > most_bytes_;
  const std::size_t begin = end + kHeaderEnd.size();
  if (is_broken_ || waiting_.size() - begin < *length) return std::nullopt;
  std::string message = waiting_.substr(begin, *length);
  waiting_.erase(0, begin + *length);
  return message;
}

std::string framed(std::string_view message) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

std::string uri_of(std::string_view path) { return "file://" + schema::percent_encode(path, "-._~/"); }

std::string path_of(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return {};
  uri.remove_prefix(kScheme.size());
  uri.remove_prefix(std::min(uri.find('/'), uri.size()));  // a host, which is empty or `localhost`
  return schema::percent_decode(uri);
}

}  // namespace capwright::lsp
