// Locks name the machine and the process.
#include "cli/publish_place.h"

#include <array>
#include <unistd.h>

#include "embedded/embedded.h"
#include "source/real_system.h"

namespace capwright::cli {

publish::Place place_of_process() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host = {'?'};
  return {host.data(), static_cast<int>(::getpid()), minutes_east(real_seconds()), std::string(embedded::version())};
}

}  // namespace capwright::cli
