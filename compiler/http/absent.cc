// Replaces libcurl in the program without it: commands that send requests are handed over to the other program first.
#include "base/check.h"
#include "http/client.h"

namespace capwright::http {

std::unique_ptr<Client> real_client(ClientSettings) {
  CW_CHECK(false, "a command that sends requests runs in a program without libcurl");
  return nullptr;
}

}  // namespace capwright::http
