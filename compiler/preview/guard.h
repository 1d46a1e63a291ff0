// Who may use a preview: only the browser that the address was given to, from the preview's own pages.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "portal/message.h"

namespace capwright::preview {

class Guard {
 public:
  explicit Guard(std::string token) : token_(std::move(token)) {}
  // The port that the server listens on.
  void listen_on(std::uint16_t port);

  // "http://127.0.0.1:39231/TOKEN/"
  std::string address() const;
  // Why the request is refused; empty: it isn't, and `path` is the part of its path after the token.
  std::string_view refusal(const portal::Request& head, std::string_view& path) const;

 private:
  std::string token_;
  std::vector<std::string> hosts_;  // "127.0.0.1:39231", "localhost:39231"
};

}  // namespace capwright::preview
