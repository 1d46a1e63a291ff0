// The certificates that this machine trusts. Each distribution has them in another file, and the TLS libraries that the
// program is linked with know only Debian's.
#pragma once
#include <string>

namespace capwright {

// The file that SSL_CERT_FILE names, or else the distribution's; empty if there is none.
std::string authorities_file();

}  // namespace capwright
