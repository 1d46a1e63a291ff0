// How messages of the Language Server Protocol are cut and named: https://microsoft.github.io/language-server-protocol.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace capwright::lsp {

// Cuts a stream of bytes into messages: header fields, an empty line, and `Content-Length` bytes.
class FrameReader {
 public:
  explicit FrameReader(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  void feed(std::string_view bytes) { waiting_.append(bytes); }
  // The next complete message; empty until there is one.
  std::optional<std::string> next();
  // The stream can't be understood anymore: a header without a length, or a message that is too long.
  bool is_broken() const { return is_broken_; }

 private:
  std::size_t most_bytes_;
  std::string waiting_;
  bool is_broken_ = false;
};

std::string framed(std::string_view message);

// `file:///srv/fleet/values/a.yaml` for an absolute path, and back; empty for another scheme.
std::string uri_of(std::string_view path);
std::string path_of(std::string_view uri);

}  // namespace capwright::lsp
